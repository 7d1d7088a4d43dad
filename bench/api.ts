import { gzipSync } from 'node:zlib'
import { dashboardAssets } from '../src/apps/node/dashboard-assets.ts'
import { BARE, sluice } from './support/api-contenders.ts'
import type { Benchmark, Results } from './support/benchmark.ts'
import { bars, table, whole } from './support/table.ts'

const MANY = sluice(200)
const ONE = sluice(2)

/** Pages and answers over a store of 200 sites with 100 runs each, beside a route that looks nothing up. */
export const api: Benchmark = {
  name: 'api',
  rounds: 1,
  contenders: [BARE, MANY, ONE],
  report: (results) =>
    [
      '10 connections for 5 s each, after 2 s that do not count, asked by another process',
      rows(results),
      standing(results),
    ].join('\n\n'),
}

function rows(results: Results): string {
  const asked = [BARE, MANY, ONE].flatMap(({ name, steps }) =>
    Object.keys(steps)
      .filter((step) => step !== 'fill')
      .map((step) => [name, step] as const),
  )
  return table(
    ['', 'asked for', 'per second', 'p99 ms', 'CPU ms each', 'bytes sent'],
    asked.map(([name, step]) => [
      name,
      step,
      whole(results.best(name, step, 'rate')),
      whole(results.best(name, step, 'p99Ms')),
      results.best(name, step, 'cpuMs').toFixed(2),
      whole(results.best(name, step, 'bytes')),
    ]),
  )
}

function standing(results: Results): string {
  const page = (step: string) => results.best(MANY.name, step, 'cpuMs')
  const overview = page('/')
  const site = page('/sites/site-1')
  const share =
    results.best(MANY.name, '/status?site=site-1', 'rate') /
    results.best(BARE.name, '/bare', 'rate')
  // Neighbours on the machine slow both rates, and the faster one more: the processor's time they hardly change.
  const shareOfCpu = results.best(BARE.name, '/bare', 'cpuMs') / page('/status?site=site-1')
  // Nothing else is waited for: the script is deferred.
  const style = gzipSync(dashboardAssets()['sluice.css']).length
  const painted = results.best(MANY.name, '/', 'bytes') + style
  return bars([
    {
      meaning: 'overview ≤ 20 ms of CPU',
      measured: `${overview.toFixed(1)} ms`,
      met: overview <= 20,
    },
    { meaning: 'site page ≤ 20 ms of CPU', measured: `${site.toFixed(1)} ms`, met: site <= 20 },
    {
      meaning: '/status ≥ half the bare rate',
      measured: `${share.toFixed(2)}, by CPU ${shareOfCpu.toFixed(2)}`,
      met: Math.min(share, shareOfCpu) >= 0.5,
    },
    {
      meaning: 'first paint ≤ 60 kB, as sent (gzip)',
      measured: `${whole(painted / 1_000)} kB`,
      met: painted <= 60_000,
    },
  ])
}
