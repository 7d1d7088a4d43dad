import { describe, expect, it } from 'vitest'
import { DamagedLedger } from '../../../src/core/ledger/damaged-ledger.ts'
import { openLedger } from '../../../src/core/ledger/ledger.ts'
import { ledgerSeconds } from '../../../src/core/ledger/ledger-seconds.ts'
import { packOutcomes } from '../../../src/core/ledger/outcomes.ts'
import { packState } from '../../../src/core/ledger/url-state.ts'
import { scenario } from '../../support/scenario.ts'
import {
  BING,
  BOTH,
  hashOf,
  INDEXNOW,
  NOON,
  open,
  outcome,
  read,
  stateOf,
  TTL,
} from './example-ledger.ts'

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
