import { ok } from '../../../../core/result.ts'
import type { FindingCode } from '../../../../submit/doctor/codes.ts'
import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { variablesOf } from '../../variables.ts'
import { examineOne, examineStored } from './examine.ts'
import { type GivenSite, patientOfOptions } from './given-site.ts'
import { printReport } from './print.ts'
import { examineSettings } from './settings.ts'

const NO_SITE = 'No site is stored here. `sluice doctor --sitemap URL --key KEY` looks at one.'
const NOT_LOOKED_AT = 'The sites stored here were not looked at: the store comes first.'

/** Where a store is so, nobody can say which sites are in it. */
const CLOSED: ReadonlySet<string> = new Set<FindingCode>([
  'storage-unwritable',
  'storage-unreadable',
  'storage-schema-newer',
])

/** Exit 0 unless something is wrong that keeps submissions from working. */
export async function runDoctorCommand(call: Call<GivenSite>): Promise<ExitCode> {
  const { words, options, terminal } = call
  const settings = examineSettings(variablesOf(options))
  if (!settings.ok) return call.refuse(settings.failure)
  const given = patientOfOptions(words[0], options, settings.value.config)
  if (!given.ok) return call.refuse(given.failure)

  const report = given.value
    ? ok(await examineOne(given.value, settings.value))
    : await examineStored(words[0], settings.value)
  if (!report.ok) return call.refuse(report.failure)
  if (!report.value.checks.some(({ site }) => site !== undefined)) {
    terminal.say(report.value.checks.some(({ code }) => CLOSED.has(code)) ? NOT_LOOKED_AT : NO_SITE)
  }
  call.answer(report.value, () => printReport(report.value, terminal))
  return report.value.summary.errors > 0 ? EXIT.failed : EXIT.done
}
