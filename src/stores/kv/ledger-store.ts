import type { Clock } from '../../core/clock.ts'
import { mapWithConcurrency } from '../../core/concurrency.ts'
import { minutes } from '../../core/duration.ts'
import { DamagedLedger } from '../../core/ledger/damaged-ledger.ts'
import { fail, ok } from '../../core/result.ts'
import type { KnownSitemap, LedgerChange, LedgerSnapshot, LedgerStore } from '../ledger-store.ts'
import type { Documents } from './documents.ts'
import { KEYS } from './keys.ts'
import { type Kv, READS_AT_ONCE } from './kv.ts'
import {
  fromInline,
  isSmall,
  type KeptChunk,
  type LedgerHead,
  NO_LEDGER,
  toInline,
} from './ledger-head.ts'
import { type KvOutcomes, openKvOutcomes } from './ledger-outcomes.ts'
import { joinShards, packOf, splitShards } from './packs.ts'
import type { NewStamp } from './stamps.ts'

export interface KvParts {
  readonly kv: Kv
  readonly documents: Documents
  readonly clock: Clock
  readonly newStamp: NewStamp
}

export interface KvLedgerStore extends LedgerStore {
  /** All that is kept of a site's URLs. */
  forget(siteId: string): Promise<void>
}

/** Who read the head before this long ago has read by now what it names. KV shows a change after a minute at the latest. */
const STILL_READ_MS = minutes(10)

export function kvLedgerStore(parts: KvParts): KvLedgerStore {
  const { kv, documents, clock, newStamp } = parts
  const outcomes = openKvOutcomes(kv, clock, newStamp)
  const headOf = async (siteId: string) =>
    (await documents.read<LedgerHead>(headKey(siteId))) ?? NO_LEDGER
  return {
    numberEngines: async (siteId, names) => {
      const { engines } = await headOf(siteId)
      if (names.every((name) => engines.includes(name))) return engines
      return documents.change<LedgerHead, readonly string[]>(
        headKey(siteId),
        (head = NO_LEDGER) => {
          const all = [...new Set([...head.engines, ...names])]
          return { after: { ...head, engines: all }, answer: all }
        },
      )
    },
    async load(siteId) {
      const head = await headOf(siteId)
      return snapshotOf(siteId, { head, packs: Object.keys(head.packs).map(Number), kv, outcomes })
    },
    async loadShard(siteId, prefix) {
      const head = await headOf(siteId)
      const whole = await snapshotOf(siteId, { head, packs: [packOf(prefix)], kv, outcomes })
      const shard = whole.shards.get(prefix)
      return { ...whole, shards: new Map(shard && [[prefix, shard]]) }
    },
    record: async (siteId, bytes) => outcomes.record(siteId, await headOf(siteId), bytes),
    write: (siteId, change) =>
      documents.change<LedgerHead, Awaited<ReturnType<LedgerStore['write']>>>(
        headKey(siteId),
        async (head = NO_LEDGER) => {
          if (head.fence > change.fence) {
            return { answer: fail({ kind: 'fenced-out', newerFence: head.fence }) }
          }
          const after = await changed(siteId, { head, change, outcomes }, parts)
          return { after, answer: ok(undefined) }
        },
      ),
    async chunks(siteId) {
      const { chunks } = await headOf(siteId)
      return chunks.map(({ list, number, count }) => ({ list, number, count }))
    },
    async readChunk(siteId, { list, number }) {
      const { chunks } = await headOf(siteId)
      const chunk = chunks.find((other) => other.list === list && other.number === number)
      if (chunk?.inline !== undefined) return fromInline(chunk.inline)
      return chunk?.key === undefined ? undefined : kv.bytes(chunk.key)
    },
    async forget(siteId) {
      // The head first: killed after it, the site has no ledger, and what is left is found by its prefix.
      await documents.remove(headKey(siteId))
      await outcomes.forget(siteId)
    },
  }
}

const headKey = (siteId: string) => `${KEYS.ledger(siteId)}head`

interface LoadAsk {
  readonly head: LedgerHead
  readonly packs: readonly number[]
  readonly kv: Kv
  readonly outcomes: KvOutcomes
}

async function snapshotOf(
  siteId: string,
  { head, packs, kv, outcomes }: LoadAsk,
): Promise<LedgerSnapshot> {
  const shards = await mapWithConcurrency(packs, READS_AT_ONCE, (pack) => readPack(kv, head, pack))
  const recorded = await outcomes.load(siteId, head)
  return {
    engines: head.engines,
    shards: new Map(shards.flatMap((those) => [...those])),
    outcomes: recorded.outcomes,
    outcomesThrough: recorded.through,
    sitemaps: head.sitemaps,
  }
}

async function readPack(kv: Kv, head: LedgerHead, pack: number): Promise<Map<number, Uint8Array>> {
  const key = head.packs[pack]
  if (key === undefined) return new Map()
  const bytes = await kv.bytes(key)
  // Taken for empty, everything in it would be submitted again.
  if (!bytes) throw new DamagedLedger(`pack ${pack}`, 'KV does not have it; in a minute it may')
  return splitShards(bytes)
}

interface ChangeAsk {
  readonly head: LedgerHead
  readonly change: LedgerChange
  readonly outcomes: KvOutcomes
}

/** Writes what the new head names, and gives it. Until it is written itself, nothing has changed. */
async function changed(siteId: string, ask: ChangeAsk, parts: KvParts): Promise<LedgerHead> {
  const { head, change, outcomes } = ask
  const { kv, clock } = parts
  const now = clock.now()
  const packs = { ...head.packs, ...(await writePacks(siteId, ask, parts)) }
  const { kept, dropped, nextChunk } = await writeChunks(siteId, ask, parts)
  const folded =
    change.foldedThrough === undefined ? [] : outcomes.through(siteId, change.foldedThrough)
  const known = new Set(head.unused.map(({ key }) => key))
  const replaced = Object.entries(head.packs).flatMap(([pack, key]) =>
    packs[Number(pack)] === key ? [] : [key],
  )
  const newlyUnused = [...replaced, ...dropped, ...folded].filter((key) => !known.has(key))
  const outlived = head.unused.filter(({ since }) => since <= now - STILL_READ_MS)
  const doomed = [...outlived.map(({ key }) => key), ...outcomes.leftBehind(siteId, head)]
  await mapWithConcurrency(doomed, READS_AT_ONCE, (key) => kv.delete(key))
  return {
    fence: change.fence,
    engines: head.engines,
    sitemaps: withSitemaps(head.sitemaps, change.sitemaps ?? []),
    packs,
    chunks: kept,
    nextChunk,
    unused: [
      ...head.unused.filter((one) => !outlived.includes(one)),
      ...newlyUnused.map((key) => ({ key, since: now })),
    ],
  }
}

/** One write for each pack that has a shard that changed. */
async function writePacks(
  siteId: string,
  { head, change: { shards = new Map() } }: ChangeAsk,
  { kv, newStamp }: KvParts,
): Promise<Record<number, string>> {
  const byPack = Map.groupBy(shards, ([prefix]) => packOf(prefix))
  const written = await mapWithConcurrency([...byPack], READS_AT_ONCE, async ([pack, those]) => {
    const key = `${KEYS.ledger(siteId)}pack:${pack}:${newStamp()}`
    await kv.put(key, joinShards(new Map([...(await readPack(kv, head, pack)), ...those])))
    return [pack, key] as const
  })
  return Object.fromEntries(written)
}

async function writeChunks(
  siteId: string,
  { head, change }: ChangeAsk,
  { kv, newStamp }: KvParts,
): Promise<{ kept: KeptChunk[]; dropped: string[]; nextChunk: number }> {
  const { dropLists = [], removeChunks = [], appendChunks = [] } = change
  const isGone = ({ list, number }: KeptChunk) =>
    dropLists.includes(list) ||
    removeChunks.some((other) => other.list === list && other.number === number)
  const added = await mapWithConcurrency(
    appendChunks,
    READS_AT_ONCE,
    async ({ list, count, urls }, n): Promise<KeptChunk> => {
      const chunk = { list, number: head.nextChunk + n, count }
      if (isSmall(urls)) return { ...chunk, inline: toInline(urls) }
      const key = `${KEYS.ledger(siteId)}chunk:${newStamp()}`
      await kv.put(key, urls)
      return { ...chunk, key }
    },
  )
  return {
    kept: [...head.chunks.filter((chunk) => !isGone(chunk)), ...added],
    dropped: head.chunks.filter(isGone).flatMap(({ key }) => key ?? []),
    nextChunk: head.nextChunk + added.length,
  }
}

function withSitemaps(
  before: readonly KnownSitemap[],
  given: readonly KnownSitemap[],
): KnownSitemap[] {
  const byNumber = new Map([...before, ...given].map((sitemap) => [sitemap.number, sitemap]))
  return [...byNumber.values()].toSorted((a, b) => a.number - b.number)
}
