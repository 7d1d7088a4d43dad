import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DamagedLedger } from '../../../src/core/ledger/damaged-ledger.ts'
import { openLedger } from '../../../src/core/ledger/ledger.ts'
import { packOutcomes, viewOutcomes } from '../../../src/core/ledger/outcomes.ts'
import { allocateShard, viewShard } from '../../../src/core/ledger/shard-blob.ts'
import { packState, unpackState, URL_STATES } from '../../../src/core/ledger/url-state.ts'

const PREFIX = 0x12
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })

function shardWith(...highs: number[]) {
  const shard = allocateShard(highs.length, 1)
  shard.high.set(highs)
  shard.low.fill(9)
  return shard
}

const view = (bytes: Uint8Array) => viewShard(bytes, { shard: PREFIX, engines: 1 })

describe('a shard at rest', () => {
  it('has its columns where its description says, little-endian', () => {
    const shard = shardWith(0x12345678)
    shard.low[0] = 0x9abcdef0
    shard.lastmod[0] = 1
    shard.when[0] = 2
    shard.file[0] = 0x0304
    shard.state[0] = 5
    expect(Buffer.from(shard.bytes).toString('hex')).toBe(
      [
        '534c4701',
        '01000000',
        '01000000',
        '78563412',
        'f0debc9a',
        '01000000',
        '02000000',
        '0403',
        '05',
      ].join(''),
    )
  })

  it('is used where it lies, and copied only if it lies unaligned', () => {
    const { bytes } = shardWith(0x12000000)
    const room = new Uint8Array(bytes.length + 1)
    room.set(bytes, 1)

    expect(view(bytes).bytes.buffer).toBe(bytes.buffer)
    expect(view(room.subarray(1)).bytes.buffer).not.toBe(room.buffer)
    expect([...view(room.subarray(1)).high]).toEqual([0x12000000])
  })

  it.each<[string, Uint8Array, string]>([
    ['cut short', shardWith(0x12000000).bytes.slice(0, -1), 'do not make 30 bytes'],
    ['cut within the header', shardWith().bytes.slice(0, 7), '7 bytes are no header'],
    ['of a newer version', shardWith().bytes.with(3, 2), 'does not begin as version 1'],
    ['out of order', shardWith(0x12000002, 0x12000001).bytes, 'row 1 is out of order'],
    ['with a URL twice', shardWith(0x12000001, 0x12000001).bytes, 'row 1 is out of order'],
    ['of a lower shard', shardWith(0x11ffffff).bytes, 'of another shard'],
    ['of a higher shard', shardWith(0x13000000).bytes, 'of another shard'],
    [
      'with a state that does not exist',
      shardWith(0x12000000).bytes.with(30, 7),
      'state is unknown',
    ],
    ['with more engines than the site has', allocateShard(0, 2).bytes, 'knows 2 engines'],
  ])('is refused when %s', (_, bytes, reason) => {
    expect(() => view(bytes)).toThrow(DamagedLedger)
    expect(() => view(bytes)).toThrow(reason)
  })

  it('is refused by name of the shard when a ledger is opened', () => {
    const shards = new Map([[PREFIX, new Uint8Array(5)]])
    expect(() => openLedger({ engines: ['a'], shards, outcomes: [] })).toThrow('shard 18')
  })
})

describe('outcomes', () => {
  const entry = fc.record(
    {
      high: u32,
      low: u32,
      lastmod: u32,
      stateByte: fc.constantFrom(...URL_STATES).map((s) => packState(s, 200)),
    },
    { requiredKeys: ['high', 'low', 'stateByte'] },
  )

  it('come back as they were packed', () => {
    fc.assert(
      fc.property(fc.nat(30), u32, fc.array(entry), (engine, whenSeconds, entries) => {
        const { high, low, lastmod, state, ...head } = viewOutcomes(
          packOutcomes({ engine, whenSeconds, entries }),
        )

        expect(head).toEqual({ engine, whenSeconds, count: entries.length })
        expect([...high]).toEqual(entries.map((e) => e.high))
        expect([...low]).toEqual(entries.map((e) => e.low))
        expect([...lastmod]).toEqual(entries.map((e) => e.lastmod ?? 0))
        expect([...state]).toEqual(entries.map((e) => e.stateByte))
      }),
    )
  })

  const one = packOutcomes({
    engine: 0,
    whenSeconds: 1,
    entries: [{ high: 1, low: 2, stateByte: 1 }],
  })

  it.each<[string, Uint8Array, string]>([
    ['cut short', one.slice(0, -1), 'do not make 28 bytes'],
    ['cut within the header', one.slice(0, 3), '3 bytes are no header'],
    ['of a newer version', one.with(3, 9), 'do not begin as version 1'],
    ['of an unknown state', one.with(28, 7), 'state is unknown'],
  ])('are refused when %s', (_, bytes, reason) => {
    expect(() => viewOutcomes(bytes)).toThrow(DamagedLedger)
    expect(() => viewOutcomes(bytes)).toThrow(reason)
  })
})

describe('a state and its status code', () => {
  const wellKnown = [200, 202, 400, 401, 403, 404, 422, 429, 500, 502, 503, 504]

  it.each(URL_STATES)('fit in a byte: %s', (state) => {
    for (const statusCode of [undefined, ...wellKnown]) {
      const byte = packState(state, statusCode)
      expect(byte).toBeLessThanOrEqual(255)
      expect(unpackState(byte)).toEqual({ state, statusCode })
    }
  })

  it('keep the class of a code that has no place of its own', () => {
    const codes = [204, 308, 418, 599, 101, 999]
    const kept = codes.map((code) => unpackState(packState('failed', code)).statusCode)
    expect(kept).toEqual([200, 300, 400, 500, undefined, undefined])
  })

  it('are the numbers that are stored already', () => {
    expect(packState('unsent')).toBe(0)
    const stored = URL_STATES.map((state) => packState(state, 200))
    expect(stored).toEqual([8, 9, 10, 11, 12, 13, 14])
    expect([202, 429, 503].map((code) => packState('failed', code))).toEqual([19, 155, 203])
  })
})
