import { describe, expect, it } from 'vitest'
import { days, seconds } from '../../../src/core/duration.ts'
import { DamagedLedger } from '../../../src/core/ledger/damaged-ledger.ts'
import { openLedger, type Ledger, type LedgerBytes } from '../../../src/core/ledger/ledger.ts'
import { ledgerSeconds } from '../../../src/core/ledger/ledger-seconds.ts'
import { packOutcomes } from '../../../src/core/ledger/outcomes.ts'
import { packState, type UrlState } from '../../../src/core/ledger/url-state.ts'
import { hashUrl } from '../../../src/core/url-hash.ts'
import { scenario } from '../../support/scenario.ts'

const TTL = days(30) / seconds(1)
const NOON = at('2025-01-15T12:00:00Z')
const INDEXNOW = 0b01
const BING = 0b10
const BOTH = INDEXNOW | BING

function at(instant: string): number {
  return ledgerSeconds(Date.parse(instant))
}

function open({ shards = new Map(), ...bytes }: Partial<LedgerBytes> = {}): Ledger {
  const copies = new Map([...shards].map(([prefix, shard]) => [prefix, shard.slice()]))
  return openLedger({ engines: ['indexnow', 'bing'], outcomes: [], ...bytes, shards: copies })
}

function hashOf(url: string): [number, number] {
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

function outcome(url: string, state: UrlState, { engine = 0, when = NOON, ...sent }: Sent = {}) {
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
function read(ledger: Ledger, urls: readonly string[], walk: Walk = {}) {
  const { now = NOON, engines = BOTH, complete = true, lastmod = 0, ...rest } = walk
  const reading = ledger.openReading({ nowSeconds: now, ttlSeconds: TTL, engines, ...rest })
  const verdicts = urls.map((url) => ({ ...reading.judge(...hashOf(url), lastmod, 1) }))
  return { verdicts, due: verdicts.map(({ due }) => due), ...reading.finish({ complete }) }
}

const stateOf = (ledger: Ledger, url: string) =>
  ledger.lookUp(...hashOf(url))?.engines.map(({ state }) => state)

describe('judging', () => {
  scenario('S06', 'a URL twice in one reading is due once', () => {
    const ledger = open()

    const { verdicts, counts } = read(ledger, ['/a', '/b', '/a'])

    expect(verdicts.map(({ repeated }) => repeated)).toEqual([false, false, true])
    expect(verdicts.map(({ due }) => due)).toEqual([BOTH, BOTH, 0])
    expect(counts).toMatchObject({ listed: 2, repeated: 1, new: 2 })
    expect(read(ledger, ['/a', '/a']).due).toEqual([BOTH, 0])
  })

  scenario(
    'S07',
    'files that list a URL which is due must be read, the others may be skipped',
    () => {
      const ledger = open()
      const reading = ledger.openReading({ nowSeconds: NOON, ttlSeconds: TTL, engines: INDEXNOW })
      reading.judge(...hashOf('/sent'), 0, 1)
      reading.judge(...hashOf('/failed'), 0, 2)
      reading.finish({ complete: true })

      ledger.record(outcome('/sent', 'accepted'))
      ledger.record(outcome('/failed', 'failed'))

      const rule = { nowSeconds: NOON, ttlSeconds: TTL, engines: INDEXNOW }
      expect(ledger.dueFiles(rule)).toEqual(new Set([2]))
      expect(ledger.dueFiles({ ...rule, nowSeconds: NOON + TTL })).toEqual(new Set([1, 2]))
      expect(ledger.dueFiles({ ...rule, engines: BOTH })).toEqual(new Set([1, 2]))
    },
  )

  scenario('S07', 'the URLs of a skipped file count as seen', () => {
    const ledger = open()
    read(ledger, ['/a', '/b'])

    const reading = ledger.openReading({ nowSeconds: NOON, ttlSeconds: TTL, engines: BOTH })
    reading.seenFile(1)
    const { counts, vanished, suspiciousDrop } = reading.finish({ complete: true })

    expect(counts).toMatchObject({ known: 2, skipped: 2, missing: 0, listed: 0 })
    expect([vanished.length, suspiciousDrop]).toEqual([0, false])
  })

  scenario('S10', 'an accepted URL is not due for 30 days, to the second', () => {
    const ledger = open({ outcomes: [outcome('/a', 'accepted'), outcome('/b', 'pending')] })

    const lastSecond = read(ledger, ['/a', '/b'], { now: NOON + TTL - 1, engines: INDEXNOW })
    const then = read(ledger, ['/a', '/b'], { now: NOON + TTL, engines: INDEXNOW })

    expect(lastSecond.due).toEqual([0, 0])
    expect(then.due).toEqual([INDEXNOW, INDEXNOW])
  })

  scenario('S10', 'a newer lastmod makes it due at once, an older or none does not', () => {
    const sent = at('2025-01-10T08:00:00Z')
    const ledger = open({ outcomes: [outcome('/a', 'accepted', { lastmod: sent })] })
    const readWith = (lastmod: number) => read(ledger, ['/a'], { engines: INDEXNOW, lastmod })

    expect(readWith(sent).due).toEqual([0])
    expect(readWith(sent - 1).due).toEqual([0])
    expect(readWith(0).due).toEqual([0])
    const newer = readWith(sent + 1)

    expect(newer.due).toEqual([INDEXNOW])
    expect(newer.counts.changed).toBe(1)
    expect(ledger.lookUp(...hashOf('/a'))?.lastmodSeconds).toBe(sent + 1)
  })

  scenario('S10', 'a change that was read but not sent is still due after the run has died', () => {
    const before = open({ outcomes: [outcome('/a', 'accepted', { lastmod: NOON - 100 })] })
    const { shards } = read(before, ['/a'], { lastmod: NOON - 50 })

    const after = open({ shards })

    expect(stateOf(after, '/a')).toEqual(['changed', 'unsent'])
    expect(read(after, ['/a'], { lastmod: NOON - 50, engines: INDEXNOW }).due).toEqual([INDEXNOW])
  })

  scenario(
    'S10',
    'a URL sent without a lastmod is due again only if the page changed after that',
    () => {
      const hooked = () => open({ outcomes: [outcome('/post', 'accepted')] })

      expect(read(hooked(), ['/post'], { lastmod: NOON - 60, engines: INDEXNOW }).due).toEqual([0])
      expect(read(hooked(), ['/post'], { lastmod: NOON + 60, engines: INDEXNOW }).due).toEqual([
        INDEXNOW,
      ])
    },
  )

  scenario('S10', 'what was accepted while a newer lastmod came in stays due', () => {
    const ledger = open({ outcomes: [outcome('/a', 'accepted', { lastmod: NOON - 100 })] })
    read(ledger, ['/a'], { lastmod: NOON })

    ledger.record(outcome('/a', 'accepted', { lastmod: NOON - 100, when: NOON + 5 }))

    expect(stateOf(ledger, '/a')).toEqual(['changed', 'unsent'])
  })

  scenario(
    'S11',
    'each engine has a state of its own, and a failed URL is not remembered as sent',
    () => {
      const ledger = open({
        outcomes: [outcome('/a', 'accepted'), outcome('/a', 'failed', { engine: 1 })],
      })

      expect(read(ledger, ['/a']).due).toEqual([BING])
      expect(read(ledger, ['/a'], { engines: INDEXNOW }).due).toEqual([0])
    },
  )

  scenario('S11', 'a refused URL is not sent again until its lastmod changes', () => {
    const ledger = open({
      outcomes: [outcome('/a', 'rejected', { lastmod: NOON, statusCode: 422 })],
    })

    expect(read(ledger, ['/a'], { engines: INDEXNOW, now: NOON + 9 * TTL }).due).toEqual([0])
    expect(read(ledger, ['/a'], { engines: INDEXNOW, lastmod: NOON + 1 }).due).toEqual([INDEXNOW])
  })

  scenario('S12', 'those that failed are told apart, to go first', () => {
    const ledger = open({ outcomes: [outcome('/a', 'failed', { engine: 1 })] })

    const { verdicts } = read(ledger, ['/a', '/b'])

    expect(verdicts.map(({ due, failed }) => [due, failed])).toEqual([
      [BOTH, BING],
      [BOTH, 0],
    ])
  })
})

describe('a reading', () => {
  const settings = { nowSeconds: NOON, ttlSeconds: TTL, engines: INDEXNOW }

  it('that was abandoned leaves no URL behind as seen', () => {
    const ledger = open()
    ledger.openReading(settings).judge(...hashOf('/a'), 0, 1)

    expect(read(ledger, ['/a']).verdicts).toMatchObject([
      { repeated: false, isNew: false, due: BOTH },
    ])
  })

  it('takes into account what is recorded while it goes on', () => {
    const ledger = open({ outcomes: [outcome('/a', 'accepted'), outcome('/b', 'failed')] })
    ledger.fold()
    const reading = ledger.openReading(settings)
    ledger.record(outcome('/a', 'failed'))
    ledger.record(outcome('/b', 'accepted'))

    expect(reading.judge(...hashOf('/a'), 0, 0)).toMatchObject({ due: INDEXNOW, failed: INDEXNOW })
    expect(reading.judge(...hashOf('/b'), 0, 0)).toMatchObject({ due: 0, failed: 0 })
  })
})

describe('what vanished', () => {
  const ten = Array.from({ length: 10 }, (_, n) => `/${n}`)

  function known(): Ledger {
    const ledger = open()
    read(ledger, ten)
    return ledger
  }

  scenario('S13', 'URLs that a complete reading no longer lists are found and forgotten', () => {
    const ledger = known()

    const { vanished, suspiciousDrop, counts } = read(ledger, ten.slice(0, 8))

    const gone = ['/8', '/9'].map(hashOf).sort(([a], [b]) => a - b)
    expect([...vanished]).toEqual(gone.flat())
    expect(suspiciousDrop).toBe(false)
    expect(counts).toMatchObject({ known: 10, missing: 2 })
    expect([ledger.count(), stateOf(ledger, '/9')]).toEqual([8, undefined])
  })

  scenario('S13', 'an incomplete reading forgets nothing', () => {
    const ledger = known()

    const { vanished, suspiciousDrop, counts } = read(ledger, ['/0'], { complete: false })

    expect([vanished.length, suspiciousDrop, ledger.count()]).toEqual([0, false, 10])
    expect(counts.missing).toBe(9)
  })

  scenario('S13', 'a drop of half is believed, of more than half it is not', () => {
    const [half, more] = [known(), known()]

    const believed = read(half, ten.slice(0, 5))
    const doubted = read(more, ten.slice(0, 4))

    expect([believed.vanished.length / 2, believed.suspiciousDrop, half.count()]).toEqual([
      5,
      false,
      5,
    ])
    expect([doubted.vanished.length / 2, doubted.suspiciousDrop, more.count()]).toEqual([
      0,
      true,
      10,
    ])
  })

  scenario('S07', 'a file stays to be read while what it lost is not forgotten', () => {
    const [broken, doubted, believed] = [known(), known(), known()]

    const files = [
      read(broken, ten.slice(0, 9), { complete: false }),
      read(doubted, ten.slice(0, 4)),
      read(believed, ten.slice(0, 9)),
    ].map(({ stillMissingFrom }) => [...stillMissingFrom])

    expect(files).toEqual([[1], [1], []])
  })

  scenario('S13', 'a URL that no sitemap ever listed does not vanish', () => {
    const ledger = known()
    ledger.record(outcome('/posted', 'accepted'))

    const { vanished } = read(ledger, ten)

    expect(vanished.length).toBe(0)
    expect(stateOf(ledger, '/posted')).toEqual(['accepted', 'unsent'])
  })

  it('empties a shard that has no URLs left', () => {
    const ledger = known()
    const { shards } = read(ledger, ten.slice(1))
    expect(shards.get(hashOf('/0')[0] >>> 24)).toEqual(new Uint8Array(0))
  })
})

describe('a first run', () => {
  scenario('S14', 'as baseline it remembers everything and submits nothing', () => {
    const ledger = open()

    const first = read(ledger, ['/a', '/b'], { baseline: BOTH, lastmod: NOON - 100 })
    const second = read(ledger, ['/a', '/b', '/c'], { lastmod: NOON - 100, now: NOON + 9 * TTL })

    expect(first.due).toEqual([0, 0])
    expect(first.counts.new).toBe(2)
    expect(second.due).toEqual([0, 0, BOTH])
    expect(read(ledger, ['/a'], { lastmod: NOON, complete: false }).due).toEqual([BOTH])
  })

  scenario('S14', 'for one engine it leaves the others alone', () => {
    const ledger = open({ outcomes: [outcome('/sent', 'accepted')] })

    const { due } = read(ledger, ['/sent', '/new'], { baseline: BING })

    expect(due).toEqual([0, INDEXNOW])
    expect(stateOf(ledger, '/sent')).toEqual(['accepted', 'baseline'])
  })
})

scenario('S14', 'an engine that is added as baseline gets nothing of what is known', () => {
  const ledger = open({ outcomes: [outcome('/a', 'accepted')] })
  const { shards } = read(ledger, ['/a'], { engines: INDEXNOW })

  const later = open({ shards })
  read(later, ['/a'], { engines: INDEXNOW, baseline: BING })

  expect(stateOf(later, '/a')).toEqual(['accepted', 'baseline'])
})

describe('what is stored', () => {
  const urls = Array.from({ length: 3_000 }, (_, n) => `/page-${n}`)

  it('is 19 bytes a URL with one engine', () => {
    const { shards } = read(open({ engines: ['indexnow'] }), urls, { engines: INDEXNOW })
    const bytes = [...shards.values()].reduce((sum, shard) => sum + shard.length, 0)
    expect(bytes).toBe(3_000 * 19 + 256 * 12)
  })

  it('is written again only where it changed', () => {
    const { shards } = read(open(), urls)

    const untouched = read(open({ shards }), urls)
    const ledger = open({ shards })
    ledger.record(outcome('/page-7', 'accepted'))

    expect(untouched.shards.size).toBe(0)
    expect([...ledger.fold().keys()]).toEqual([hashOf('/page-7')[0] >>> 24])
    expect(ledger.fold().size).toBe(0)
  })

  it('is not rewritten when an engine is added: it reads as unsent there', () => {
    const first = open({ engines: ['indexnow'], outcomes: [outcome('/a', 'accepted')] })
    const shards = first.fold()

    const ledger = open({ shards })

    expect(ledger.fold().size).toBe(0)
    expect(stateOf(ledger, '/a')).toEqual(['accepted', 'unsent'])
    ledger.record(outcome('/a', 'failed', { engine: 1 }))
    expect(stateOf(open({ shards: ledger.fold() }), '/a')).toEqual(['accepted', 'failed'])
  })

  scenario('R08', 'tells what happened to a URL at each engine, when and with which result', () => {
    const ledger = open({
      outcomes: [outcome('/a', 'pending', { statusCode: 202, lastmod: NOON - 100 })],
    })

    expect(ledger.lookUp(...hashOf('/a'))).toEqual({
      lastmodSeconds: NOON - 100,
      file: 0,
      engines: [
        { engine: 'indexnow', state: 'pending', statusCode: 202, whenSeconds: NOON },
        { engine: 'bing', state: 'unsent', statusCode: undefined, whenSeconds: undefined },
      ],
    })
    expect(ledger.lookUp(...hashOf('/never'))).toBeUndefined()
  })

  it('does not change once it was given away, though the ledger goes on', () => {
    const ledger = open()
    const { shards } = read(ledger, urls)
    const held = [...shards.values()].map((bytes) => bytes.slice())

    for (const url of urls) ledger.record(outcome(url, 'accepted'))
    read(ledger, urls, { lastmod: NOON + 1 })

    expect([...shards.values()]).toEqual(held)
    expect(stateOf(ledger, '/page-1')).toEqual(['changed', 'unsent'])
  })

  it('is the same whether outcomes are recorded one by one or replayed', () => {
    const journal = urls.map((url, n) =>
      outcome(url, n % 3 ? 'accepted' : 'failed', { engine: n % 2, when: NOON + n, lastmod: n }),
    )
    const { shards } = read(open(), urls.slice(0, 2_000))
    const live = open({ shards })
    for (const record of journal) live.record(record)

    expect(open({ shards, outcomes: journal }).fold()).toEqual(live.fold())
  })

  it('may lie anywhere in memory', () => {
    const { shards } = read(open(), urls)
    const unaligned = (bytes: Uint8Array) => {
      const room = new Uint8Array(bytes.length + 3)
      room.set(bytes, 3)
      return room.subarray(3)
    }
    const moved = new Map([...shards].map(([prefix, bytes]) => [prefix, unaligned(bytes)]))
    const outcomes = [unaligned(outcome('/page-1', 'accepted'))]

    const ledger = openLedger({ engines: ['indexnow', 'bing'], shards: moved, outcomes })

    expect(ledger.count()).toBe(3_000)
    expect(stateOf(ledger, '/page-1')).toEqual(['accepted', 'unsent'])
    expect(read(ledger, urls, { engines: BING }).counts).toMatchObject({ known: 3_000, new: 0 })
  })
})

it('remembers many URLs that no sitemap listed, each with its own state', () => {
  const many = Array.from({ length: 40_000 }, (_, n) => `/posted-${n}`)
  const entries = many.map((url, n) => {
    const [high, low] = hashOf(url)
    return { high, low, stateByte: packState(n % 2 ? 'accepted' : 'failed'), lastmod: n + 1 }
  })
  const ledger = open({ outcomes: [packOutcomes({ engine: 1, whenSeconds: NOON, entries })] })

  const states = many.map((url) => stateOf(ledger, url)?.[1])

  expect(ledger.count()).toBe(40_000)
  expect(states).toEqual(many.map((_, n) => (n % 2 ? 'accepted' : 'failed')))
  const folded = open({ shards: ledger.fold() })
  expect(many.map((url) => folded.lookUp(...hashOf(url))?.lastmodSeconds)).toEqual(
    many.map((_, n) => n + 1),
  )
})

describe('misuse', () => {
  it('is refused: a reading that is over, a fold in the middle, a 32nd engine', () => {
    const settings = { nowSeconds: NOON, ttlSeconds: TTL, engines: BOTH }
    const ledger = open()
    const abandoned = ledger.openReading(settings)
    const reading = ledger.openReading(settings)

    expect(() => abandoned.judge(1, 2, 3, 4)).toThrow('over')
    expect(() => ledger.fold()).toThrow('under way')
    reading.finish({ complete: true })
    expect(() => reading.finish({ complete: true })).toThrow('over')
    expect(() => open({ engines: Array.from({ length: 32 }, String) })).toThrow(RangeError)
  })

  it('is refused: outcomes of an engine that the site does not have', () => {
    expect(() => open({ outcomes: [outcome('/a', 'accepted', { engine: 2 })] })).toThrow(
      DamagedLedger,
    )
  })
})

it('keeps times as whole seconds, and those it cannot keep as none', () => {
  const times = [1_999, undefined, -5_000, Number.NaN, 2 ** 32 * 1_000, (2 ** 32 - 1) * 1_000]
  expect(times.map((time) => ledgerSeconds(time))).toEqual([1, 0, 0, 0, 0, 2 ** 32 - 1])
})
