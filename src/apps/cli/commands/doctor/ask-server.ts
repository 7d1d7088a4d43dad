import { seconds } from '../../../../core/duration.ts'
import { ok, type Result } from '../../../../core/result.ts'
import { type DoctorReport, type Finding, reportOf } from '../../../../submit/doctor/finding.ts'
import type { Config } from '../../../settings.ts'
import type { Complaint } from '../../complaint.ts'
import { findServer } from '../../find-server.ts'
import { listedSites, sitePath } from '../../sites-api.ts'

/** Longer than the doctor takes for one site. */
const TIMEOUT_MS = seconds(120)

/** The server that holds the folder, if there is one: it examines its sites itself, where they are run. */
export async function askServer(
  config: Config,
  site: string | undefined,
): Promise<Result<DoctorReport, Complaint> | undefined> {
  const server = await findServer(config, { timeoutMs: TIMEOUT_MS })
  if (!server?.ok) return server
  const sites = site === undefined ? await listedSites(server.value) : ok([{ id: site }])
  if (!sites.ok) return sites
  const checks: Finding[] = []
  for (const { id } of sites.value) {
    const examined = await server.value.ask('GET', `${sitePath(id)}/doctor`)
    if (!examined.ok) return examined
    checks.push(...(examined.value['checks'] as readonly Finding[]))
  }
  return ok(reportOf(eachOnce(checks)))
}

/** What is said of the machine comes with every site. */
function eachOnce(checks: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>()
  const firsts = checks.filter(({ site, code, subject }) => {
    const name = `${code} ${subject}`
    const isNew = site !== undefined || !seen.has(name)
    seen.add(name)
    return isNew
  })
  return firsts.toSorted((a, b) => Number(a.site !== undefined) - Number(b.site !== undefined))
}
