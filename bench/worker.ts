import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { ReaderName } from './inside/readers.ts'
import type { Work } from './inside/worker.ts'
import type { Benchmark, Contender, Measurement, Results } from './support/benchmark.ts'
import { sitemapDocument, URL_COUNTS } from './support/sitemap-documents.ts'
import { type Bar, bars, table, times, whole } from './support/table.ts'
import { openWorkerd, type Workerd } from './support/workerd.ts'

const WORKS = ['read', 'first day', 'day after'] as const satisfies readonly Work[]

/** How often each reads in one request: what is quick often, so that the request itself does not count. */
const REPETITIONS: Readonly<Record<ReaderName, number>> = {
  sluice: 10,
  'an indexOf walk': 10,
  'a regex for <loc>': 10,
  saxes: 2,
  'fast-xml-parser': 1,
}
const NAMES = Object.keys(REPETITIONS) as readonly ReaderName[]

/** One of them alone finds the dates, entities and comments that make it right. */
const MAY_BE_WRONG: readonly ReaderName[] = ['an indexOf walk', 'a regex for <loc>']

const MOST_GZIPPED_BYTES = 400_000
const ROUNDS_INSIDE = 4

const IN_WORKERD: Contender = { name: 'workerd', steps: { all: measureAll } }
const BUNDLE: Contender = { name: 'bundle', steps: { size: measureBundle } }

/** Inside of workerd, all in one isolate and in turn: what a run costs of the 10 ms that the free plan has. */
export const worker: Benchmark = {
  name: 'worker',
  rounds: 1,
  contenders: [IN_WORKERD, BUNDLE],
  report: (results) => [readers(results), bars(allBars(results))].join('\n\n'),
}

async function measureAll(folder: string): Promise<Measurement> {
  const workerd = await openWorkerd(join(import.meta.dirname, 'inside', 'worker.ts'), folder)
  const best: Record<string, number> = {}
  try {
    await workerd.ask('/', sitemapDocument('plain'))
    for (let round = 0; round <= ROUNDS_INSIDE; round++) {
      for (const work of WORKS) {
        for (const reader of NAMES) {
          const ms = await measure(workerd, reader, work)
          const key = keyOf(reader, work)
          // The first round warms up.
          if (round > 0) best[key] = Math.min(best[key] ?? Number.POSITIVE_INFINITY, ms)
        }
      }
    }
  } finally {
    await workerd.close()
  }
  return { ms: 0, ...best }
}

/** Of a processor, where the system tells: others are at work here too. */
async function measure(workerd: Workerd, reader: ReaderName, work: Work): Promise<number> {
  const repetitions = REPETITIONS[reader]
  const query = new URLSearchParams({ reader, work, times: String(repetitions) })
  const [started, cpu] = [performance.now(), workerd.cpuMs()]
  const answer = await workerd.ask(`/?${query}`)
  const { urls } = JSON.parse(answer) as { readonly urls: number }
  const after = workerd.cpuMs()
  const spent = cpu === undefined || after === undefined ? performance.now() - started : after - cpu
  const isWrong = urls !== URL_COUNTS.plain && !MAY_BE_WRONG.includes(reader)
  if (isWrong) throw new Error(`${reader} found ${urls} of ${URL_COUNTS.plain} URLs`)
  return spent / repetitions
}

async function measureBundle(folder: string): Promise<Measurement> {
  const words = ['scripts/deploy.ts', '--dry-run', '--outdir', folder]
  await promisify(execFile)(process.execPath, words, { cwd: join(import.meta.dirname, '..') })
  // All that is uploaded: the Worker, and the files of the pages beside it.
  const uploaded = readdirSync(folder).filter((file) => !/\.(map|md)$/.test(file))
  const sizes = uploaded.map((file) => gzipSync(readFileSync(join(folder, file))).length)
  return { ms: 0, gzipped: sizes.reduce((sum, size) => sum + size, 0) }
}

const keyOf = (reader: ReaderName, work: Work) => `${reader} · ${work}`

const best = (results: Results, reader: ReaderName, work: Work) =>
  results.best(IN_WORKERD.name, 'all', keyOf(reader, work))

function readers(results: Results): string {
  const rows = NAMES.map((reader) => [
    reader,
    ...WORKS.flatMap((work) => [
      best(results, reader, work).toFixed(1),
      times(best(results, reader, work) / best(results, 'sluice', work)),
    ]),
  ])
  const megabytes = (sitemapDocument('plain').length / 1e6).toFixed(1)
  const title = `${whole(URL_COUNTS.plain)} URLs, ${megabytes} MB, CPU ms`
  const head = WORKS.flatMap((work) => [work === 'read' ? 'read' : `+ ${work}`, '÷ sluice'])
  return table([title, ...head], rows)
}

function allBars(results: Results): readonly Bar[] {
  const choosing = WORKS.filter((work) => work !== 'read')
  const gzipped = results.worst(BUNDLE.name, 'size', 'gzipped')
  return [
    ...WORKS.map((work) => {
      const ratio = best(results, 'saxes', work) / best(results, 'sluice', work)
      const what = work === 'read' ? 'read alone' : `read and choose, ${work}`
      return { meaning: `saxes, ${what}: at least 4×`, measured: times(ratio), met: ratio >= 4 }
    }),
    // The walk reads and does not choose; neither does it find a date.
    ...choosing.map((work) => {
      const ratio = best(results, 'sluice', work) / best(results, 'an indexOf walk', 'read')
      return {
        meaning: `read and choose, ${work}, over a bare indexOf walk: at most 3×`,
        measured: times(ratio),
        met: ratio <= 3,
      }
    }),
    {
      meaning: 'bundle, gzipped: at most 400 kB',
      measured: `${whole(gzipped / 1_000)} kB`,
      met: gzipped <= MOST_GZIPPED_BYTES,
    },
  ]
}
