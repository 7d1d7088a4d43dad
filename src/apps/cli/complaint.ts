import type { ExitCode } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Why a command did not do what it was asked for. */
export interface Complaint {
  readonly exit: ExitCode
  /** Stable, for scripts: `error.code` of the `--json` document. */
  readonly code: string
  /** What happened and why. */
  readonly what: string
  /** What to do next. */
  readonly advice?: string
}

/** Printed for people on stderr, and with `--json` as the one document on stdout. */
export function complain(
  { exit, code, what, advice }: Complaint,
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): ExitCode {
  const mark = terminal.paint('red', '✖')
  terminal.complain(`${mark} ${what}`)
  if (advice !== undefined) terminal.complain(indented(advice))
  if (json) printComplaint({ code, what, ...(advice !== undefined && { advice }) }, terminal)
  return exit
}

/** The document of `--json`; its codes are written as the API writes its own. */
export function printComplaint(
  { code, what, advice }: Omit<Complaint, 'exit'>,
  terminal: Terminal,
): void {
  const message = advice === undefined ? what : `${what} ${advice}`
  terminal.print(JSON.stringify({ error: { code: inCapitals(code), message } }, undefined, 2))
}

/** `unknownOption` and `no-key` as UNKNOWN_OPTION and NO_KEY. */
function inCapitals(code: string): string {
  const words = code.replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, '_')
  return words.toUpperCase()
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}
