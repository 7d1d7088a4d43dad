import { describe, expect } from 'vitest'
import { scenario } from '../../support/scenario.ts'
import {
  at,
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
