import { inspect, styleText } from 'node:util'
import type { LogFields, LogLevel, LogLine } from '../../core/log.ts'

export type LogFormat = 'pretty' | 'json'

/** Logs go to stderr everywhere: stdout is for what a command was asked for. */
export function logOutput(
  format: LogFormat,
  stream: NodeJS.WriteStream = process.stderr,
): (line: LogLine) => void {
  // Whoever read the log has gone; the server goes on without.
  stream.on('error', () => undefined)
  const print = format === 'json' ? jsonLine : (line: LogLine) => prettyLine(line, stream)
  return (line) => {
    stream.write(`${print(line)}\n`)
  }
}

function jsonLine(line: LogLine): string {
  return JSON.stringify(line)
}

const COLOURS = {
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
} as const satisfies Record<LogLevel, string>

function prettyLine(line: LogLine, stream: NodeJS.WriteStream): string {
  const { time, level, event, msg, ...rest } = line
  // Machines look for a field; a person has just read it.
  const { error, ...fields } = withoutRepetition(rest, msg)
  const paint = (colour: Parameters<typeof styleText>[0], words: string) =>
    styleText(colour, words, { stream })
  const details = Object.entries(fields).map(([name, value]) =>
    paint('gray', `${name}=${short(value)}`),
  )
  const words = [
    paint('gray', time.slice(11, 19)),
    paint(COLOURS[level], level.toUpperCase().padEnd(5)),
    printable(msg),
    paint('gray', event),
    ...details,
  ]
  return error === undefined ? words.join(' ') : `${words.join(' ')}\n${indented(errorText(error))}`
}

function withoutRepetition(fields: LogFields, msg: string): LogFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== msg),
  )
}

function short(value: unknown): string {
  if (typeof value === 'string' && /^[\w./:@-]+$/.test(value)) return value
  return JSON.stringify(value)
}

/** A line that somebody else chose the words of cannot end itself or move the cursor. */
function printable(words: string): string {
  return words.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
}

function errorText(error: unknown): string {
  const { stack } = error as { stack?: unknown }
  return typeof stack === 'string' ? stack : inspect(error)
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
