import type { Clock } from './clock.ts'
import { redactText, redactValue } from './redact.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What happened, as a stable word for machines: its subject, a dot, what became of it. */
export type LogEvent = `${string}.${string}`

export type LogFields = Readonly<Record<string, unknown>>

export interface LogLine extends LogFields {
  readonly time: string
  readonly level: LogLevel
  readonly event: LogEvent
  readonly msg: string
}

export interface Log {
  debug(event: LogEvent, msg: string, fields?: LogFields): void
  info(event: LogEvent, msg: string, fields?: LogFields): void
  warn(event: LogEvent, msg: string, fields?: LogFields): void
  error(event: LogEvent, msg: string, fields?: LogFields): void
  /** The same log, with `fields` on every line. */
  with(fields: LogFields): Log
}

export interface LogOptions {
  readonly clock: Clock
  readonly level: LogLevel
  /** Prints one line. It gets only redacted ones: there is no way around the net. */
  readonly write: (line: LogLine) => void
}

export function openLog({ clock, level, write }: LogOptions, own: LogFields = {}): Log {
  const threshold = LOG_LEVELS.indexOf(level)
  const at =
    (lineLevel: LogLevel) =>
    (event: LogEvent, msg: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(lineLevel) < threshold) return
      const time = new Date(clock.now()).toISOString()
      const safe = redactValue({ ...own, ...fields }) as LogFields
      write({ time, level: lineLevel, event, msg: redactText(msg), ...withoutReserved(safe) })
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => openLog({ clock, level, write }, { ...own, ...fields }),
  }
}

/** A field must not overwrite what every line promises. */
function withoutReserved({ time, level, event, msg, ...rest }: LogFields): LogFields {
  const moved = Object.entries({ time, level, event, msg }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...rest, ...Object.fromEntries(moved.map(([name, value]) => [`field_${name}`, value])) }
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLog,
}
