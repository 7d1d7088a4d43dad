import { type Budget, openBudget } from '../core/budget.ts'
import { mapWithConcurrency } from '../core/concurrency.ts'
import type { Ledger, UrlRecord } from '../core/ledger/ledger.ts'
import { unpackUrls } from '../core/ledger/url-list.ts'
import type { UrlState } from '../core/ledger/url-state.ts'
import { dueChunks, type DueUrls } from './due-urls.ts'
import { hashesOf } from './settle-outcomes.ts'
import type { SiteLedger } from './site-ledger.ts'
import type { SiteRun } from './site-run.ts'
import { type NewChunk, urlChunks } from './url-chunks.ts'

/** Left the sitemap; nobody has looked yet whether they are gone. */
const VANISHED = 'vanished'
/** Known to be gone, and not yet accepted by every engine. */
const GONE = 'gone'

/** All that waits for a deletion to be looked at or heard of. */
export const DELETION_LISTS: readonly string[] = [VANISHED, GONE]

/** A page that vanished is asked for once: so many at most in one run, the rest in the next. */
const MOST_CHECKS = 1_000
const CHECK_TIMEOUT_MS = 10_000

/** To be written together with the shards that forget these pages: neither is without the other. */
export async function vanishedChunks(urls: readonly string[]): Promise<readonly NewChunk[]> {
  const chunks: NewChunk[] = []
  for (let at = 0; at < urls.length; at += MOST_CHECKS) {
    const part = urls.slice(at, at + MOST_CHECKS)
    chunks.push(...(await urlChunks(VANISHED, part)))
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
  const checking = openChecking(run)
  const answers = await mapWithConcurrency(urls, site.maxConcurrentRequests, (url) =>
    ask(run, checking, url),
  )
  const those = (answer: Answer) => urls.filter((_, i) => answers[i] === answer)
  const [gone, unknown] = [those('gone'), those('unknown')]
  const masks = { due: engines, failed: 0 }
  const waiting =
    gone.length > 0 ? [...(await urlChunks(GONE, gone)), ...(await dueChunks(gone, masks))] : []
  await ledger.write({
    removeChunks: [chunk],
    appendChunks: [...waiting, ...(await vanishedChunks(unknown))],
  })
  return gone.length
}

/**
 * The pages of which a run sends that they are gone, as they are written in what is due. Engines that heard of it have
 * to hear of the page when it is listed again, be it in a year: what they answer is settled as of a page that changed
 * since. Whatever is sent of the page later settles that again, a hook's sending too.
 */
export async function loadDeletions(run: SiteRun): Promise<ReadonlySet<string>> {
  if (!run.site.submitDeleted) return new Set()
  return new Set(await urlsIn(run.ledger, GONE))
}

export interface DeletedPagesChange {
  readonly dropLists: readonly string[]
  readonly appendChunks: readonly NewChunk[]
}

export interface CarryAsk {
  /** As the reading left it: it knows which pages are listed again. */
  readonly ledger: Ledger
  /** Engines as bits: all that are to hear of a deletion, and those of them that this run sends to. */
  readonly engines: number
  readonly sendsTo: number
  readonly due: DueUrls
}

/**
 * The deleted pages of earlier runs that some engine has yet to accept: they are in no sitemap, so that only this
 * list brings them back. Makes them due again, and gives the lists without those that are through, and without those
 * that a sitemap lists again.
 */
export async function carryDeletedPages(
  store: SiteLedger,
  { ledger, engines, sendsTo, due }: CarryAsk,
): Promise<DeletedPagesChange> {
  const gone: string[] = []
  for (const { url, known } of await listedIn(store, GONE, ledger)) {
    if (known && known.file !== 0) continue
    const waiting = engines & waitingAt(known)
    if (waiting === 0) continue
    gone.push(url)
    if ((waiting & sendsTo) !== 0) due.add(url, waiting & sendsTo, waiting & failedAt(known))
  }
  const vanished = (await listedIn(store, VANISHED, ledger)).filter(
    ({ known }) => !known || known.file === 0,
  )
  return {
    dropLists: DELETION_LISTS,
    appendChunks: [
      ...(gone.length > 0 ? await urlChunks(GONE, gone) : []),
      ...(await vanishedChunks(vanished.map(({ url }) => url))),
    ],
  }
}

interface ListedPage {
  readonly url: string
  readonly known: UrlRecord | undefined
}

async function listedIn(store: SiteLedger, list: string, ledger: Ledger): Promise<ListedPage[]> {
  const urls = await urlsIn(store, list)
  const hashes = hashesOf(urls)
  return urls.map((url, i) => {
    const [high = 0, low = 0] = hashes.subarray(2 * i)
    return { url, known: ledger.lookUp(high, low) }
  })
}

async function urlsIn(store: SiteLedger, list: string): Promise<string[]> {
  const found: string[] = []
  for (const chunk of (await store.chunks()).filter((other) => other.list === list)) {
    const packed = await store.readChunk(chunk)
    if (packed) found.push(...(await unpackUrls(packed)))
  }
  return found
}

/** The engines, as bits, that have neither accepted the URL nor refused it for good. */
function waitingAt(known: UrlRecord | undefined): number {
  return known ? enginesIn(known, ['unsent', 'failed']) : ~0
}

function failedAt(known: UrlRecord | undefined): number {
  return known ? enginesIn(known, ['failed']) : 0
}

function enginesIn({ engines }: UrlRecord, states: readonly UrlState[]): number {
  return engines.reduce(
    (bits, { state }, engine) => (states.includes(state) ? bits | (1 << engine) : bits),
    0,
  )
}

type Answer = 'gone' | 'there' | 'unknown'

/** How long and how patiently pages are asked for: what is new must not wait for what is gone. */
interface Checking {
  readonly budget: Budget
  unanswered: number
}

const CHECKING_SHARE = 0.1
const UNANSWERED_IN_A_ROW = 10

function openChecking({ deps }: SiteRun): Checking {
  const timeMs = deps.settings.runBudgetMs * CHECKING_SHARE
  return { budget: openBudget({ timeMs }, deps.clock), unanswered: 0 }
}

async function ask(run: SiteRun, checking: Checking, url: string): Promise<Answer> {
  const { site, deps, budget, signal } = run
  if (signal.aborted || budget.exhausted() || checking.budget.exhausted()) return 'unknown'
  if (checking.unanswered >= UNANSWERED_IN_A_ROW) return 'unknown'
  const status = await deps.paceOf(site).run(() => statusOf(run, url))
  checking.unanswered = status === undefined ? checking.unanswered + 1 : 0
  return status === undefined ? 'unknown' : answerOf(status)
}

async function statusOf(
  { deps, budget, signal }: SiteRun,
  url: string,
): Promise<number | undefined> {
  const send = async (method: 'HEAD' | 'GET') => {
    if (!budget.take('subrequests')) return undefined
    const sent = await deps.http.send({
      url,
      method,
      timeoutMs: CHECK_TIMEOUT_MS,
      maxBytes: 0,
      signal,
    })
    if (!sent.ok) return undefined
    await sent.value.discard()
    return sent.value.status
  }
  const status = await send('HEAD')
  return status === 405 || status === 501 ? send('GET') : status
}

function answerOf(status: number): Answer {
  if (status === 404 || status === 410) return 'gone'
  if (status >= 300 && status < 400 && status !== 304) return 'gone'
  return status < 300 ? 'there' : 'unknown'
}
