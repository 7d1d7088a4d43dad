import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../src/core/clock.ts'
import type { Stores } from '../../src/stores/stores.ts'
import type { ProcessHandle } from '../contracts/backend.ts'
import { DECISIONS } from './decisions.ts'
import type { StoreAnswer, StoreCall } from './store-process.ts'

const PROGRAM = fileURLToPath(new URL('store-process.ts', import.meta.url))

/** Stores whose calls are carried out in a process of their own, at the time of `clock`. */
export async function openStoreProcess(storage: string, clock: Clock): Promise<ProcessHandle> {
  const child = fork(PROGRAM, [storage], { serialization: 'advanced', execArgv: [] })
  const waiting = new Map<number, { done(value: unknown): void; failed(error: Error): void }>()
  let dieAtStep: number | undefined
  let calls = 0

  child.on('message', (answer: 'ready' | StoreAnswer) => {
    if (answer === 'ready') return
    const caller = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) caller?.failed(new Error(answer.error))
    else caller?.done(answer.value)
  })
  child.on('exit', () => {
    for (const { failed } of waiting.values()) failed(new Error('the process died'))
    waiting.clear()
  })
  await once(child, 'message')

  const call = (store: string, method: string, args: unknown[]) =>
    new Promise((done, failed) => {
      const id = calls++
      waiting.set(id, { done, failed })
      const ask: StoreCall = {
        id,
        now: clock.now(),
        store,
        method,
        args: args.map(named),
        dieAtStep,
      }
      child.send(ask)
    })
  const storeProxy = (store: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (...args: unknown[]) =>
            call(store, method, args),
      },
    )

  return {
    stores: new Proxy({}, { get: (_, store: string) => storeProxy(store) }) as Stores,
    dieAtStep: (step) => {
      dieAtStep = step
    },
    died: () => child.signalCode === 'SIGKILL',
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** A function cannot be sent: its name in DECISIONS is. */
function named(arg: unknown): unknown {
  if (typeof arg !== 'function') return arg
  const found = Object.entries(DECISIONS).find(([, decision]) => decision === arg)
  if (!found) throw new Error('only a function of DECISIONS can be asked for in another process')
  return { decision: found[0] }
}
