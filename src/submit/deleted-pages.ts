import { mapWithConcurrency } from '../core/concurrency.ts'
import type { Ledger, UrlRecord } from '../core/ledger/ledger.ts'
import { packUrls, unpackUrls } from '../core/ledger/url-list.ts'
import { dueChunk, type DueUrls, type NewChunk } from './due-urls.ts'
import { hashesOf } from './settle-outcomes.ts'
import type { SiteLedger } from './site-ledger.ts'
import type { SiteRun } from './site-run.ts'

/** Left the sitemap; nobody has looked yet whether they are gone. */
const VANISHED = 'vanished'
/** Known to be gone, and not yet accepted by every engine. */
const GONE = 'gone'

/** A page that vanished is asked for once: so many at most in one run, the rest in the next. */
const MOST_CHECKS = 1_000
const CHECK_TIMEOUT_MS = 10_000

/** To be written together with the shards that forget these pages: neither is without the other. */
export async function vanishedChunks(urls: readonly string[]): Promise<readonly NewChunk[]> {
  const chunks: NewChunk[] = []
  for (let at = 0; at < urls.length; at += MOST_CHECKS) {
    const part = urls.slice(at, at + MOST_CHECKS)
    chunks.push({ list: VANISHED, count: part.length, urls: await packUrls(part) })
  }
  return chunks
}

/**
 * SPEC S13: asks for the pages that left the sitemap and makes those due that are really gone: they answer 404 or
 * 410, or lead elsewhere. One that is still there has only left the sitemap; one that does not answer is asked
 * again in the next run. Gives the number of pages that are gone.
 */
export async function findDeletedPages(run: SiteRun, engines: number): Promise<number> {
  const { site, ledger } = run
  const [chunk] = (await ledger.chunks()).filter(({ list }) => list === VANISHED)
  const packed = chunk && (await ledger.readChunk(chunk))
  if (!chunk || !packed) return 0
  const urls = await unpackUrls(packed)
  const answers = await mapWithConcurrency(urls, site.maxConcurrentRequests, (url) => ask(run, url))
  const those = (answer: Answer) => urls.filter((_, i) => answers[i] === answer)
  const [gone, unknown] = [those('gone'), those('unknown')]
  const masks = { due: engines, failed: 0 }
  const waiting = gone.length > 0 ? [await goneChunk(gone), await dueChunk(gone, masks)] : []
  await ledger.write({
    removeChunks: [chunk],
    appendChunks: [...waiting, ...(await vanishedChunks(unknown))],
  })
  return gone.length
}

async function goneChunk(urls: readonly string[]): Promise<NewChunk> {
  return { list: GONE, count: urls.length, urls: await packUrls(urls) }
}

/**
 * The deleted pages of earlier runs that some engine has yet to accept: they are in no sitemap, so that only this
 * list brings them back. Makes them due again, and gives the list without those that are through.
 */
export async function carryGonePages(
  store: SiteLedger,
  { ledger, engines, due }: { ledger: Ledger; engines: number; due: DueUrls },
): Promise<{ readonly dropLists: string[]; readonly appendChunks: NewChunk[] }> {
  const chunks = (await store.chunks()).filter(({ list }) => list === GONE)
  const kept: string[] = []
  for (const chunk of chunks) {
    const packed = await store.readChunk(chunk)
    const urls = packed ? await unpackUrls(packed) : []
    const hashes = hashesOf(urls)
    urls.forEach((url, i) => {
      const known = ledger.lookUp(hashes[2 * i] as number, hashes[2 * i + 1] as number)
      const waiting = engines & waitingAt(known)
      if (waiting === 0) return
      due.add(url, waiting, 0)
      kept.push(url)
    })
  }
  return { dropLists: [GONE], appendChunks: kept.length > 0 ? [await goneChunk(kept)] : [] }
}

/** The engines, as bits, that have neither accepted the URL nor refused it for good. */
function waitingAt(known: UrlRecord | undefined): number {
  if (!known) return ~0
  return known.engines.reduce(
    (bits, { state }, engine) =>
      state === 'unsent' || state === 'failed' ? bits | (1 << engine) : bits,
    0,
  )
}

type Answer = 'gone' | 'there' | 'unknown'

async function ask({ site, deps, budget, signal }: SiteRun, url: string): Promise<Answer> {
  if (signal.aborted || budget.exhausted() || !budget.take('subrequests')) return 'unknown'
  return deps.paceOf(site).run(async () => {
    const request = { url, timeoutMs: CHECK_TIMEOUT_MS, maxBytes: 0, signal }
    const sent = await deps.http.send({ ...request, method: 'HEAD' })
    if (!sent.ok) return 'unknown'
    await sent.value.discard()
    const { status } = sent.value
    if (status !== 405 && status !== 501) return answerOf(status)
    const got = await deps.http.send({ ...request, method: 'GET' })
    if (!got.ok) return 'unknown'
    await got.value.discard()
    return answerOf(got.value.status)
  })
}

function answerOf(status: number): Answer {
  if (status === 404 || status === 410) return 'gone'
  if (status >= 300 && status < 400 && status !== 304) return 'gone'
  return status < 300 ? 'there' : 'unknown'
}
