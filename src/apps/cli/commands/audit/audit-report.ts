import type { Terminal } from '../../terminal.ts'
import type { Leak, SearchedPlace } from './evidence.ts'

export interface PlayedFlow {
  readonly flow: string
  /** Where it did not come to what it is there for. */
  readonly reason?: string
}

/** The program that is installed is one file: of the rules that its sources are held to, nothing can be seen in it. */
export const NOT_CHECKED = [
  'who may import whom, and where a secret may be revealed. The sources are held to that; in a checkout: npx vitest run test/architecture.test.ts',
] as const

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
  /** What belongs to an audit and is not part of this one. */
  readonly notChecked: readonly string[]
}

export function printAudit(report: AuditReport, terminal: Terminal): void {
  const { passed, secrets, flows, places, leaks, problems, notChecked } = report
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
  terminal.print('')
  for (const what of notChecked) terminal.print(`– not checked: ${what}`)
  terminal.print(`\n${secrets.length} secrets looked for. passed=${passed}`)
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1_024)} KB`
