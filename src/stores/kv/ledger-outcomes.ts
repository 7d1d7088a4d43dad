import { hours } from '../../core/duration.ts'
import type { Clock } from '../../core/clock.ts'
import { mapWithConcurrency } from '../../core/concurrency.ts'
import { engineOfOutcomes } from '../../core/ledger/outcomes.ts'
import { BING_ENGINE } from '../ledger-store.ts'
import { KEYS } from './keys.ts'
import { type Kv, READS_AT_ONCE } from './kv.ts'
import { keysOf, type LedgerHead } from './ledger-head.ts'
import { type NewStamp, STAMP, timeOfStamp } from './stamps.ts'

/** What no head names by then was left behind by somebody who was killed before writing one. */
const LEFT_BEHIND_MS = hours(1)

const OUTCOME = new RegExp(`^outcome:(${STAMP})$`)
const PART = new RegExp(`^(?:pack:\\d+|chunk):(${STAMP})$`)

export interface RecordedOutcomes {
  readonly outcomes: readonly Uint8Array[]
  readonly through: number
}

/** What was recorded beside the shards, one key for each batch. */
export interface KvOutcomes {
  record(siteId: string, head: LedgerHead, outcomes: Uint8Array): Promise<void>
  load(siteId: string, head: LedgerHead): Promise<RecordedOutcomes>
  /** The keys of those seen here up to a number. One that nobody here has seen is not among them, whenever it was made. */
  through(siteId: string, number: number): string[]
  /** What a killed slice left behind, as far as the keys were looked at. */
  leftBehind(siteId: string, head: LedgerHead): string[]
  forget(siteId: string): Promise<void>
}

interface Seen {
  /** By key: in the order in which they were first seen here. */
  readonly outcomes: Map<string, number>
  readonly others: Set<string>
  isListed: boolean
}

export function openKvOutcomes(kv: Kv, clock: Clock, newStamp: NewStamp): KvOutcomes {
  const sites = new Map<string, Seen>()
  let last = 0
  const seenOf = (siteId: string) => {
    const known = sites.get(siteId) ?? { outcomes: new Map(), others: new Set(), isListed: false }
    sites.set(siteId, known)
    return known
  }
  /** Once: a list costs as much as a write, and what others add meanwhile is for whoever comes next. */
  const listOnce = async (siteId: string, head: LedgerHead) => {
    const seen = seenOf(siteId)
    if (seen.isListed) return seen
    seen.isListed = true
    for (const prefix of prefixesOf(siteId, head)) {
      for (const key of await kv.keys(prefix)) {
        const tail = key.slice(prefix.length)
        if (PART.test(tail)) seen.others.add(key)
        if (OUTCOME.test(tail) && !seen.outcomes.has(key)) seen.outcomes.set(key, ++last)
      }
    }
    return seen
  }
  return {
    async record(siteId, head, outcomes) {
      const engine = engineOfOutcomes(outcomes)
      const isBing = engine !== undefined && head.engines[engine] === BING_ENGINE
      const prefix = isBing ? KEYS.bingLedger(siteId) : KEYS.ledger(siteId)
      const key = `${prefix}outcome:${newStamp()}`
      await kv.put(key, outcomes)
      seenOf(siteId).outcomes.set(key, ++last)
    },
    async load(siteId, head) {
      const { outcomes } = await listOnce(siteId, head)
      const folded = new Set(head.unused.map(({ key }) => key))
      const waiting = [...outcomes.keys()].filter((key) => !folded.has(key)).toSorted(byTime)
      const found = await mapWithConcurrency(waiting, READS_AT_ONCE, (key) => kv.bytes(key))
      return {
        // One that is listed and not there was folded in and deleted.
        outcomes: found.filter((bytes) => bytes !== undefined),
        through: Math.max(0, ...waiting.map((key) => outcomes.get(key) ?? 0)),
      }
    },
    through: (siteId, number) =>
      [...seenOf(siteId).outcomes].filter(([, at]) => at <= number).map(([key]) => key),
    leftBehind(siteId, head) {
      const needed = new Set([...keysOf(head), ...head.unused.map(({ key }) => key)])
      const latest = clock.now() - LEFT_BEHIND_MS
      return [...seenOf(siteId).others].filter(
        (key) => !needed.has(key) && timeOfStamp(stampOf(key)) < latest,
      )
    },
    async forget(siteId) {
      sites.delete(siteId)
      for (const prefix of [KEYS.ledger(siteId), KEYS.bingLedger(siteId)]) {
        const own = (await kv.keys(prefix)).filter((key) => isOwn(key.slice(prefix.length)))
        await mapWithConcurrency(own, READS_AT_ONCE, (key) => kv.delete(key))
      }
    },
  }
}

/** Bing's keys are looked for only where there may be any. */
function prefixesOf(siteId: string, { engines }: LedgerHead): string[] {
  const all = [KEYS.ledger(siteId)]
  return engines.includes(BING_ENGINE) ? [...all, KEYS.bingLedger(siteId)] : all
}

/** Of a site named `bing` the prefix is also that of every other site's second key. */
function isOwn(tail: string): boolean {
  return PART.test(tail) || OUTCOME.test(tail)
}

const STAMP_LENGTH = 22

const stampOf = (key: string) => key.slice(-STAMP_LENGTH)

function byTime(a: string, b: string): number {
  return stampOf(a) < stampOf(b) ? -1 : 1
}
