import type { Benchmark, Contender, Results } from './support/benchmark.ts'
import {
  DECODE,
  ENDLESS,
  FAST_XML_PARSER,
  GUNZIP,
  GUNZIP_ONE_CORE,
  IDLE,
  ONE_CORE,
  OURS,
  OVERLAPPED,
  PORTABLE,
  REGEX,
  SAXES,
  SITEMAP,
  SITEMAPPER,
} from './support/sitemap-contenders.ts'
import { sitemapDocument, URL_COUNTS, zippedDocument } from './support/sitemap-documents.ts'
import { type Bar, bars, table, times, whole } from './support/table.ts'

const READERS = [OURS, SAXES, REGEX, FAST_XML_PARSER, SITEMAP, SITEMAPPER, DECODE]
const UNZIPPERS = [GUNZIP, OVERLAPPED, PORTABLE, GUNZIP_ONE_CORE, ONE_CORE]

const DOCUMENTS = ['plain', 'extended'] as const
type Document = (typeof DOCUMENTS)[number]

/** Sitemaps read from memory: every URL and its date handed over. */
export const sitemap: Benchmark = {
  name: 'sitemap',
  rounds: 4,
  contenders: [...READERS, ...UNZIPPERS, IDLE, ENDLESS],
  report: (results) =>
    [
      ...DOCUMENTS.map((document) => readers(results, document)),
      ...DOCUMENTS.map((document) => unzippers(results, document)),
      memory(results),
      bars(allBars(results)),
    ].join('\n\n'),
}

function readers(results: Results, document: Document): string {
  const megabytes = sitemapDocument(document).length / 1e6
  const rows = READERS.map(({ name }) => {
    const best = results.best(name, document)
    return [
      name,
      best.toFixed(1),
      results.median(name, document).toFixed(1),
      whole(results.median(name, document, 'firstMs')),
      results.best(name, document, 'cpuMs').toFixed(1),
      whole(megabytes / (best / 1_000)),
      times(best / results.best(OURS.name, document)),
    ]
  })
  const title = `${document}, ${whole(URL_COUNTS[document])} URLs, ${megabytes.toFixed(1)} MB`
  return table([title, 'best ms', 'median ms', 'first ms', 'CPU ms', 'MB/s', '÷ sluice'], rows)
}

function unzippers(results: Results, document: Document): string {
  const rows = UNZIPPERS.map(({ name }) => [
    name,
    results.best(name, document).toFixed(1),
    results.median(name, document).toFixed(1),
    results.best(name, document, 'cpuMs').toFixed(1),
    results.best(name, document, 'mainMs').toFixed(1),
    times(ratio(results, { name }, name === ONE_CORE.name ? GUNZIP_ONE_CORE : GUNZIP, document)),
  ])
  const title = `${document}, ${(zippedDocument(document).length / 1e6).toFixed(1)} MB of gzip`
  return table([title, 'best ms', 'median ms', 'CPU ms', 'main thread ms', '÷ gunzip'], rows)
}

const SIZES = ['50 MB', '1 GB'] as const

function memory(results: Results): string {
  const rows = SIZES.map((size) => [
    size,
    results.median(IDLE.name, size, 'peakMb').toFixed(1),
    results.median(ENDLESS.name, size, 'peakMb').toFixed(1),
    above(results, size).toFixed(1),
  ])
  return table(['memory, MB', 'idle', 'reading', 'more'], rows)
}

const above = (results: Results, size: string) =>
  results.median(ENDLESS.name, size, 'peakMb') - results.median(IDLE.name, size, 'peakMb')

const ratio = (
  results: Results,
  slow: Pick<Contender, 'name'>,
  fast: Pick<Contender, 'name'>,
  document: Document,
) => results.best(slow.name, document) / results.best(fast.name, document)

function allBars(results: Results): readonly Bar[] {
  const faster = (meaning: string, measured: number, atLeast: number): Bar => ({
    meaning: `${meaning}: at least ${atLeast}×`,
    measured: times(measured),
    met: measured >= atLeast,
  })
  const within = (meaning: string, measured: number, atMost: number): Bar => ({
    meaning: `${meaning}: at most ${atMost}×`,
    measured: times(measured),
    met: measured <= atMost,
  })
  const first = (document: Document) =>
    results.median(SAXES.name, document, 'firstMs') / results.median(OURS.name, document, 'firstMs')
  return [
    faster('saxes, plain', ratio(results, SAXES, OURS, 'plain'), 3),
    faster('saxes, extended', ratio(results, SAXES, OURS, 'extended'), 5),
    faster('saxes, plain, first file of a process', first('plain'), 2),
    faster('saxes, extended, first file of a process', first('extended'), 2),
    faster('sitemap, plain', ratio(results, SITEMAP, OURS, 'plain'), 40),
    faster('sitemap, extended', ratio(results, SITEMAP, OURS, 'extended'), 40),
    ...DOCUMENTS.flatMap((document) => [
      within(
        `gunzip alone, ${document}, both on one core`,
        ratio(results, ONE_CORE, GUNZIP_ONE_CORE, document),
        2.5,
      ),
      within(
        `gunzip alone, ${document}, overlapped`,
        ratio(results, OVERLAPPED, GUNZIP, document),
        1.7,
      ),
    ]),
    ...SIZES.map((size) => ({
      meaning: `memory above an idle process, ${size}: at most 25 MB`,
      measured: `${above(results, size).toFixed(1)} MB`,
      met: above(results, size) <= 25,
    })),
  ]
}
