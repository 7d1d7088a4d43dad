import type { ConfigurationProblem } from '../submit/doctor/check-surroundings.ts'
import type { SettingProblem } from './read-config.ts'

/** What `readConfig` warns of, for the doctor: each warning is what is so, then what to do. */
export function doubtfulSettings(warnings: readonly string[]): readonly ConfigurationProblem[] {
  return warnings.map((warning) => {
    const end = warning.lastIndexOf('. ')
    return {
      level: 'doubtful',
      variable: warning.split(' ', 1)[0] ?? '',
      message: warning.slice(0, end + 1),
      fix: warning.slice(end + 2),
    }
  })
}

/** What `readConfig` refuses, for the doctor. */
export function invalidSettings(
  problems: readonly SettingProblem[],
): readonly ConfigurationProblem[] {
  return problems.map(({ name, given, shouldBe, example }) => ({
    level: 'invalid',
    variable: name,
    message: `${name} ${given === undefined ? 'is missing or not usable' : `is ${given}`}; it should be ${shouldBe}.`,
    fix: `For example: ${name}=${example}`,
  }))
}
