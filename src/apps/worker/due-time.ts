import { Cron } from 'croner'
import { seconds } from '../../core/duration.ts'

/** When the schedule last wanted its sites to run, seen from a poke. */
export function dueTime(cronSchedule: string, pokedAt: number): number {
  const cron = new Cron(cronSchedule, { timezone: 'UTC', paused: true })
  // The previous time is never that of this very second: looked at from the second after, it is.
  const [due] = cron.previousRuns(1, new Date(pokedAt + seconds(1)))
  return due?.getTime() ?? pokedAt
}
