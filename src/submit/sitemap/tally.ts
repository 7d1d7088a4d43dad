import type { InvalidReason } from './judge-url.ts'
import { MAX_SAMPLES } from './limits.ts'
import { detached } from './entries.ts'

export interface InvalidValue {
  readonly value: string
  readonly reason: InvalidReason
}

/** What was found, by number; of what was dropped, the first few to be shown. */
export interface Tally {
  /** The site's own. */
  urls: number
  foreign: number
  /** Dates that could not be read, whose URLs are kept, and the first of them. */
  badDates: number
  badDate: string
  readonly invalid: Partial<Record<InvalidReason, number>>
  readonly samples: InvalidValue[]
}

export const newTally = (): Tally => ({
  urls: 0,
  foreign: 0,
  badDates: 0,
  badDate: '',
  invalid: {},
  samples: [],
})

const SHOWN = 200

export function countInvalid(tally: Tally, reason: InvalidReason, value: string): void {
  tally.invalid[reason] = (tally.invalid[reason] ?? 0) + 1
  if (tally.samples.length >= MAX_SAMPLES) return
  tally.samples.push({ value: detached(value.slice(0, SHOWN)), reason })
}

export function addTally(total: Tally, part: Tally): void {
  total.urls += part.urls
  total.foreign += part.foreign
  total.badDates += part.badDates
  total.badDate ||= part.badDate
  for (const [reason, count] of Object.entries(part.invalid) as [InvalidReason, number][]) {
    total.invalid[reason] = (total.invalid[reason] ?? 0) + count
  }
  total.samples.push(...part.samples.slice(0, MAX_SAMPLES - total.samples.length))
}
