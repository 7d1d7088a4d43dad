import { systemClock } from '../../../../core/clock.ts'
import { nearestName } from '../../../../core/nearest-name.ts'
import { fail, ok, type Result } from '../../../../core/result.ts'
import type { DoctorDeps } from '../../../../submit/doctor/care.ts'
import type { StorageState } from '../../../../submit/doctor/check-surroundings.ts'
import type { DoctorReport } from '../../../../submit/doctor/finding.ts'
import type { Patient } from '../../../../submit/doctor/patient.ts'
import { type DoctorAsk, runDoctor } from '../../../../submit/doctor/run-doctor.ts'
import { nodeGunzip } from '../../../node/gunzip.ts'
import { inspectStorage } from '../../../node/inspect-storage.ts'
import { openHttp } from '../../../node/open-http.ts'
import type { Config } from '../../../settings.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT } from '../../exit-codes.ts'
import { untilInterrupted } from '../../interruption.ts'
import { askServer } from './ask-server.ts'
import { patientOfEnvironment } from './given-site.ts'
import type { ExaminedSettings } from './settings.ts'
import { openStoredSites, type StoredSites } from './stored-sites.ts'

/** A site that is stored nowhere: the data folder is none of its business. */
export function examineOne(patient: Patient, { config, problems }: ExaminedSettings) {
  return examine({ machine: { configuration: problems }, sites: [ok(patient)] }, config)
}

/** The sites of the server that holds the folder, or else those in it; one of them where it is named. */
export async function examineStored(
  site: string | undefined,
  { config, problems }: ExaminedSettings,
): Promise<Result<DoctorReport, Complaint>> {
  const asked = await askServer(config, site)
  if (asked) return asked
  const storage = inspectStorage(config.sluiceData)
  const stored = await openStoredSites(config, storage)
  try {
    const chosen = chooseSites(site, stored, config)
    if (!chosen.ok) return isReadable(storage) ? chosen : fail(notReadable(storage))
    const machine = { configuration: problems, storage: () => storage }
    return ok(await examine({ machine, sites: chosen.value }, config, stored))
  } finally {
    stored.close()
  }
}

type Sites = DoctorAsk['sites']

/** What the environment names is a site too, also before a server has taken it over. */
function chooseSites(
  site: string | undefined,
  stored: StoredSites,
  config: Config,
): Result<Sites, Complaint> {
  const ids = stored.sites.map(idOf)
  const own = patientOfEnvironment(config)
  const all: Sites = own && !ids.includes(own.id) ? [...stored.sites, ok(own)] : stored.sites
  if (site === undefined) return ok(all)
  const chosen = all.filter((one) => idOf(one) === site)
  if (chosen.length > 0) return ok(chosen)
  const meant = nearestName(site, all.map(idOf))
  return fail({
    exit: EXIT.wrongUse,
    code: 'NOT_FOUND',
    what: `There is no site "${site}" in ${config.sluiceData}.`,
    advice: meant
      ? `Did you mean ${meant}?`
      : '`sluice doctor --sitemap URL --key KEY` looks at a site that is not stored.',
  })
}

const idOf = (site: Sites[number]) => (site.ok ? site.value.id : site.failure.id)

const isReadable = ({ unreadable, unwritable }: StorageState) =>
  unreadable === undefined && unwritable === undefined

function notReadable({ where, unreadable, unwritable }: StorageState): Complaint {
  return {
    exit: EXIT.failed,
    code: 'storage-unreadable',
    what: `The sites in ${where} cannot be read (${unreadable ?? unwritable}).`,
    advice: '`sluice doctor` without a site says more of it.',
  }
}

async function examine(
  ask: DoctorAsk,
  config: Config,
  { quota }: Pick<StoredSites, 'quota'> = {},
): Promise<DoctorReport> {
  return untilInterrupted((signal) => runDoctor(ask, { ...depsFrom(config), quota, signal }))
}

/** What the doctor works with, by the settings. */
export function depsFrom(config: Config): Omit<DoctorDeps, 'signal'> {
  const clock = systemClock
  return { http: openHttp(config, clock), clock, gunzip: nodeGunzip, settings: config }
}
