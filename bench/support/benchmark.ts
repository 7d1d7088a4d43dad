/** Numbers that one step of a contender gives back, by name. The time in milliseconds is always there. */
export type Measurement = Readonly<Record<string, number>> & { readonly ms: number }

/** One way to do the work. Its steps run in order, each in a process of its own, over one folder unless step by step. */
export interface Contender {
  readonly name: string
  readonly steps: Readonly<Record<string, (folder: string) => Measurement | Promise<Measurement>>>
}

export interface Benchmark {
  readonly name: string
  readonly rounds: number
  readonly contenders: readonly Contender[]
  /**
   * Where the steps of a contender need nothing of each other: the same step of all is run before the next one. The
   * machine's speed changes within minutes: those that are compared run right after each other.
   */
  readonly isStepByStep?: boolean
  /** What is printed in the end. */
  report(results: Results): string
}

/** What all rounds gave. */
export class Results {
  readonly #runs = new Map<string, Measurement[]>()

  add(contender: string, step: string, measurement: Measurement) {
    const key = `${contender} · ${step}`
    this.#runs.set(key, [...(this.#runs.get(key) ?? []), measurement])
  }

  /** The least of all rounds: what disturbed it least. */
  best(contender: string, step: string, value = 'ms'): number {
    return Math.min(...this.values(contender, step, value))
  }

  /** The greatest of all rounds, for what must never be exceeded. */
  worst(contender: string, step: string, value = 'ms'): number {
    return Math.max(...this.values(contender, step, value))
  }

  median(contender: string, step: string, value = 'ms'): number {
    return medianOf(this.values(contender, step, value))
  }

  /** One of each round, in order. */
  values(contender: string, step: string, value: string): number[] {
    const runs = this.#runs.get(`${contender} · ${step}`) ?? []
    return runs.map((run) => run[value] ?? Number.NaN)
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** How long the work takes, and how much of a processor: which a busy machine changes less. */
export async function timed(work: () => void | Promise<void>): Promise<Measurement> {
  const started = performance.now()
  const cpu = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - started, cpuMs: (user + system) / 1_000 }
}
