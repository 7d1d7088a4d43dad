import { mapWithConcurrency } from '../../core/concurrency.ts'
import type { Result } from '../../core/result.ts'
import { describeUnusable, type SiteUnusable } from '../sealed-settings.ts'
import { type DoctorDeps, within } from './care.ts'
import {
  checkConfiguration,
  checkStorage,
  type ConfigurationProblem,
  type StorageState,
} from './check-surroundings.ts'
import { examineSite } from './examine-site.ts'
import { type DoctorReport, type Finding, finding, reportOf } from './finding.ts'
import { CHECK_MS, SITES_AT_ONCE } from './limits.ts'
import type { Patient } from './patient.ts'

/** What only the one who runs on a machine can tell of it. What is absent is not looked at. */
export interface Machine {
  readonly storage?: () => StorageState | Promise<StorageState>
  readonly configuration?: readonly ConfigurationProblem[]
}

export interface DoctorAsk {
  readonly machine: Machine
  readonly sites: readonly Result<Patient, SiteUnusable>[]
}

/** Everything that is asked for, side by side. */
export async function runDoctor(ask: DoctorAsk, deps: DoctorDeps): Promise<DoctorReport> {
  const machine = examineMachine(ask.machine, deps)
  const sites = mapWithConcurrency(ask.sites, SITES_AT_ONCE, async (site) =>
    site.ok ? examineSite(site.value, deps) : [unusable(site.failure)],
  )
  return reportOf([...(await machine), ...(await sites).flat()])
}

async function examineMachine(
  { storage, configuration }: Machine,
  deps: DoctorDeps,
): Promise<readonly Finding[]> {
  const check = async () => (storage ? checkStorage(await storage()) : [])
  return [
    ...(configuration ? checkConfiguration(configuration) : []),
    ...(await within({ subject: 'the store', limitMs: CHECK_MS, check }, deps)),
  ]
}

function unusable(failure: SiteUnusable): Finding {
  const { id } = failure
  const told = finding('site-unusable', {
    subject: id,
    message: describeUnusable(failure),
    fix: `Set what is named anew with PUT /api/sites/${id}, or set COOKIE_MASTER_KEY to the key with which it was sealed.`,
  })
  return { ...told, site: id }
}
