import { expect } from 'vitest'
import type { Stores } from '../../src/stores/stores.ts'
import { FakeClock } from '../support/fake-clock.ts'
import type { Backend, Storage } from './backend.ts'

export interface KilledAct {
  arrange(stores: Stores): Promise<unknown>
  /** The call that is killed before each of its steps in turn. */
  act(stores: Stores): Promise<unknown>
  /** Everything the act may change. */
  look(stores: Stores): Promise<unknown>
}

/** A call that cannot be cut into more steps than this does not end. */
const MOST_STEPS = 60

/**
 * Kills the process (-9) before every step of a call, reopens, and looks: either nothing happened or all of it.
 * Then the call is made again, as the next run would, and must come to what one whole call comes to.
 */
export async function survivesKill(backend: Backend, killed: KilledAct): Promise<void> {
  const { before, after } = await unharmed(backend, killed)
  expect(after).not.toEqual(before)
  let steps = 0
  for (let step = 1; step <= MOST_STEPS; step++) {
    const storage = await backend.create()
    try {
      if (!(await dieAt(storage, step, killed))) break
      steps++
      const found = await withStores(storage, async (stores) => {
        const left = await killed.look(stores)
        expect([before, after]).toContainEqual(left)
        await killed.act(stores)
        return killed.look(stores)
      })
      expect(found).toEqual(after)
    } finally {
      await storage.destroy()
    }
  }
  expect(steps).toBeGreaterThan(0)
  expect(steps).toBeLessThan(MOST_STEPS)
}

async function unharmed(backend: Backend, { arrange, act, look }: KilledAct) {
  const storage = await backend.create()
  const seen = await withStores(storage, async (stores) => {
    await arrange(stores)
    const before = await look(stores)
    await act(stores)
    return { before, after: await look(stores) }
  })
  await storage.destroy()
  return seen
}

async function dieAt(
  storage: Storage,
  step: number,
  { arrange, act }: KilledAct,
): Promise<boolean> {
  await withStores(storage, arrange)
  const process = await storage.openProcess(new FakeClock())
  process.dieAtStep(step)
  await act(process.stores).catch((error: unknown) => {
    if (!process.died()) throw error
  })
  const died = process.died()
  await process.close()
  return died
}

async function withStores<T>(storage: Storage, use: (stores: Stores) => Promise<T>): Promise<T> {
  const handle = await storage.open(new FakeClock())
  try {
    return await use(handle.stores)
  } finally {
    await handle.close()
  }
}
