import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgresStores } from '../../src/stores/postgres/open.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import type { Candidate } from '../../src/stores/candidate-store.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { createTestDatabase } from '../support/postgres-database.ts'
import { scenario } from '../support/scenario.ts'

const origin = { requestId: 'req-1' }
const CALLERS = 8
const RECORDS = 1_600
const NOTES = Array.from({ length: RECORDS }, (_, n) => `n${n}`)
/** Every so many batches, an execution ends while it holds one. */
const BATCHES_OF_A_LIFE = 7

/** Two servers with connections of their own, and one more that only looks. */
async function openServers() {
  const { url, drop } = await createTestDatabase()
  const open = () => openPostgresStores({ url: new Secret(url), clock: systemClock })
  const [one, other] = [await open(), await open()]
  const close = async () => {
    await Promise.all([one.close(), other.close()])
  }
  onTestFinished(async () => {
    await close()
    await drop()
  })
  await one.candidates.add(
    NOTES.map((noteId) => ({ platform: 'page', noteId, noteUrl: `https://notes.example/` })),
    origin,
  )
  return { servers: [one, other] as const, close, url }
}

/**
 * Claims until nothing is pending, and tells what it created. Whatever it does with a batch it does on both servers at
 * once, in opposite orders: one of them must find it done.
 */
async function call(caller: number, [one, other]: readonly [Stores, Stores]): Promise<string[]> {
  const created: string[] = []
  for (let life = 0; ; life++) {
    const executionId = `exec-${caller}-${life}`
    const ask = { workflowName: `workflow-${caller}`, executionId, timeoutMs: minutes(30) }
    await one.executions.acquire(ask, origin)
    for (let batch = 1; ; batch++) {
      const claimed = await one.candidates.claim(executionId, 10, origin)
      if (!claimed.ok) throw new Error('lock lost')
      if (claimed.value.length === 0) return created
      if (batch === BATCHES_OF_A_LIFE) {
        await endWith(claimed.value, executionId, one, other)
        break
      }
      created.push(...(await finishBatch(claimed.value, executionId, one, other)))
    }
  }
}

/** Every fifth fails at its first attempt; all others are completed. */
async function finishBatch(
  claimed: readonly Candidate[],
  executionId: string,
  one: Stores,
  other: Stores,
): Promise<string[]> {
  const isFailing = ({ noteId, retryCount }: Candidate) =>
    Number(noteId.slice(1)) % 5 === 0 && retryCount === 0
  const notes = claimed.filter((candidate) => !isFailing(candidate)).map(collected)
  const failing = claimed
    .filter(isFailing)
    .map(({ platform, noteId }) => ({ platform, noteId, errorCode: 'PLATFORM_ERROR' }))
  const [first, second] = await Promise.all([
    one.candidates.complete(executionId, notes, origin),
    other.candidates.complete(executionId, notes.toReversed(), origin),
    one.candidates.fail(executionId, failing, origin),
    other.candidates.fail(executionId, failing.toReversed(), origin),
  ])
  if (!first.ok || !second.ok) throw new Error('lock lost')
  const answers = [...first.value, ...second.value]
  expect(answers.map(({ action }) => action)).not.toContain('not-held')
  return answers.flatMap(({ noteId, action }) => (action === 'created' ? [noteId] : []))
}

/** The batch goes back to those that wait; who comes late with it is refused. */
async function endWith(
  claimed: readonly Candidate[],
  executionId: string,
  one: Stores,
  other: Stores,
): Promise<void> {
  await other.executions.finish(executionId, 'completed', origin)
  const late = await one.candidates.complete(executionId, claimed.map(collected), origin)
  expect(late).toEqual({ ok: false, failure: { kind: 'lock-lost', executionId } })
}

const collected = ({ platform, noteId }: Candidate) => ({ platform, noteId, note: { noteId } })

scenario(
  'C04',
  'two servers do the same work at once, in opposite orders: each record once, and no deadlock',
  async () => {
    const { servers, close, url } = await openServers()
    const [one, other] = servers
    let isWorking = true

    const working = Promise.all(
      Array.from({ length: CALLERS }, (_, caller) =>
        call(caller, caller % 2 === 0 ? [one, other] : [other, one]),
      ),
    ).finally(() => {
      isWorking = false
    })
    while (isWorking) await other.candidates.recover(minutes(30), origin)
    const created = (await working).flat()

    expect(created.toSorted()).toEqual(NOTES.toSorted())
    expect(await one.candidates.count()).toEqual({
      pending: 0,
      processing: 0,
      collected: RECORDS,
      failed: 0,
    })
    const sources = await one.sources.since(0, RECORDS + 1)
    expect(sources.map(({ noteId }) => noteId).toSorted()).toEqual(NOTES.toSorted())
    const told = await one.outbox.page(10 * RECORDS)
    const ofSources = told.filter(({ table }) => table === 'tbl_source')
    const ofCollected = told.filter(
      ({ table, fields }) => table === 'tbl_candidate' && fields['status'] === 'collected',
    )
    for (const entries of [ofSources, ofCollected]) {
      expect(entries).toHaveLength(RECORDS)
      expect(new Set(entries.map(({ key }) => key)).size).toBe(RECORDS)
    }
    const executions = await one.executions.list(RECORDS)
    expect(executions.reduce((sum, { itemsProcessed }) => sum + itemsProcessed, 0)).toBe(RECORDS)
    expect(executions.reduce((sum, { itemsFailed }) => sum + itemsFailed, 0)).toBe(RECORDS / 5)
    // Counted when a connection ends. The stores would do it again, and nobody would know.
    await close()
    expect(await deadlocksIn(url)).toBe(0)
  },
  60_000,
)

async function deadlocksIn(url: string): Promise<number> {
  const database = openPostgres({ url: new Secret(url), clock: systemClock, connections: 1 })
  try {
    const [row] = await database.all<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return row?.deadlocks ?? Number.NaN
  } finally {
    await database.close()
  }
}
