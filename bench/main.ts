import type { Benchmark } from './support/benchmark.ts'
import { hold, runStep } from './support/contest.ts'

// npm run bench                all
// npm run bench -- ledger      those that are named
// Each is loaded by itself: what another one compares with would be in the memory of all that are measured.
const BENCHMARKS: Readonly<Record<string, () => Promise<Benchmark>>> = {
  api: async () => (await import('./api.ts')).api,
  claims: async () => (await import('./claims.ts')).claims,
  ledger: async () => (await import('./ledger.ts')).ledger,
  sitemap: async () => (await import('./sitemap.ts')).sitemap,
  submit: async () => (await import('./submit.ts')).submit,
  worker: async () => (await import('./worker.ts')).worker,
}

const [first, ...rest] = process.argv.slice(2)
if (first === '--step') console.log(await runStep(await named(rest[0] ?? ''), rest.slice(1)))
else await holdAll(process.argv.slice(2))

async function holdAll(names: readonly string[]) {
  const chosen = await Promise.all((names.length > 0 ? names : Object.keys(BENCHMARKS)).map(named))
  for (const benchmark of chosen) {
    const results = await hold(benchmark, (line) => console.error(line))
    console.log(benchmark.report(results))
  }
}

async function named(name: string): Promise<Benchmark> {
  const load = BENCHMARKS[name]
  if (load) return load()
  const known = Object.keys(BENCHMARKS).join(', ')
  console.error(`There is no benchmark "${name}". There are: ${known}.`)
  return process.exit(2)
}
