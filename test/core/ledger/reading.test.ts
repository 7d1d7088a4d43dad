import { describe, expect, it } from 'vitest'
import type { Ledger } from '../../../src/core/ledger/ledger.ts'
import { scenario } from '../../support/scenario.ts'
import {
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
