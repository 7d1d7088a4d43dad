import { ledger } from './ledger.ts'
import { sitemap } from './sitemap.ts'
import type { Benchmark } from './support/benchmark.ts'
import { hold, runStep } from './support/contest.ts'

// npm run bench                all
// npm run bench -- ledger      those that are named
const BENCHMARKS: readonly Benchmark[] = [ledger, sitemap]

const [first, ...rest] = process.argv.slice(2)
if (first === '--step') console.log(await runStep(named(rest[0] ?? ''), rest.slice(1)))
else await holdAll(process.argv.slice(2))

async function holdAll(names: readonly string[]) {
  const chosen = names.length > 0 ? names.map(named) : BENCHMARKS
  for (const benchmark of chosen) {
    const results = await hold(benchmark, (line) => console.error(line))
    console.log(benchmark.report(results))
  }
}

function named(name: string): Benchmark {
  const benchmark = BENCHMARKS.find((one) => one.name === name)
  if (benchmark) return benchmark
  const known = BENCHMARKS.map((one) => one.name).join(', ')
  console.error(`There is no benchmark "${name}". There are: ${known}.`)
  process.exit(2)
}
