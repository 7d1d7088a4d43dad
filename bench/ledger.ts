import type { Benchmark, Results } from './support/benchmark.ts'
import {
  mapOfStrings,
  packed,
  packedOutcomes,
  upsertByHash,
  upsertByUrl,
  urlsOnly,
} from './support/ledger-contenders.ts'
import { bars, table, times, whole } from './support/table.ts'

const MILLION = 1_000_000
const OURS = packed('packed ledger', MILLION)
const OURS_100K = packed('packed ledger, 100,000', 100_000)
const OURS_10K = packed('packed ledger, 10,000', 10_000)
const OUTCOMES = packedOutcomes(MILLION)
const MAP = mapOfStrings(MILLION)
const BY_URL = upsertByUrl(MILLION)
const BY_HASH = upsertByHash(MILLION)
const URLS = urlsOnly(MILLION)

const DAYS = ['first day', 'day after'] as const

/** A million URLs remembered, and looked at again a day later with 2 % new and 5 % changed. */
export const ledger: Benchmark = {
  name: 'ledger',
  rounds: 5,
  contenders: [URLS, OURS, MAP, BY_URL, BY_HASH, OURS_10K, OURS_100K, OUTCOMES],
  report: (results) =>
    [
      `1,000,000 URLs, load + hash + merge + save durably; the time to make the URLs is subtracted`,
      ...DAYS.map((day) => compare(results, day)),
      outcomes(results),
      growth(results),
      standing(results),
    ].join('\n\n'),
}

interface Measure {
  readonly how: 'best' | 'median'
  /** The time of a processor says more than the clock where others are at work, too. */
  readonly value: string
}

/** Milliseconds, of the clock or of a processor, without those that making the URLs takes. */
function net(results: Results, name: string, day: string, { how, value }: Measure): number {
  return results[how](name, day, value) - results[how](URLS.name, day, value)
}

function compare(results: Results, day: string): string {
  const rows = [OURS, MAP, BY_HASH, BY_URL].map(({ name }) => {
    const measures = (['best', 'median'] as const).flatMap((how) =>
      ['ms', 'cpuMs'].map((value) => ({
        own: net(results, name, day, { how, value }),
        ours: net(results, OURS.name, day, { how, value }),
      })),
    )
    return [
      name,
      ...measures.flatMap(({ own, ours }) => [whole(own), times(own / ours)]),
      results.median(name, day, 'bytesPerUrl').toFixed(1),
      whole(results.worst(name, day, 'peakMb')),
    ]
  })
  const spreads = ['best ms', '÷ ours', 'CPU', '÷ ours', 'median ms', '÷ ours', 'CPU', '÷ ours']
  const title = `${day} (urls alone: ${whole(results.best(URLS.name, day))} ms)`
  return table([title, ...spreads, 'B/URL', 'peak MB'], rows)
}

function outcomes(results: Results): string {
  const { name, steps } = OUTCOMES
  const rows = Object.keys(steps).map((step) => [
    step,
    whole(results.best(name, step)),
    whole(results.median(name, step)),
    whole(results.worst(name, step, 'peakMb')),
  ])
  return table(['outcomes of 1,000,000 URLs', 'best ms', 'median ms', 'peak MB'], rows)
}

function growth(results: Results): string {
  const sizes = [
    { name: OURS_10K.name, count: 10_000 },
    { name: OURS_100K.name, count: 100_000 },
    { name: OURS.name, count: MILLION },
  ]
  const rows = sizes.flatMap(({ name, count }) =>
    DAYS.map((day) => {
      const best = results.best(name, day)
      return [
        `${whole(count)}, ${day}`,
        whole(best),
        whole((best / count) * 1e6),
        whole(results.worst(name, day, 'peakMb')),
      ]
    }),
  )
  return table(['growth (with making the URLs)', 'best ms', 'ns/URL', 'peak MB'], rows)
}

function standing(results: Results): string {
  const bytes = Math.max(...DAYS.map((day) => results.worst(OURS.name, day, 'bytesPerUrl')))
  const peak = Math.max(...DAYS.map((day) => results.worst(OURS.name, day, 'peakMb')))
  const ratios = (measure: Measure) =>
    DAYS.map(
      (day) => net(results, BY_URL.name, day, measure) / net(results, OURS.name, day, measure),
    )
  const byClock = ratios({ how: 'median', value: 'ms' })
  const tenfold = Math.max(
    ...DAYS.map((day) => results.best(OURS.name, day) / results.best(OURS_100K.name, day)),
  )
  return bars([
    {
      meaning: 'at most 20 bytes per URL and engine on disk',
      measured: bytes.toFixed(1),
      met: bytes <= 20,
    },
    {
      meaning: 'merge at least 5 times as fast as SQLite upserts, by the clock',
      measured: byClock.map(times).join(' and '),
      met: byClock.every((ratio) => ratio >= 5),
    },
    { meaning: 'peak memory at most 150 MB', measured: `${whole(peak)} MB`, met: peak <= 150 },
    {
      meaning: 'linear: ten times the URLs take at most 12 times as long',
      measured: times(tenfold),
      met: tenfold <= 12,
    },
  ])
}
