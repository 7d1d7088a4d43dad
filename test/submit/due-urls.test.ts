import { describe, expect, it } from 'vitest'
import { dropDueUrls, dueAtEngine, type DueUrls, openDueUrls } from '../../src/submit/due-urls.ts'
import { openSiteLedger, RunReplaced, type SiteLedger } from '../../src/submit/site-ledger.ts'
import { begin } from '../contracts/backend.ts'
import { scenario } from '../support/scenario.ts'
import { sqliteBackend } from '../support/sqlite-backend.ts'

const SITE = 'example.com'

async function beginLedger() {
  const { stores } = await begin(sqliteBackend)
  const ofRun = (fence: number) => openSiteLedger(stores.ledger, SITE, fence)
  return { ledger: ofRun(1), ofRun }
}

/** The end of a reading: what is still in memory goes into the store. */
async function finish(ledger: SiteLedger, due: DueUrls) {
  await ledger.write({ appendChunks: await due.rest() })
}

async function sentTo(ledger: SiteLedger, engine: number) {
  const { total, urls } = await dueAtEngine(ledger, engine)
  const sent: string[] = []
  for await (const chunk of urls) sent.push(...chunk)
  expect(sent).toHaveLength(total)
  return sent
}

const page = (n: number) => `https://example.com/${n}`

describe('the URLs that are due', () => {
  scenario(
    'S11',
    'each engine gets those that are due there, in the order they were read',
    async () => {
      const { ledger } = await beginLedger()
      const due = await openDueUrls(ledger)
      due.add('at both', 0b11, 0)
      due.add('at the first', 0b01, 0)
      due.add('at both, too', 0b11, 0)
      due.add('at the last there can be', 1 << 30, 0)
      await finish(ledger, due)

      expect(await sentTo(ledger, 0)).toEqual(['at both', 'at both, too', 'at the first'])
      expect(await sentTo(ledger, 1)).toEqual(['at both', 'at both, too'])
      expect(await sentTo(ledger, 2)).toEqual([])
      expect(await sentTo(ledger, 30)).toEqual(['at the last there can be'])
    },
  )

  scenario('S12', 'those that failed at an engine go first there, and only there', async () => {
    const { ledger } = await beginLedger()
    const due = await openDueUrls(ledger)
    due.add('new', 0b11, 0)
    due.add('failed at the second', 0b11, 0b10)
    due.add('failed at both', 0b11, 0b11)
    await finish(ledger, due)

    expect(await sentTo(ledger, 0)).toEqual(['failed at both', 'new', 'failed at the second'])
    expect(await sentTo(ledger, 1)).toEqual(['failed at the second', 'failed at both', 'new'])
  })

  scenario('S01', 'full chunks leave the memory, and nothing is lost or moved', async () => {
    const { ledger } = await beginLedger()
    const due = await openDueUrls(ledger)
    for (let n = 0; n < 25_000; n++) due.add(page(n), 1, 0)
    due.add('elsewhere', 2, 0)

    await due.spill()
    const rest = await due.rest()
    const spilt = await ledger.chunks()
    await finish(ledger, due)

    expect(spilt.map(({ count }) => count)).toEqual([10_000, 10_000])
    expect(rest.map(({ list, count }) => [list, count])).toEqual([
      ['due:1:0', 5_000],
      ['due:2:0', 1],
    ])
    expect(await sentTo(ledger, 0)).toEqual(Array.from({ length: 25_000 }, (_, n) => page(n)))
  })

  it('leave nothing behind when they fill their chunks', async () => {
    const { ledger } = await beginLedger()
    const due = await openDueUrls(ledger)
    for (let n = 0; n < 10_000; n++) due.add(page(n), 1, 0)

    await due.spill()

    expect(await due.rest()).toEqual([])
  })

  it('are read chunk by chunk, not all at once', async () => {
    const { ledger } = await beginLedger()
    const due = await openDueUrls(ledger)
    for (let n = 0; n < 30_000; n++) due.add(page(n), 1, 0)
    await due.spill()
    await due.rest()
    let read = 0
    const counting: SiteLedger = {
      ...ledger,
      readChunk: (chunk) => {
        read++
        return ledger.readChunk(chunk)
      },
    }

    const { total, urls } = await dueAtEngine(counting, 0)
    for await (const chunk of urls) {
      expect(chunk).toHaveLength(10_000)
      break
    }

    expect(total).toBe(30_000)
    expect(read).toBe(1)
  })

  it('of an earlier run are dropped before the next makes its own', async () => {
    const { ledger, ofRun } = await beginLedger()
    const first = await openDueUrls(ledger)
    first.add('from the first run', 1, 1)
    await finish(ledger, first)

    const next = await openDueUrls(ofRun(2))
    next.add('from the next', 1, 0)
    await finish(ofRun(2), next)

    expect(await sentTo(ledger, 0)).toEqual(['from the next'])
  })

  it('are dropped alone: other lists stay', async () => {
    const { ledger } = await beginLedger()
    const due = await openDueUrls(ledger)
    due.add('a', 1, 0)
    due.add('b', 3, 1)
    await finish(ledger, due)
    await ledger.write({ appendChunks: [{ list: 'vanished', count: 1, urls: new Uint8Array(1) }] })

    await dropDueUrls(ledger)
    await dropDueUrls(ledger)

    expect((await ledger.chunks()).map(({ list }) => list)).toEqual(['vanished'])
  })

  scenario('R03', 'that could not be written stop the reading at the next chunk', async () => {
    const { ledger, ofRun } = await beginLedger()
    const late = await openDueUrls(ledger)
    for (let n = 0; n < 10_000; n++) late.add(page(n), 1, 0)
    await ofRun(2).write({})
    await late.spill()

    for (let n = 0; n < 10_000; n++) late.add(page(n), 1, 0)

    await expect(late.spill()).rejects.toThrow(RunReplaced)
  })

  scenario('R03', 'of a run that was replaced are refused', async () => {
    const { ledger, ofRun } = await beginLedger()
    const late = await openDueUrls(ledger)
    for (let n = 0; n < 10_000; n++) late.add(page(n), 1, 0)
    const newer = await openDueUrls(ofRun(2))
    newer.add('new', 1, 0)
    await finish(ofRun(2), newer)

    await late.spill()

    await expect(late.rest()).rejects.toThrow(RunReplaced)
    expect(await sentTo(ofRun(2), 0)).toEqual(['new'])
  })
})
