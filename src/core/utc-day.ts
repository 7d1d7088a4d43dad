import { days } from './duration.ts'

declare const utcDay: unique symbol

/** A calendar day in UTC, as `2025-01-15`. Days compare and sort as strings. */
export type UtcDay = string & { readonly [utcDay]: true }

export function utcDayOf(epochMs: number): UtcDay {
  return new Date(epochMs).toISOString().slice(0, 10) as UtcDay
}

export function startOfUtcDay(day: UtcDay): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** The `count` days that end with `day`, oldest first. */
export function utcDaysUntil(day: UtcDay, count: number): UtcDay[] {
  const last = startOfUtcDay(day)
  return Array.from({ length: count }, (_, i) => utcDayOf(last - days(count - 1 - i)))
}
