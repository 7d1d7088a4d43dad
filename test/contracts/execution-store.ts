import { describe, expect, it } from 'vitest'
import { days as daysOf, minutes } from '../../src/core/duration.ts'
import { utcDayOf, utcDaysUntil } from '../../src/core/utc-day.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

const origin = { requestId: 'req-1' }
const timeoutMs = minutes(30)
const DAY = daysOf(1)

export function ask(executionId: string, workflowName = 'collect') {
  return { workflowName, executionId, timeoutMs }
}

export async function started(stores: Stores, executionId: string) {
  const result = await stores.executions.acquire(ask(executionId), origin)
  if (!result.ok) throw new Error(`taken by ${result.failure.holder}`)
  return result.value
}

export function executionStoreContract(backend: Backend) {
  describe(`ExecutionStore: ${backend.name}`, () => {
    it('starts exactly one of five who ask at once', async () => {
      const { stores, another } = await begin(backend)
      const second = await another()
      const asked = await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map((id, i) =>
          (i % 2 ? stores : second).executions.acquire(ask(id), origin),
        ),
      )
      expect(asked.filter((result) => result.ok)).toHaveLength(1)
    })

    it.skipIf(backend.oneProcessOnly)('starts one of two processes, a hundred times', async () => {
      const { twoProcesses } = await begin(backend)
      const inTurn = await twoProcesses()
      for (let round = 0; round < 100; round++) {
        const asked = await Promise.all(
          [0, 1].map((i) =>
            inTurn(i).executions.acquire(ask(`e-${round}-${i}`, `workflow-${round}`), origin),
          ),
        )
        expect(asked.filter((result) => result.ok)).toHaveLength(1)
      }
    })

    it('sums up by the day on which executions began', async () => {
      const { stores, clock } = await begin(backend)
      const days = utcDaysUntil(utcDayOf(clock.now() + 2 * DAY), 3)
      const note = { platform: 'xhs', noteId: 'n1', noteUrl: 'u' }
      await stores.candidates.add([note, { ...note, noteId: 'n2' }], origin)
      await started(stores, 'exec-1')
      await stores.candidates.claim('exec-1', 1, origin)
      await stores.candidates.complete('exec-1', [{ ...note, note: {} }], origin)
      await stores.executions.finish('exec-1', 'completed', origin)
      clock.advance(2 * DAY)
      await started(stores, 'exec-2')
      await stores.candidates.claim('exec-2', 1, origin)
      const failed = { platform: 'xhs', noteId: 'n2', errorCode: 'PLATFORM_ERROR' }
      await stores.candidates.fail('exec-2', [failed], origin)

      const daily = await stores.executions.daily(days)

      expect(daily).toEqual([
        { day: days[0], executions: 1, processed: 1, failed: 0 },
        { day: days[1], executions: 0, processed: 0, failed: 0 },
        { day: days[2], executions: 1, processed: 0, failed: 1 },
      ])
      expect(await stores.executions.daily([])).toEqual([])
    })

    it('tells the others who holds the lock', async () => {
      const { stores, clock } = await begin(backend)
      const execution = await started(stores, 'exec-1')
      expect(execution).toEqual({
        workflowName: 'collect',
        executionId: 'exec-1',
        status: 'running',
        startedAt: clock.now(),
        heartbeatAt: clock.now(),
        completedAt: undefined,
        itemsProcessed: 0,
        itemsFailed: 0,
        fence: 1,
      })
      expect(await stores.executions.acquire(ask('exec-2'), origin)).toEqual({
        ok: false,
        failure: { kind: 'execution-taken', holder: 'exec-1', heartbeatAt: clock.now() },
      })
      expect((await stores.executions.acquire(ask('exec-3', 'recover'), origin)).ok).toBe(true)
    })

    it('mirrors starts and ends, but not those of who writes the mirror', async () => {
      const { stores, clock } = await begin(backend)
      const mirrored = async () =>
        (await stores.outbox.page(9)).map(({ key, fields }) => [key, fields['status']])

      await stores.executions.acquire(ask('exec-1', 'mirror:base'), origin)
      await stores.executions.finish('exec-1', 'completed', origin)
      await stores.executions.acquire(ask('exec-2', 'mirror:base'), origin)
      clock.advance(timeoutMs)
      await started(stores, 'exec-3')
      await stores.executions.finish('exec-3', 'completed', origin)

      expect(await stores.executions.get('exec-2')).toMatchObject({ status: 'timeout' })
      expect(await mirrored()).toEqual([
        ['exec-3', 'running'],
        ['exec-3', 'completed'],
      ])
    })

    it('frees the lock at the end, and raises the fence', async () => {
      const { stores, clock } = await begin(backend)
      await started(stores, 'exec-1')
      clock.advance(1_000)
      expect(await stores.executions.finish('exec-1', 'completed', origin)).toMatchObject({
        ok: true,
        value: { status: 'completed', completedAt: clock.now() },
      })
      expect(await started(stores, 'exec-2')).toMatchObject({ fence: 2 })
      expect(await stores.executions.list(9)).toMatchObject([
        { executionId: 'exec-2' },
        { executionId: 'exec-1' },
      ])
    })

    it('keeps a lock that is heard of, and times out a silent one', async () => {
      const { stores, clock } = await begin(backend)
      await started(stores, 'exec-1')
      clock.advance(timeoutMs - 1)
      expect(await stores.executions.heartbeat('exec-1')).toMatchObject({ ok: true })
      clock.advance(timeoutMs - 1)
      expect((await stores.executions.acquire(ask('exec-2'), origin)).ok).toBe(false)

      clock.advance(1)
      expect((await stores.executions.acquire(ask('exec-3'), origin)).ok).toBe(true)

      expect(await stores.executions.get('exec-1')).toMatchObject({
        status: 'timeout',
        completedAt: clock.now(),
      })
    })

    it('refuses a late holder everything', async () => {
      const { stores, clock } = await begin(backend)
      await started(stores, 'exec-1')
      clock.advance(timeoutMs)
      await started(stores, 'exec-2')
      const lost = { ok: false, failure: { kind: 'lock-lost', executionId: 'exec-1' } }
      expect(await stores.executions.heartbeat('exec-1')).toEqual(lost)
      expect(await stores.executions.finish('exec-1', 'completed', origin)).toEqual(lost)
      expect(await stores.candidates.claim('exec-1', 10, origin)).toEqual(lost)
      expect(await stores.candidates.complete('exec-1', [], origin)).toEqual(lost)
      expect(await stores.candidates.fail('exec-1', [], origin)).toEqual(lost)
      expect(await stores.executions.heartbeat('nobody')).toMatchObject({ ok: false })
      expect(await stores.executions.get('nobody')).toBeUndefined()
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill in the middle of taking over', () =>
      survivesKill(backend, {
        async arrange(stores) {
          await stores.candidates.add([{ platform: 'xhs', noteId: 'n1', noteUrl: 'u' }], origin)
          await stores.executions.acquire({ ...ask('exec-1'), timeoutMs: 0 }, origin)
          await stores.candidates.claim('exec-1', 10, origin)
        },
        // No time passes between the two: only a time-out of zero lets the second take over.
        act: (stores) => stores.executions.acquire({ ...ask('exec-2'), timeoutMs: 0 }, origin),
        look: async ({ executions, candidates }) => [
          (await executions.list(9)).filter(({ executionId }) => executionId === 'exec-1'),
          await candidates.list(undefined, 9),
        ],
      }),
    )
  })
}
