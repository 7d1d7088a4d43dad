import { setImmediate as everybodyIdle } from 'node:timers/promises'
import { minutes } from '../../src/core/duration.ts'
import { type CollectWorld, noteIdOf } from '../support/collect-world.ts'
import { until } from './support.ts'

interface Claimed {
  readonly records: readonly { note_id: string; retry_count: number; exec_meta: unknown }[]
  readonly locked_count: number
}

export const claim = (world: CollectWorld, execution_id: string, batch_size?: number) =>
  world.data<Claimed>('POST', '/v1/candidates/claim', { execution_id, batch_size })

export const note = (number: number, more: object = {}) => ({
  platform: 'xhs',
  note_id: noteIdOf(number),
  note: { title: `note ${number}`, ...more },
})

export const failed = (number: number) => ({
  platform: 'xhs',
  note_id: noteIdOf(number),
  error_code: 'PLATFORM_ERROR',
})

export const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Lets the schedule do what is due by then, five minutes at a time. */
export async function passMinutes(world: CollectWorld, count: number, jobs: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 5) {
    world.clock.advance(minutes(5))
    // A job waits for its next time once it is over; what it holds meanwhile, a lease say, waits for less.
    await until(() => world.clock.waitingAtLeast(minutes(2)) === jobs)
    await everybodyIdle()
  }
}
