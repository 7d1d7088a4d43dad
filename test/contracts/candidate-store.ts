import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { type Backend, begin } from './backend.ts'
import { ask, started } from './execution-store.ts'
import { survivesKill } from './survives-kill.ts'

const origin = { requestId: 'req-1' }
const timeoutMs = minutes(30)
const key = (noteId: string) => ({ platform: 'xhs', noteId })

const add = (stores: Stores, ...noteIds: string[]) =>
  stores.candidates.add(
    noteIds.map((noteId) => ({ ...key(noteId), noteUrl: `https://notes.example/${noteId}` })),
    origin,
  )

async function claimed(stores: Stores, executionId: string, batchSize = 10) {
  const result = await stores.candidates.claim(executionId, batchSize, origin)
  if (!result.ok) throw new Error('lock lost')
  return result.value.map(({ noteId }) => noteId)
}

const complete = (stores: Stores, executionId: string, ...noteIds: string[]) =>
  stores.candidates.complete(
    executionId,
    noteIds.map((noteId) => ({ ...key(noteId), note: { title: `about ${noteId}` } })),
    origin,
  )

const failOne = (stores: Stores, executionId: string, noteId: string) =>
  stores.candidates.fail(executionId, [{ ...key(noteId), errorCode: 'PLATFORM_ERROR' }], origin)

export function candidateStoreContract(backend: Backend) {
  describe(`CandidateStore: ${backend.name}`, () => {
    it('claims exactly the named ones, and none that another holds', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1', 'n2', 'n3', 'n4')
      await started(stores, 'exec-1')
      const other = await stores.executions.acquire(ask('exec-2', 'import'), origin)
      await claimed(stores, 'exec-1', 1)

      const keys = ['n4', 'n1', 'n3', 'none'].map(key)
      const taken = await stores.candidates.claimThese('exec-2', keys, origin)

      expect(other.ok).toBe(true)
      expect(taken).toMatchObject({
        ok: true,
        value: [
          { noteId: 'n4', status: 'processing', processingLock: 'exec-2' },
          { noteId: 'n3', status: 'processing', processingLock: 'exec-2' },
        ],
      })
      expect(await claimed(stores, 'exec-1')).toEqual(['n2'])
      expect(await stores.candidates.claimThese('nobody', keys, origin)).toEqual({
        ok: false,
        failure: { kind: 'lock-lost', executionId: 'nobody' },
      })
    })

    it('adds a note once, whoever adds it', async () => {
      const { stores, another } = await begin(backend)
      const second = await another()
      expect(await add(stores, 'n1', 'n2', 'n1')).toEqual({ created: 2, skipped: 1 })
      expect(await add(second, 'n2', 'n3')).toEqual({ created: 1, skipped: 1 })
      const weibo = { platform: 'weibo', noteId: 'n1', noteUrl: 'u', sourceKeyword: 'tea' }
      expect(await stores.candidates.add([weibo], origin)).toEqual({ created: 1, skipped: 0 })
      expect(await stores.candidates.count()).toEqual({
        pending: 4,
        processing: 0,
        collected: 0,
        failed: 0,
      })
      expect((await stores.candidates.list('pending', 9)).at(-1)).toEqual({
        ...weibo,
        status: 'pending',
        processingLock: undefined,
        lockedAt: undefined,
        retryCount: 0,
        lastErrorCode: undefined,
        execMeta: { request_id: 'req-1' },
      })
    })

    it('lists on from one of them', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1', 'n2', 'n3')
      const after = async (noteId: string) =>
        (await stores.candidates.list(undefined, 1, { platform: 'xhs', noteId })).map(
          (candidate) => candidate.noteId,
        )
      expect(await after('n1')).toEqual(['n2'])
      expect(await after('n3')).toEqual([])
      expect(await after('unknown')).toEqual([])
    })

    it('claims the oldest, as many as asked for, and locks them', async () => {
      const { stores, clock } = await begin(backend)
      await add(stores, 'n1', 'n2', 'n3')
      await started(stores, 'exec-1')
      expect(await claimed(stores, 'exec-1', 2)).toEqual(['n1', 'n2'])
      expect(await claimed(stores, 'exec-1', 2)).toEqual(['n3'])
      expect(await claimed(stores, 'exec-1', 2)).toEqual([])
      expect((await stores.candidates.list('processing', 1))[0]).toMatchObject({
        processingLock: 'exec-1',
        lockedAt: clock.now(),
        execMeta: { execution_id: 'exec-1', request_id: 'req-1' },
      })
    })

    it.skipIf(backend.oneProcessOnly)('gives no record to two processes', async () => {
      const { stores, twoProcesses } = await begin(backend)
      await add(stores, ...Array.from({ length: 200 }, (_, n) => `n${n}`))
      await stores.executions.acquire(ask('exec-0', 'w0'), origin)
      await stores.executions.acquire(ask('exec-1', 'w1'), origin)
      const inTurn = await twoProcesses()
      const batches = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const result = await inTurn(i).candidates.claim(`exec-${i % 2}`, 7, origin)
          return result.ok ? result.value.map(({ noteId }) => noteId) : []
        }),
      )
      const all = batches.flat()
      expect(all).toHaveLength(200)
      expect(new Set(all).size).toBe(200)
    })

    it('writes a note once with its candidate, its source and its outbox entries', async () => {
      const { stores, clock } = await begin(backend)
      await add(stores, 'n1')
      await started(stores, 'exec-1')
      await claimed(stores, 'exec-1')
      await stores.outbox.ack((await stores.outbox.page(99)).map(({ id }) => id))

      const result = await complete(stores, 'exec-1', 'n1')

      expect(result).toEqual({ ok: true, value: [{ ...key('n1'), action: 'created' }] })
      expect(await stores.candidates.list('collected', 9)).toMatchObject([
        { noteId: 'n1', processingLock: undefined, lockedAt: undefined },
      ])
      expect(await stores.sources.get(key('n1'))).toMatchObject({
        idempotencyKey: 'n1_v1',
        note: { title: 'about n1' },
        createdAt: clock.now(),
        execMeta: { execution_id: 'exec-1', request_id: 'req-1' },
      })
      expect(await stores.outbox.page(9)).toMatchObject([
        {
          table: 'tbl_source',
          key: 'n1_v1',
          fields: { title: 'about n1', idempotency_key: 'n1_v1' },
        },
        { table: 'tbl_candidate', key: 'xhs:n1', fields: { status: 'collected' } },
      ])
      expect(await stores.executions.get('exec-1')).toMatchObject({
        itemsProcessed: 1,
        itemsFailed: 0,
      })
    })

    it('answers skipped when asked again, and writes nothing', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1')
      await started(stores, 'exec-1')
      await claimed(stores, 'exec-1')
      await complete(stores, 'exec-1', 'n1')
      const depth = await stores.outbox.depth()
      expect(await complete(stores, 'exec-1', 'n1')).toEqual({
        ok: true,
        value: [{ ...key('n1'), action: 'skipped' }],
      })
      expect(await stores.outbox.depth()).toBe(depth)
      expect(await stores.sources.since(0, 9)).toHaveLength(1)
      expect(await stores.executions.get('exec-1')).toMatchObject({ itemsProcessed: 1 })
    })

    it('answers each of those who come at once, also where one of them is refused', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1', 'n2', 'n3', 'n4', 'n5')
      await started(stores, 'exec-1')
      await stores.executions.acquire(ask('exec-2', 'w2'), origin)
      await claimed(stores, 'exec-1', 2)

      const together = await Promise.all([
        stores.candidates.claim('exec-1', 1, origin),
        complete(stores, 'exec-1', 'n1'),
        complete(stores, 'exec-1', 'n2', 'n5'),
        stores.candidates.claim('nobody', 1, origin),
        complete(stores, 'nobody', 'n2'),
        stores.candidates.claim('exec-2', 1, origin),
      ])

      expect(together).toMatchObject([
        { ok: true, value: [{ status: 'processing', processingLock: 'exec-1' }] },
        { ok: true, value: [{ noteId: 'n1', action: 'created' }] },
        {
          ok: true,
          value: [
            { noteId: 'n2', action: 'created' },
            { noteId: 'n5', action: 'not-held' },
          ],
        },
        { ok: false, failure: { kind: 'lock-lost', executionId: 'nobody' } },
        { ok: false, failure: { kind: 'lock-lost', executionId: 'nobody' } },
        { ok: true, value: [{ status: 'processing', processingLock: 'exec-2' }] },
      ])
      expect(await stores.candidates.count()).toEqual({
        pending: 1,
        processing: 2,
        collected: 2,
        failed: 0,
      })
      expect(await stores.executions.get('exec-1')).toMatchObject({ itemsProcessed: 2 })
    })

    it('claims for those who run, also beside one who does not', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1', 'n2')
      await started(stores, 'exec-1')

      const together = await Promise.all(
        ['nobody', 'exec-1'].map((executionId) => stores.candidates.claim(executionId, 1, origin)),
      )

      expect(together).toMatchObject([
        { ok: false, failure: { kind: 'lock-lost', executionId: 'nobody' } },
        { ok: true, value: [{ noteId: 'n1' }] },
      ])
      expect(await stores.candidates.count()).toMatchObject({ pending: 1, processing: 1 })
    })

    it('leaves alone what the execution does not hold', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1')
      await started(stores, 'exec-1')
      const notHeld = [
        { ...key('n1'), action: 'not-held' },
        { ...key('unknown'), action: 'not-held' },
      ]
      expect(await complete(stores, 'exec-1', 'n1', 'unknown')).toEqual({
        ok: true,
        value: notHeld,
      })
      expect(await failOne(stores, 'exec-1', 'n1')).toEqual({
        ok: true,
        value: [{ ...key('n1'), status: 'not-held' }],
      })
      expect(await stores.candidates.list('pending', 9)).toMatchObject([
        { noteId: 'n1', retryCount: 0 },
      ])
      expect(await stores.sources.since(0, 9)).toEqual([])
      expect(await stores.executions.get('exec-1')).toMatchObject({
        itemsProcessed: 0,
        itemsFailed: 0,
      })
    })

    it('tries a failing candidate three times', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1')
      await started(stores, 'exec-1')
      const states: unknown[] = []
      for (let attempt = 0; attempt < 3; attempt++) {
        await claimed(stores, 'exec-1')
        const result = await failOne(stores, 'exec-1', 'n1')
        states.push(result.ok && result.value[0]?.status)
      }
      expect(states).toEqual(['pending', 'pending', 'failed'])
      expect(await claimed(stores, 'exec-1')).toEqual([])
      expect(await stores.candidates.list('failed', 9)).toMatchObject([
        { retryCount: 3, lastErrorCode: 'PLATFORM_ERROR' },
      ])
      expect(await stores.executions.get('exec-1')).toMatchObject({ itemsFailed: 3 })
    })

    it('frees what a silent execution held, as an attempt of each', async () => {
      const { stores, clock } = await begin(backend)
      await add(stores, 'n1', 'n2')
      for (let round = 1; round <= 3; round++) {
        await started(stores, `exec-${round}`)
        await claimed(stores, `exec-${round}`, round === 1 ? 1 : 2)
        clock.advance(timeoutMs - 1)
        expect(await stores.candidates.recover(timeoutMs, origin)).toMatchObject({
          executionsTimedOut: 0,
        })
        clock.advance(1)
        expect(await stores.candidates.recover(timeoutMs, origin)).toEqual({
          executionsTimedOut: 1,
          recordsReleased: [1, 2, 1][round - 1],
          recordsFailed: round === 3 ? 1 : 0,
        })
      }
      expect(await stores.candidates.list(undefined, 9)).toMatchObject([
        { noteId: 'n1', status: 'failed', retryCount: 3, lastErrorCode: 'TIMEOUT_ERROR' },
        { noteId: 'n2', status: 'pending', retryCount: 2, processingLock: undefined },
      ])
    })

    it('counts a claim, a completion and a failure as heartbeats', async () => {
      const { stores, clock } = await begin(backend)
      await add(stores, 'n1', 'n2')
      await started(stores, 'exec-1')
      for (const beat of [
        () => claimed(stores, 'exec-1'),
        () => complete(stores, 'exec-1', 'n1'),
        () => failOne(stores, 'exec-1', 'n2'),
      ]) {
        clock.advance(timeoutMs - 1)
        await beat()
        expect(await stores.executions.get('exec-1')).toMatchObject({ heartbeatAt: clock.now() })
      }
    })

    it('frees what is held at the end of an execution: no attempt unless it failed', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1')
      await started(stores, 'exec-1')
      await claimed(stores, 'exec-1')
      await stores.executions.finish('exec-1', 'completed', origin)
      expect(await stores.candidates.list('pending', 9)).toMatchObject([{ retryCount: 0 }])
      await started(stores, 'exec-2')
      await claimed(stores, 'exec-2')
      await stores.executions.finish('exec-2', 'failed', origin)
      expect(await stores.candidates.list('pending', 9)).toMatchObject([{ retryCount: 1 }])
    })

    it('marks a candidate collected whose note came by another way', async () => {
      const { stores, clock } = await begin(backend)
      await add(stores, 'n1')
      await started(stores, 'exec-1')
      await claimed(stores, 'exec-1')
      clock.advance(timeoutMs)
      await started(stores, 'exec-2')
      await claimed(stores, 'exec-2')
      await complete(stores, 'exec-2', 'n1')
      expect(await complete(stores, 'exec-2', 'n1')).toMatchObject({
        value: [{ action: 'skipped' }],
      })
      expect(await stores.candidates.count()).toMatchObject({ collected: 1, processing: 0 })
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill in the middle of a completion', () =>
      survivesKill(backend, {
        async arrange(stores) {
          await add(stores, 'n1', 'n2')
          await stores.executions.acquire(ask('exec-1'), origin)
          await stores.candidates.claim('exec-1', 10, origin)
        },
        act: (stores) => complete(stores, 'exec-1', 'n1', 'n2'),
        look: async ({ candidates, sources, outbox }) => [
          await candidates.list(undefined, 9),
          await sources.since(0, 9),
          (await outbox.page(99)).map(({ table, fields }) => [table, fields]),
        ],
      }),
    )
  })
}
