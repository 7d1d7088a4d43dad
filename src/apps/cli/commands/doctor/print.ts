import type { DoctorReport, Finding } from '../../../../submit/doctor/finding.ts'
import type { Colour, Terminal } from '../../terminal.ts'

const MARKS: Readonly<Record<Finding['level'], readonly [mark: string, colour: Colour]>> = {
  ok: ['✔', 'green'],
  warning: ['⚠', 'yellow'],
  error: ['✖', 'red'],
}

/** A line for each check, the fix below it, and how many there were of each. */
export function printReport({ checks, summary }: DoctorReport, terminal: Terminal): void {
  let heading: string | undefined
  for (const check of checks) {
    if (check.site !== heading && check.site !== undefined) terminal.print(`\n${check.site}`)
    heading = check.site
    printCheck(check, terminal)
  }
  const { ok, warnings, errors } = summary
  terminal.print(`\n${ok} ok, ${count(warnings, 'warning')}, ${count(errors, 'error')}`)
}

function printCheck({ level, code, subject, message, fix }: Finding, terminal: Terminal): void {
  const [mark, colour] = MARKS[level]
  const tag = terminal.paint('dim', `[${code}]`, 'stdout')
  terminal.print(`${terminal.paint(colour, mark, 'stdout')} ${subject}: ${message} ${tag}`)
  if (fix !== undefined) terminal.print(`    → ${fix}`)
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
