import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgresStores } from '../../src/stores/postgres/open.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { createTestDatabase } from '../support/postgres-database.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { scenario } from '../support/scenario.ts'

const origin = { requestId: 'req-1' }
const WORKERS = 8
const RECORDS = 2_000
const NOTES = Array.from({ length: RECORDS }, (_, n) => `n${n}`)

async function withRecords(url: string) {
  const open = () => openPostgresStores({ url: new Secret(url), clock: systemClock })
  const opened = await Promise.all(Array.from({ length: WORKERS }, open))
  onTestFinished(async () => {
    await Promise.all(opened.map((stores) => stores.close()))
  })
  const [stores] = opened
  if (!stores) throw new Error('no stores')
  await stores.candidates.add(
    NOTES.map((noteId) => ({
      platform: 'xhs',
      noteId,
      noteUrl: `https://notes.example/${noteId}`,
    })),
    origin,
  )
  return { stores, opened }
}

/** Claims and completes until nothing is pending; every fifth record fails the first time. Tells whom it claimed. */
async function work(stores: Stores, executionId: string): Promise<string[]> {
  const { executions, candidates } = stores
  const workflowName = `workflow of ${executionId}`
  await executions.acquire({ workflowName, executionId, timeoutMs: minutes(30) }, origin)
  const done: string[] = []
  for (;;) {
    const claimed = await candidates.claim(executionId, 10, origin)
    if (!claimed.ok) throw new Error('lock lost')
    if (claimed.value.length === 0) return done
    const [failing, whole] = [true, false].map((fails) =>
      claimed.value.filter(
        ({ noteId, retryCount }) =>
          (Number(noteId.slice(1)) % 5 === 0 && retryCount === 0) === fails,
      ),
    )
    const completed = await candidates.complete(
      executionId,
      // In another order than they were claimed in: locks must not depend on it.
      (whole ?? [])
        .map(({ platform, noteId }) => ({ platform, noteId, note: { noteId } }))
        .reverse(),
      origin,
    )
    if (!completed.ok) throw new Error('lock lost')
    done.push(
      ...completed.value.flatMap(({ noteId, action }) => (action === 'created' ? [noteId] : [])),
    )
    await candidates.fail(
      executionId,
      (failing ?? []).map(({ platform, noteId }) => ({
        platform,
        noteId,
        errorCode: 'PLATFORM_ERROR',
      })),
      origin,
    )
  }
}

scenario('C04', 'eight workers take two thousand records: none twice, none left', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { stores, opened } = await withRecords(url)
  const sweeping = new AbortController()
  const sweeper = (async () => {
    while (!sweeping.signal.aborted) await stores.candidates.recover(minutes(30), origin)
  })()

  const done = await Promise.all(opened.map((own, worker) => work(own, `exec-${worker}`)))
  sweeping.abort()
  await sweeper

  expect(done.flat().toSorted()).toEqual(NOTES.toSorted())
  expect(await stores.candidates.count()).toMatchObject({
    pending: 0,
    processing: 0,
    collected: RECORDS,
  })
  const executions = await stores.executions.list(WORKERS)
  expect(executions.reduce((sum, { itemsProcessed }) => sum + itemsProcessed, 0)).toBe(RECORDS)
})

scenario('C04', 'eight workers of one execution do the same', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { stores, opened } = await withRecords(url)

  const done = await Promise.all(opened.map((own) => work(own, 'exec-1')))

  expect(done.flat().toSorted()).toEqual(NOTES.toSorted())
  expect(await stores.executions.finish('exec-1', 'completed', origin)).toMatchObject({
    value: { itemsProcessed: RECORDS, itemsFailed: RECORDS / 5 },
  })
})

scenario(
  'C02',
  'who reads on from a position misses nothing that is written meanwhile',
  async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const { stores, opened } = await withRecords(url)
    const read: string[] = []
    let position = 0
    const readOn = async () => {
      for (const source of await stores.sources.since(position, 1_000)) {
        read.push(source.noteId)
        position = source.position
      }
    }

    let isWorking = true
    const working = Promise.all(opened.map((own, worker) => work(own, `exec-${worker}`))).finally(
      () => {
        isWorking = false
      },
    )
    while (isWorking) await readOn()
    await working
    await readOn()

    expect(read.toSorted()).toEqual(NOTES.toSorted())
  },
)

scenario(
  'X01',
  'the database is restarted under load: nothing is lost, nobody has to be',
  async () => {
    const server = await startPostgres('durable')
    onTestFinished(server.stop)
    const { stores, opened } = await withRecords(`${server.url}/postgres`)
    const told: string[] = []
    /** One whose answer was lost finds its records when they are freed, as any other would. */
    const persist = async (own: Stores, worker: number) => {
      for (let life = 0; ; life++) {
        try {
          return told.push(...(await work(own, `exec-${worker}-${life}`)))
        } catch {
          await own.candidates.recover(0, origin)
        }
      }
    }

    const working = Promise.all(opened.map(persist))
    await server.restart()
    await server.restart()
    await working
    await stores.candidates.recover(0, origin)
    await persist(stores, WORKERS)

    expect(await stores.candidates.count()).toMatchObject({ pending: 0, processing: 0 })
    const { collected, failed } = await stores.candidates.count()
    expect(collected + failed).toBe(RECORDS)
    const written = await stores.sources.since(0, RECORDS + 1)
    expect(written).toHaveLength(collected)
    expect(written.map(({ noteId }) => noteId)).toEqual(expect.arrayContaining(told))
  },
  120_000,
)
