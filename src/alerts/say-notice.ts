import type { AlertStep } from '../core/alert.ts'
import type { Log } from '../core/log.ts'

/** Says in the log what people are to be told, if anything; the webhooks follow from the store. */
export function sayNotice(log: Log, { notice, state }: AlertStep): void {
  if (!notice || !state) return
  const { key, severity, title, cause, advice, count } = state
  const fields = { alert: key, severity, ...(count !== undefined && { count }) }
  if (notice === 'resolved') log.info('alert.resolved', `Resolved: ${title}`, fields)
  else log.error(`alert.${notice}`, `${title}. ${cause} ${advice}`, fields)
}
