import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'

/** Names what is written once and never changed: nobody else has the name, and it tells when it was made. */
export type NewStamp = () => string

/** As a part of a pattern. */
export const STAMP = '[0-9a-z]{9}-[0-9a-f]{12}'

/** They sort by their time; two of one place never have the same. */
export function openStamps(clock: Clock, random: Random): NewStamp {
  let last = 0
  return () => {
    last = Math.max(clock.now(), last + 1)
    const chance = Array.from(random.bytes(6), (byte) => byte.toString(16).padStart(2, '0'))
    return `${last.toString(36).padStart(9, '0')}-${chance.join('')}`
  }
}

export function timeOfStamp(stamp: string): number {
  return Number.parseInt(stamp.slice(0, 9), 36)
}
