import type { Terminal } from '../../terminal.ts'
import type { Leak, SearchedPlace } from './evidence.ts'

export interface PlayedFlow {
  readonly flow: string
  /** Where it did not come to what it is there for. */
  readonly reason?: string
}

/** No secret is in it, only names. */
export interface AuditReport {
  readonly passed: boolean
  /** What was looked for. */
  readonly secrets: readonly string[]
  readonly flows: readonly PlayedFlow[]
  readonly places: readonly SearchedPlace[]
  readonly leaks: readonly Leak[]
  /** File modes, and what could not be looked at. */
  readonly problems: readonly string[]
}

export function printAudit(report: AuditReport, terminal: Terminal): void {
  const { passed, secrets, flows, places, leaks, problems } = report
  const good = terminal.paint('green', '✔', 'stdout')
  const bad = terminal.paint('red', '✖', 'stdout')
  for (const { flow, reason } of flows) {
    terminal.print(reason === undefined ? `${good} ${flow}` : `${bad} ${flow}: ${reason}`)
  }
  if (flows.length > 0) terminal.print('')
  for (const { place, meaning, bytes } of places) {
    const isClean = leaks.every((leak) => leak.place !== place)
    terminal.print(`${isClean ? good : bad} ${place}: ${meaning} (${kilobytes(bytes)})`)
  }
  if (leaks.length + problems.length > 0) terminal.print('')
  for (const { secret, form, where } of leaks) {
    terminal.print(`${bad} ${secret}, ${form}, in ${where}`)
  }
  for (const problem of problems) terminal.print(`${bad} ${problem}`)
  terminal.print(`\n${secrets.length} secrets looked for. passed=${passed}`)
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1_024)} KB`
