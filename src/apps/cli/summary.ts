import type { ShownRun } from '../../submit/shown-run.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'
import { inWords } from './words.ts'

/** More than this nobody reads; `--json` has all. */
const MOST_MESSAGES = 10

const MARKS = {
  succeeded: ['green', '✔'],
  partial: ['yellow', '⚠'],
  interrupted: ['yellow', '⚠'],
  failed: ['red', '✖'],
  running: ['yellow', '…'],
} as const satisfies Record<ShownRun['status'], readonly [string, string]>

/** What became of a run, for a person; `next` is what to do now. */
export function sayRun(run: ShownRun, terminal: Terminal, next: readonly string[]): void {
  const [colour, mark] = MARKS[run.status]
  const took = run.finishedAt
    ? ` in ${inWords.duration(Date.parse(run.finishedAt) - Date.parse(run.startedAt))}`
    : ''
  terminal.say('')
  terminal.say(`${terminal.paint(colour, mark)} ${run.siteId}: ${run.status}${took}`)
  terminal.say(`  ${inWords.urls(run.total)} in the sitemaps, ${inWords.count(run.new)} to submit`)
  for (const line of skipped(run)) terminal.say(`  ${line}`)
  sayCounts(run, terminal)
  if (run.warnings.length + run.errors.length > 0) terminal.say('')
  sayMessages(run.warnings, terminal, terminal.paint('yellow', '⚠'))
  sayMessages(run.errors, terminal, terminal.paint('red', '✖'))
  if (next.length > 0) terminal.say('')
  for (const line of next) terminal.say(`  ${line}`)
}

function sayCounts({ engines, bing }: ShownRun, terminal: Terminal): void {
  const rows = [
    ...engines.map(({ engine, total, successful, failed, pending }) => [
      inWords.engine(engine),
      total,
      successful,
      failed,
      pending,
    ]),
    ...(bing ? [['Bing Webmaster', bing.total, bing.successful, bing.failed, 0]] : []),
  ]
  if (rows.length === 0) return
  terminal.say('')
  for (const line of table([['engine', 'total', 'accepted', 'failed', 'pending'], ...rows]))
    terminal.say(line)
  if (bing)
    terminal.say(
      `  Bing quota: ${inWords.count(bing.quotaUsed)} used, ${inWords.count(bing.quotaRemaining)} left today`,
    )
}

function skipped({ cached, invalid, deleted }: ShownRun): readonly string[] {
  return [
    ...(cached > 0
      ? [`skipped: ${inWords.count(cached)} accepted before and not changed since`]
      : []),
    ...(invalid > 0 ? [`left out: ${inWords.count(invalid)} not of this site, or no URLs`] : []),
    ...(deleted > 0 ? [`gone from the site: ${inWords.count(deleted)}`] : []),
  ]
}

function sayMessages(messages: readonly string[], terminal: Terminal, mark: string): void {
  for (const message of messages.slice(0, MOST_MESSAGES)) terminal.say(`  ${mark} ${message}`)
  const more = messages.length - MOST_MESSAGES
  if (more > 0) terminal.say(`  … and ${more} more; --json shows all`)
}
