import { days, seconds } from '../../../src/core/duration.ts'
import { openLedger, type Ledger, type LedgerBytes } from '../../../src/core/ledger/ledger.ts'
import { ledgerSeconds } from '../../../src/core/ledger/ledger-seconds.ts'
import { packOutcomes } from '../../../src/core/ledger/outcomes.ts'
import { packState, type UrlState } from '../../../src/core/ledger/url-state.ts'
import { hashUrl } from '../../../src/core/url-hash.ts'

export const TTL = days(30) / seconds(1)
export const NOON = at('2025-01-15T12:00:00Z')
export const INDEXNOW = 0b01
export const BING = 0b10
export const BOTH = INDEXNOW | BING

export function at(instant: string): number {
  return ledgerSeconds(Date.parse(instant))
}

export function open({ shards = new Map(), ...bytes }: Partial<LedgerBytes> = {}): Ledger {
  const copies = new Map([...shards].map(([prefix, shard]) => [prefix, shard.slice()]))
  return openLedger({ engines: ['indexnow', 'bing'], outcomes: [], ...bytes, shards: copies })
}

export function hashOf(url: string): [number, number] {
  const halves = new Uint32Array(2)
  hashUrl(`https://example.com${url}`, halves)
  return [...halves] as [number, number]
}

interface Sent {
  readonly engine?: number
  readonly when?: number
  readonly lastmod?: number
  readonly statusCode?: number
}

export function outcome(
  url: string,
  state: UrlState,
  { engine = 0, when = NOON, ...sent }: Sent = {},
) {
  const [high, low] = hashOf(url)
  const stateByte = packState(state, sent.statusCode)
  const entry =
    sent.lastmod === undefined
      ? { high, low, stateByte }
      : { high, low, stateByte, lastmod: sent.lastmod }
  return packOutcomes({ engine, whenSeconds: when, entries: [entry] })
}

interface Walk {
  readonly now?: number
  readonly engines?: number
  readonly baseline?: number
  readonly complete?: boolean
  readonly lastmod?: number
}

/** Reads a sitemap of these URLs, all in file 1. */
export function read(ledger: Ledger, urls: readonly string[], walk: Walk = {}) {
  const { now = NOON, engines = BOTH, complete = true, lastmod = 0, ...rest } = walk
  const reading = ledger.openReading({ nowSeconds: now, ttlSeconds: TTL, engines, ...rest })
  const verdicts = urls.map((url) => ({ ...reading.judge(...hashOf(url), lastmod, 1) }))
  return { verdicts, due: verdicts.map(({ due }) => due), ...reading.finish({ complete }) }
}

export const stateOf = (ledger: Ledger, url: string) =>
  ledger.lookUp(...hashOf(url))?.engines.map(({ state }) => state)
