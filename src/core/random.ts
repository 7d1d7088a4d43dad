/** The only source of chance: whatever shuffles, jitters or names takes a Random. */
export interface Random {
  /** At least 0, less than 1. */
  fraction(): number
  bytes(count: number): Uint8Array
  uuid(): string
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  uuid: () => crypto.randomUUID(),
}
