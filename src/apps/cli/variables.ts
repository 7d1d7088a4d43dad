import { describeEach, type SettingProblem } from '../read-config.ts'
import type { GlobalOptions } from './command.ts'
import type { Complaint } from './complaint.ts'
import { EXIT } from './exit-codes.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** The environment as a command takes it: `--data` stands for SLUICE_DATA. */
export function variablesOf({ data }: GlobalOptions): Variables {
  return { ...process.env, ...(data !== undefined && { SLUICE_DATA: data }) }
}

export function badSettings(problems: readonly SettingProblem[]): Complaint {
  const what = `The settings are wrong.\n\n${describeEach(problems)}`
  return { exit: EXIT.wrongUse, code: 'bad-settings', what }
}
