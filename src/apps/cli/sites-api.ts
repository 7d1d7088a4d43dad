import { ok, type Result } from '../../core/result.ts'
import type { ShownSite } from '../../submit/sites.ts'
import type { Api } from './api.ts'
import type { Complaint } from './complaint.ts'

/** What to say to whoever asks after all of them when there is none. */
export const NO_SITE_YET = 'There is no site yet. Add one with `sluice sites add`.'

/** Where the API has one site. */
export const sitePath = (id: string) => `/api/sites/${encodeURIComponent(id)}`

/** Every site there is. */
export async function listedSites(api: Api): Promise<Result<readonly ShownSite[], Complaint>> {
  const listed = await api.ask('GET', '/api/sites')
  return listed.ok ? ok(listed.value['sites'] as readonly ShownSite[]) : listed
}
