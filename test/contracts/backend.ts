import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** One way to open a storage: a handle in this process, or one whose calls run in a process of their own. */
export interface Handle {
  readonly stores: Stores
  close(): Promise<void>
}

export interface ProcessHandle extends Handle {
  /** From the next call on the process kills itself (-9) just before its `step`th statement, commits included. */
  dieAtStep(step: number): void
  /** Whether it did. */
  died(): boolean
}

export interface Storage {
  open(clock: Clock): Promise<Handle>
  openProcess(clock: Clock): Promise<ProcessHandle>
  destroy(): Promise<void>
}

/** What a contract suite needs of a backend. */
export interface Backend {
  readonly name: string
  /** New and empty, for one test. */
  create(): Promise<Storage>
  /** Set, with the reason, where the storage cannot be reached from a second process. */
  readonly oneProcessOnly?: string
}

export interface Begun {
  readonly clock: FakeClock
  readonly stores: Stores
  /** Another server's stores over the same storage. */
  another(): Promise<Stores>
  anotherProcess(): Promise<Stores>
  /** Two processes, taken in turn: the first for even numbers. */
  twoProcesses(): Promise<(turn: number) => Stores>
}

/** Opens a new storage for the running test, and closes all of it afterwards. */
export async function begin(backend: Backend): Promise<Begun> {
  const clock = new FakeClock()
  const storage = await backend.create()
  const open: Handle[] = []
  const remember = <H extends Handle>(handle: H) => {
    open.push(handle)
    return handle.stores
  }
  onTestFinished(async () => {
    await Promise.all(open.map((handle) => handle.close()))
    await storage.destroy()
  })
  const anotherProcess = async () => remember(await storage.openProcess(clock))
  return {
    clock,
    stores: remember(await storage.open(clock)),
    another: async () => remember(await storage.open(clock)),
    anotherProcess,
    async twoProcesses() {
      const [even, odd] = [await anotherProcess(), await anotherProcess()]
      return (turn) => (turn % 2 === 0 ? even : odd)
    },
  }
}
