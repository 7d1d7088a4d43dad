export interface Migration {
  readonly number: number
  readonly name: string
  /** Statements that each stand alone, in order. */
  readonly up: readonly string[]
  readonly down: readonly string[]
}
