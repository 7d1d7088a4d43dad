import { describe, expect } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { begin } from '../contracts/backend.ts'
import { ask, started } from '../contracts/execution-store.ts'
import { COLLECT_BACKENDS } from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'

const origin = { requestId: 'req-1' }
const timeoutMs = minutes(30)
const KEY = { platform: 'xhs', noteId: 'n1' }

const add = (stores: Stores) =>
  stores.candidates.add([{ ...KEY, noteUrl: 'https://notes.example/n1' }], origin)

const complete = (stores: Stores, executionId: string) =>
  stores.candidates.complete(executionId, [{ ...KEY, note: { title: executionId } }], origin)

// The clock that decides, which with PostgreSQL is the database's, is set while executions run.
describe.each(COLLECT_BACKENDS)('a clock that is set, on $name', (backend) => {
  scenario(
    'C05',
    'set back, it takes the lock from nobody who works, and leaves it to nobody who is dead',
    async () => {
      const { stores, clock } = await begin(backend)
      await add(stores)
      await started(stores, 'exec-1')

      clock.advance(-hours(3))
      const claimed = await stores.candidates.claim('exec-1', 10, origin)
      const swept = await stores.candidates.recover(timeoutMs, origin)
      clock.advance(timeoutMs - 1)
      const early = await stores.executions.acquire(ask('exec-2'), origin)
      clock.advance(1)
      const late = await stores.executions.acquire(ask('exec-3'), origin)

      expect(claimed).toMatchObject({ ok: true, value: [KEY] })
      expect(swept).toEqual({ executionsTimedOut: 0, recordsReleased: 0, recordsFailed: 0 })
      expect(early).toMatchObject({ ok: false, failure: { holder: 'exec-1' } })
      expect(late).toMatchObject({ ok: true, value: { fence: 2 } })
      expect(await stores.candidates.list('pending', 9)).toMatchObject([{ ...KEY, retryCount: 1 }])
    },
  )

  scenario(
    'C03',
    'set forth and back again, whoever lost the lock by it stays without, and nothing is written twice',
    async () => {
      const { stores, clock } = await begin(backend)
      await add(stores)
      await started(stores, 'exec-1')
      await stores.candidates.claim('exec-1', 10, origin)

      clock.advance(hours(3))
      await started(stores, 'exec-2')
      await stores.candidates.claim('exec-2', 10, origin)
      clock.advance(-hours(3))
      const refused = await complete(stores, 'exec-1')
      const beaten = await stores.executions.heartbeat('exec-1')
      const taken = await stores.executions.acquire(ask('exec-3'), origin)
      const written = await complete(stores, 'exec-2')

      const lost = { ok: false, failure: { kind: 'lock-lost', executionId: 'exec-1' } }
      expect([refused, beaten]).toEqual([lost, lost])
      expect(taken).toMatchObject({ ok: false, failure: { holder: 'exec-2' } })
      expect(written).toEqual({ ok: true, value: [{ ...KEY, action: 'created' }] })
      expect(await stores.sources.since(0, 9)).toMatchObject([{ note: { title: 'exec-2' } }])
    },
  )
})
