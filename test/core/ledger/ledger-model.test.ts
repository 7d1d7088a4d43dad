import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openLedger, type Ledger } from '../../../src/core/ledger/ledger.ts'
import { packOutcomes } from '../../../src/core/ledger/outcomes.ts'
import { packState } from '../../../src/core/ledger/url-state.ts'
import { ModelLedger, type ModelReading, type ModelRule } from './model.ts'

// Few hashes in few shards, with equal halves and at the very ends: so that rows meet, sort and collide.
const HIGHS = [0, 1, 0x00ff_ffff, 0x0100_0000, 0x7fff_ffff, 0x8000_0000, 0xff00_0000, 0xffff_ffff]
const LOWS = [0, 1, 2, 0x8000_0000, 0xffff_ffff]
const KEYS = HIGHS.flatMap((high) => LOWS.map((low) => `${high}:${low}`))

const hashOf = (key: string) => key.split(':').map(Number) as [number, number]
const bitsOf = (engines: readonly number[]) => engines.reduce((bits, e) => bits | (1 << e), 0)
const enginesIn = (bits: number) =>
  Array.from({ length: 31 }, (_, e) => e).filter((e) => (bits >>> e) & 1)

const key = fc.constantFrom(...KEYS)
const time = fc.integer({ min: 1, max: 60 })
const lastmod = fc.oneof(fc.constant(0), time)
const file = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(65_535))
const someEngines = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 3 })

const rule = fc.record({
  nowSeconds: time,
  ttlSeconds: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constant(Number.POSITIVE_INFINITY)),
  engines: someEngines,
})

const outcomes = fc.record({
  kind: fc.constant('outcomes' as const),
  engine: fc.integer({ min: 0, max: 4 }),
  when: time,
  entries: fc.array(
    fc.record({
      key,
      state: fc.constantFrom('accepted', 'pending', 'failed', 'rejected'),
      statusCode: fc.constantFrom(undefined, 200, 202, 400, 429, 503),
      lastmod,
    }),
    { maxLength: 20 },
  ),
})

const reading = fc.record({
  kind: fc.constant('reading' as const),
  rule,
  baseline: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: someEngines },
  ),
  listed: fc.array(fc.record({ key, lastmod, file }), { maxLength: 60 }),
  seenFiles: fc.uniqueArray(file, { maxLength: 2 }),
  complete: fc.boolean(),
  during: fc.array(outcomes, { maxLength: 2 }),
  /** Before which of the listed it pauses, to go on in another invocation. */
  pausesBefore: fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 3 }),
})

const command = fc.oneof(
  { weight: 4, arbitrary: reading },
  { weight: 4, arbitrary: outcomes },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('engine' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
)

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never
type OutcomesCommand = Extract<Command, { kind: 'outcomes' }>
type ReadingCommand = Extract<Command, { kind: 'reading' }>

/** A store as the product has one: shards, and outcomes not folded in yet. */
class Stored {
  readonly model = new ModelLedger()
  readonly shards = new Map<number, Uint8Array>()
  outcomes: Uint8Array[] = []

  open(): Ledger {
    // A store hands out bytes of its own each time, as a database does.
    const shards = new Map([...this.shards].map(([prefix, bytes]) => [prefix, bytes.slice()]))
    return openLedger({ engines: this.model.engines, shards, outcomes: this.outcomes })
  }

  fold(changed: ReadonlyMap<number, Uint8Array>) {
    for (const [prefix, bytes] of changed) {
      if (bytes.length > 0) this.shards.set(prefix, bytes)
      else this.shards.delete(prefix)
    }
    this.outcomes = []
  }

  /** Engines are numbered per site: what is asked of one that does not exist is asked of one that does. */
  engine(number: number) {
    return number % this.model.engines.length
  }

  engineSet(numbers: readonly number[]) {
    return [...new Set(numbers.map((number) => this.engine(number)))].sort((a, b) => a - b)
  }
}

function runCommand(stored: Stored, command: Command): void {
  switch (command.kind) {
    case 'engine':
      if (stored.model.engines.length < 5)
        stored.model.engines.push(`engine-${stored.model.engines.length}`)
      return
    case 'fold':
      return stored.fold(stored.open().fold())
    case 'outcomes':
      stored.outcomes.push(sendToBoth(stored, command))
      return
    case 'reading':
      return readBoth(stored, command)
  }
}

/** Tells the model; gives the record for the ledger. */
function sendToBoth(
  stored: Stored,
  { engine: number, when, entries }: OutcomesCommand,
): Uint8Array {
  const engine = stored.engine(number)
  stored.model.record(engine, when, entries)
  return packOutcomes({
    engine,
    whenSeconds: when,
    entries: entries.map((entry) => {
      const [high, low] = hashOf(entry.key)
      return {
        high,
        low,
        stateByte: packState(entry.state, entry.statusCode),
        lastmod: entry.lastmod,
      }
    }),
  })
}

function readBoth(stored: Stored, command: ReadingCommand): void {
  const { model } = stored
  const modelReading: ModelReading = {
    ...command,
    rule: { ...command.rule, engines: stored.engineSet(command.rule.engines) },
    baseline: stored.engineSet(command.baseline),
  }
  let ledger = stored.open()
  const settings = { ...bitRule(modelReading.rule), baseline: bitsOf(modelReading.baseline) }
  let packed = ledger.openReading(settings)
  const before = new Map([...model.rows].map(([name, row]) => [name, row.file]))
  const seen = new Set<string>()

  const verdicts = command.listed.map((listed, n) => {
    if (n === 5) for (const outcome of command.during) ledger.record(sendToBoth(stored, outcome))
    if (command.pausesBefore.includes(n)) {
      const { shards, paused } = packed.pause()
      stored.fold(shards)
      ledger = stored.open()
      packed = ledger.openReading({ ...settings, paused })
    }
    const expected = model.judge(listed, seen, modelReading)
    const verdict = packed.judge(...hashOf(listed.key), listed.lastmod, listed.file)
    expect({
      ...verdict,
      due: enginesIn(verdict.due),
      failed: enginesIn(verdict.failed),
    }).toEqual(expected)
    return expected
  })
  for (const number of command.seenFiles) packed.seenFile(number)
  const finished = packed.finish({ complete: command.complete })
  stored.fold(finished.shards)

  const { vanished, ...counts } = model.finish(modelReading, seen, before)
  const pairs = Array.from({ length: finished.vanished.length / 2 }, (_, n) =>
    finished.vanished.slice(n * 2, n * 2 + 2).join(':'),
  )
  expect(pairs.sort()).toEqual(vanished.sort())
  expect({ ...finished.counts, suspiciousDrop: finished.suspiciousDrop }).toMatchObject(counts)
  expect(finished.counts.new).toBe(verdicts.filter(({ isNew }) => isNew).length)
  expect(finished.counts.listed).toBe(seen.size)
  expect(finished.counts.repeated).toBe(command.listed.length - seen.size)
}

const bitRule = (rule: ModelRule) => ({ ...rule, engines: bitsOf(rule.engines) })

function expectSame(stored: Stored): void {
  const ledger = stored.open()
  for (const name of KEYS)
    expect(ledger.lookUp(...hashOf(name)), name).toEqual(stored.model.lookUp(name))
  expect(ledger.count()).toBe(stored.model.rows.size)
  const rule = { nowSeconds: 30, ttlSeconds: 10, engines: stored.engineSet([0, 1, 2, 3, 4]) }
  expect(ledger.dueFiles(bitRule(rule))).toEqual(stored.model.dueFiles(rule))
}

describe('the packed ledger', () => {
  it('does whatever the plain one does', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        const stored = new Stored()
        stored.model.engines.push('engine-0')
        for (const next of commands) {
          runCommand(stored, next)
          expectSame(stored)
        }
      }),
      { numRuns: 300 },
    )
  })
})
