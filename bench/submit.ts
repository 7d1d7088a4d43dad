import type { Benchmark, Results } from './support/benchmark.ts'
import {
  firstRun,
  gunzipAlone,
  gunzipInMemory,
  idleServer,
  wholeRun,
} from './support/submit-contenders.ts'
import { changedCount } from './support/submit-documents.ts'
import { bars, table, times, whole } from './support/table.ts'

const MILLION = 1_000_000
const MANY = 50_000
const FEW = 100

const OURS = wholeRun('sluice', MILLION)
const OURS_100K = wholeRun('sluice, 100,000', 100_000)
const OURS_10K = wholeRun('sluice, 10,000', 10_000)
const BY_BATCH = firstRun(`auto, ${whole(MANY)} URLs`, MANY)
const ONE_BY_ONE = firstRun(`one by one, ${FEW} URLs`, FEW)
const GUNZIP = gunzipAlone('gunzip alone', MILLION)
const IN_MEMORY = gunzipInMemory('gunzip alone, from memory', MILLION)

const DAYS = ['first day', 'day after'] as const

/** The daily run of a large site by the whole server, over HTTP: first day, and a day later with 5 % changed. */
export const submit: Benchmark = {
  name: 'submit',
  rounds: 5,
  contenders: [OURS, GUNZIP, IN_MEMORY, OURS_100K, OURS_10K, BY_BATCH, ONE_BY_ONE, idleServer],
  report: (results) =>
    [
      '1,000,000 URLs in 20 gzipped sitemaps; read + choose: from the run’s start to its list of what is due, durable',
      ...DAYS.map((day) => reading(results, day)),
      growth(results),
      sending(results),
      standing(results),
    ].join('\n\n'),
}

function reading(results: Results, day: string): string {
  const rows = [OURS, GUNZIP, IN_MEMORY].map(({ name }) => [
    name,
    whole(results.best(name, day)),
    whole(results.median(name, day)),
    whole(results.best(name, day, 'cpuMs')),
    times(results.best(name, day) / results.best(GUNZIP.name, day)),
    times(results.median(name, day) / results.median(GUNZIP.name, day)),
    whole(results.worst(name, day, 'peakMb')),
  ])
  const head = ['best ms', 'median ms', 'CPU ms', '÷ gunzip', 'by median', 'peak MB']
  return table([`${day}: read + choose`, ...head], rows)
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
        whole(results.median(name, day, 'totalMs')),
        whole(results.worst(name, day, 'requests')),
        whole(results.worst(name, day, 'peakMb')),
      ]
    }),
  )
  const idle = results.worst(idleServer.name, 'first day', 'peakMb')
  const head = ['read + choose ms', 'ns/URL', 'whole run ms', 'requests', 'peak MB']
  return table([`growth (idle server: ${whole(idle)} MB)`, ...head], rows)
}

function sending(results: Results): string {
  const batches = results.median(BY_BATCH.name, 'first day', 'sendMs')
  const msPerUrl = perUrl(results)
  const minutes = (ms: number) => (ms / 60_000).toFixed(1)
  return table(
    [`${whole(MANY)} URLs, 100 ms between requests`, 'requests', 'minutes', ''],
    [
      [
        'auto',
        whole(results.worst(BY_BATCH.name, 'first day', 'requests')),
        minutes(batches),
        'measured',
      ],
      [
        'one by one',
        whole(MANY),
        minutes(msPerUrl * MANY),
        `from ${FEW} URLs at ${msPerUrl.toFixed(1)} ms each`,
      ],
    ],
  )
}

/** From one request's start to the next one's. */
function perUrl(results: Results): number {
  return results.median(ONE_BY_ONE.name, 'first day', 'sendMs') / (FEW - 1)
}

function standing(results: Results): string {
  // A first day happens once; the bars are for every day after it, with 5 % changed.
  const ratio = results.median(OURS.name, 'day after') / results.median(GUNZIP.name, 'day after')
  const peak = results.worst(OURS.name, 'day after', 'peakMb')
  const requests = results.worst(OURS.name, 'day after', 'requests')
  const sent = results.worst(OURS.name, 'day after', 'sent')
  const gain = (perUrl(results) * MANY) / results.median(BY_BATCH.name, 'first day', 'sendMs')
  return bars([
    {
      meaning: 'read + choose at most 3 times gunzip alone',
      measured: times(ratio),
      met: ratio <= 3,
    },
    {
      meaning: 'peak memory of the server at most 150 MB',
      measured: `${whole(peak)} MB`,
      met: peak <= 150,
    },
    {
      meaning: `${whole(changedCount(MILLION))} changed URLs are 5 requests`,
      measured: `${whole(requests)} with ${whole(sent)} URLs`,
      met: requests === 5 && sent === changedCount(MILLION),
    },
    {
      meaning: `auto at least 1,000 times as fast as one by one for ${whole(MANY)} URLs`,
      measured: times(gain),
      met: gain >= 1_000,
    },
  ])
}
