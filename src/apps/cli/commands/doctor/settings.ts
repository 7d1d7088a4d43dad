import { ok, fail, type Result } from '../../../../core/result.ts'
import type { ConfigurationProblem } from '../../../../submit/doctor/check-surroundings.ts'
import { doubtfulSettings, invalidSettings } from '../../../configuration-problems.ts'
import { readConfig } from '../../../read-config.ts'
import type { Config } from '../../../settings.ts'
import { VERSION } from '../../../version.ts'
import type { Complaint } from '../../complaint.ts'
import { badSettings, type Variables } from '../../variables.ts'

export interface ExaminedSettings {
  readonly config: Config
  readonly problems: readonly ConfigurationProblem[]
}

const AROUND = { version: VERSION, isTerminal: true }

/** The settings with everything that is wrong with them: to the doctor a wrong variable is a finding, not the end. */
export function examineSettings(env: Variables): Result<ExaminedSettings, Complaint> {
  const read = readConfig(env, AROUND)
  if (read.ok) {
    const { config, warnings } = read.value
    return ok({ config, problems: doubtfulSettings(warnings) })
  }
  // HOST is only wrong together with others, and means nothing here.
  const wrong = new Set<string>([...read.failure.map(({ name }) => name), 'HOST'])
  const rest = Object.entries(env).filter(([name]) => !wrong.has(name))
  const again = readConfig(Object.fromEntries(rest), AROUND)
  const problems = invalidSettings(read.failure)
  if (again.ok) {
    const { config, warnings } = again.value
    return ok({ config, problems: [...problems, ...doubtfulSettings(warnings)] })
  }
  const bare = readConfig({ SLUICE_DATA: env['SLUICE_DATA'] }, AROUND)
  if (bare.ok) return ok({ config: bare.value.config, problems })
  return fail(badSettings(bare.failure))
}
