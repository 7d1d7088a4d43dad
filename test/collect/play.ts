import { expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { MAX_ATTEMPTS } from '../../src/stores/candidate-store.ts'
import type { Stores } from '../../src/stores/stores.ts'
import type { FakeClock } from '../support/fake-clock.ts'

export const TIMEOUT_MS = minutes(30)
export const NOTES = 8
const origin = { requestId: 'model' }

/** What any client may do at any moment, in any order. */
export type Deed =
  | { readonly do: 'start'; readonly worker: number; readonly workflow: number }
  | { readonly do: 'claim'; readonly worker: number; readonly size: number }
  | { readonly do: 'complete' | 'fail'; readonly worker: number; readonly note: number }
  | { readonly do: 'finish'; readonly worker: number; readonly well: boolean }
  | { readonly do: 'heartbeat'; readonly worker: number }
  | { readonly do: 'recover' }
  | { readonly do: 'pass'; readonly minutes: number }

interface ModelExecution {
  readonly workflow: number
  status: 'running' | 'over'
  heartbeatAt: number
}

/** The same rules, written the plainest way there is. */
class Model {
  readonly executions = new Map<string, ModelExecution>()
  readonly notes = Array.from({ length: NOTES }, () => ({
    status: 'pending',
    holder: undefined as string | undefined,
    attempts: 0,
    writes: 0,
  }))

  sweep(now: number) {
    for (const execution of this.executions.values()) {
      if (execution.status === 'running' && now - execution.heartbeatAt >= TIMEOUT_MS)
        execution.status = 'over'
    }
    this.release('attempt')
  }

  release(cost: 'attempt' | 'free') {
    for (const note of this.notes) {
      if (note.holder === undefined || this.isRunning(note.holder)) continue
      if (cost === 'attempt') note.attempts++
      note.holder = undefined
      note.status = note.attempts >= MAX_ATTEMPTS ? 'failed' : 'pending'
    }
  }

  isRunning(id: string | undefined): boolean {
    return id !== undefined && this.executions.get(id)?.status === 'running'
  }

  beat(id: string, now: number) {
    const execution = this.executions.get(id)
    if (execution && now - execution.heartbeatAt >= 5_000) execution.heartbeatAt = now
  }
}

const keyOf = (note: number) => ({ platform: 'xhs', noteId: `n${note}` })

export async function play(
  stores: Stores,
  clock: FakeClock,
  deeds: readonly Deed[],
): Promise<void> {
  const model = new Model()
  const current = new Map<number, string>()
  let started = 0
  await stores.candidates.add(
    model.notes.map((_, n) => ({ ...keyOf(n), noteUrl: 'u' })),
    origin,
  )
  for (const one of deeds) {
    const id = 'worker' in one ? (current.get(one.worker) ?? 'never-was') : ''
    switch (one.do) {
      case 'pass':
        clock.advance(minutes(one.minutes))
        break
      case 'recover':
        await stores.candidates.recover(TIMEOUT_MS, origin)
        model.sweep(clock.now())
        break
      case 'start': {
        const executionId = `e${started++}`
        const ask = { workflowName: `w${one.workflow}`, executionId, timeoutMs: TIMEOUT_MS }
        const result = await stores.executions.acquire(ask, origin)
        model.sweep(clock.now())
        const isFree = ![...model.executions.values()].some(
          ({ workflow, status }) => workflow === one.workflow && status === 'running',
        )
        expect(result.ok).toBe(isFree)
        if (!isFree) break
        const heartbeatAt = clock.now()
        model.executions.set(executionId, {
          workflow: one.workflow,
          status: 'running',
          heartbeatAt,
        })
        current.set(one.worker, executionId)
        break
      }
      case 'heartbeat': {
        const result = await stores.executions.heartbeat(id)
        expect(result.ok).toBe(model.isRunning(id))
        const execution = model.executions.get(id)
        if (result.ok && execution) execution.heartbeatAt = clock.now()
        break
      }
      case 'claim': {
        const result = await stores.candidates.claim(id, one.size, origin)
        expect(result.ok).toBe(model.isRunning(id))
        if (!result.ok) break
        model.beat(id, clock.now())
        const free = model.notes.flatMap((note, n) => (note.status === 'pending' ? [n] : []))
        const taken = free.slice(0, one.size)
        expect(result.value.map(({ noteId }) => noteId)).toEqual(taken.map((n) => `n${n}`))
        for (const n of taken)
          Object.assign(model.notes[n] ?? {}, { status: 'processing', holder: id })
        break
      }
      case 'complete': {
        const items = [{ ...keyOf(one.note), note: { by: id } }]
        const result = await stores.candidates.complete(id, items, origin)
        expect(result.ok).toBe(model.isRunning(id))
        const note = model.notes[one.note]
        if (!result.ok || !note) break
        model.beat(id, clock.now())
        const wasWritten = note.writes > 0
        const expected = wasWritten ? 'skipped' : note.holder === id ? 'created' : 'not-held'
        expect(result.value[0]?.action).toBe(expected)
        if (expected === 'not-held') break
        Object.assign(note, { status: 'collected', holder: undefined, writes: 1 })
        break
      }
      case 'fail': {
        const items = [{ ...keyOf(one.note), errorCode: 'X' }]
        const result = await stores.candidates.fail(id, items, origin)
        expect(result.ok).toBe(model.isRunning(id))
        const note = model.notes[one.note]
        if (!result.ok || !note) break
        model.beat(id, clock.now())
        if (note.holder !== id) {
          expect(result.value[0]?.status).toBe('not-held')
          break
        }
        note.attempts++
        note.holder = undefined
        note.status = note.attempts >= MAX_ATTEMPTS ? 'failed' : 'pending'
        expect(result.value[0]?.status).toBe(note.status)
        break
      }
      case 'finish': {
        const result = await stores.executions.finish(id, one.well ? 'completed' : 'failed', origin)
        expect(result.ok).toBe(model.isRunning(id))
        const execution = model.executions.get(id)
        if (!result.ok || !execution) break
        execution.status = 'over'
        model.release(one.well ? 'free' : 'attempt')
        break
      }
    }
    await looksLike(stores, model)
  }
}

async function looksLike(stores: Stores, model: Model): Promise<void> {
  const kept = await stores.candidates.list(undefined, NOTES)
  expect(
    kept.map(({ status, processingLock, retryCount }) => [status, processingLock, retryCount]),
  ).toEqual(model.notes.map(({ status, holder, attempts }) => [status, holder, attempts]))
  const sources = await stores.sources.since(0, 99)
  expect(sources).toHaveLength(model.notes.filter(({ writes }) => writes > 0).length)
}
