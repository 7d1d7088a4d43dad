import { fail, ok, type Result } from '../../../../core/result.ts'
import { within } from '../../../../submit/doctor/care.ts'
import { checkKey } from '../../../../submit/doctor/check-key.ts'
import { type DoctorReport, reportOf } from '../../../../submit/doctor/finding.ts'
import { CHECK_MS } from '../../../../submit/doctor/limits.ts'
import { type Patient, patientFrom } from '../../../../submit/doctor/patient.ts'
import { isHttpAddress } from '../../../../submit/search-engines.ts'
import type { Config } from '../../../settings.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { untilInterrupted } from '../../interruption.ts'
import { variablesOf } from '../../variables.ts'
import { depsFrom, examineStored } from '../doctor/examine.ts'
import { printReport } from '../doctor/print.ts'
import { examineSettings, type ExaminedSettings } from '../doctor/settings.ts'

export interface KeyCheckOptions {
  readonly host?: string
}

/** The doctor's findings about keys alone. */
export async function runKeyCheck(call: Call<KeyCheckOptions>): Promise<ExitCode> {
  const { words, options, terminal } = call
  const { host } = options
  const settings = examineSettings(variablesOf(options))
  if (!settings.ok) return call.refuse(settings.failure)
  const report =
    host === undefined
      ? await checkStored(words[0], settings.value)
      : await checkGiven(words[0], host, settings.value.config)
  if (!report.ok) return call.refuse(report.failure)
  call.answer(report.value, () => printReport(report.value, terminal))
  return report.value.summary.errors > 0 ? EXIT.failed : EXIT.done
}

async function checkGiven(
  key: string | undefined,
  host: string,
  config: Config,
): Promise<Result<DoctorReport, Complaint>> {
  const given = patientOf(key ?? '', host)
  if (!given.ok) return given
  const check = { subject: 'the key file', limitMs: CHECK_MS }
  const found = await untilInterrupted((signal) =>
    within(
      { ...check, check: (care) => checkKey(given.value, care) },
      { ...depsFrom(config), signal },
    ),
  )
  return ok(reportOf(found))
}

/** A host, or with its scheme where it is not served by https. */
function patientOf(key: string, host: string): Result<Patient, Complaint> {
  const address = host.includes('://') ? host : `https://${host}`
  if (key === '') return wrong('The key is missing.')
  if (!isHttpAddress(address)) return wrong(`"${host}" is not a host.`)
  return ok(patientFrom({ sitemapUrl: new URL('/', address).href, key }))
}

function wrong(what: string): Result<never, Complaint> {
  const advice = 'Give both: sluice key check KEY --host example.com'
  return fail({ exit: EXIT.wrongUse, code: 'wrong-use', what, advice })
}

async function checkStored(
  site: string | undefined,
  settings: ExaminedSettings,
): Promise<Result<DoctorReport, Complaint>> {
  const report = await examineStored(site, settings)
  if (!report.ok) return report
  const ofKeys = report.value.checks.filter(({ code }) => code.startsWith('key-'))
  if (ofKeys.length > 0) return ok(reportOf(ofKeys))
  return fail({
    exit: EXIT.wrongUse,
    code: 'NOT_FOUND',
    what: 'No site is stored here whose key could be checked.',
    advice: 'Give a key and a host: sluice key check KEY --host example.com',
  })
}
