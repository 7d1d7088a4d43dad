import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Results, type Benchmark, type Contender, type Measurement } from './benchmark.ts'

const run = promisify(execFile)

/**
 * Every round runs all contenders, in random order and each in a process of its own: so neither the state of one
 * process nor a busy moment of the machine falls on one contender alone.
 */
export async function hold(benchmark: Benchmark, log: (line: string) => void): Promise<Results> {
  const results = new Results()
  const [first] = benchmark.contenders
  if (first) await runSteps(benchmark, wholly(first), new Results())
  for (let round = 1; round <= benchmark.rounds; round++) {
    for (const { contender, steps } of turns(benchmark)) {
      const which = benchmark.isStepByStep ? `, ${steps.join()}` : ''
      log(`${benchmark.name}: round ${round} of ${benchmark.rounds}, ${contender.name}${which}`)
      await runSteps(benchmark, { contender, steps }, results)
    }
  }
  return results
}

// With this cache, which a first unrecorded run fills, a child does not have to strip types: that takes 30 MB.
const CHILD_ENVIRONMENT = {
  ...process.env,
  NODE_COMPILE_CACHE: join(tmpdir(), 'sluice-bench-compiled'),
}

interface Turn {
  readonly contender: Contender
  readonly steps: readonly string[]
}

function wholly(contender: Contender): Turn {
  return { contender, steps: Object.keys(contender.steps) }
}

function turns({ contenders, isStepByStep = false }: Benchmark): Turn[] {
  const whole = contenders.map(wholly)
  if (!isStepByStep) return shuffled(whole)
  const steps = new Set(whole.flatMap((turn) => turn.steps))
  return [...steps].flatMap((step) =>
    shuffled(whole)
      .filter((turn) => turn.steps.includes(step))
      .map(({ contender }) => ({ contender, steps: [step] })),
  )
}

async function runSteps(benchmark: Benchmark, { contender, steps }: Turn, results: Results) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  try {
    for (const step of steps) {
      const main = join(import.meta.dirname, '..', 'main.ts')
      const args = [main, '--step', benchmark.name, contender.name, step, folder]
      const { stdout } = await run(process.execPath, args, { env: CHILD_ENVIRONMENT })
      results.add(contender.name, step, JSON.parse(stdout) as Measurement)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** In the child: one step, its measurement on standard output. */
export async function runStep(
  benchmark: Benchmark,
  [name, step, folder]: readonly string[],
): Promise<string> {
  const contender = benchmark.contenders.find((one) => one.name === name)
  const work = contender?.steps[step ?? '']
  if (!work || !folder) throw new Error(`${benchmark.name} has no step ${step} of ${name}`)
  const measurement = await work(folder)
  // Where another process does the work, its memory is what counts.
  return JSON.stringify({ peakMb: process.resourceUsage().maxRSS / 1_024, ...measurement })
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
