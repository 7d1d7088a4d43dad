import { shownSite } from '../submit/sites.ts'
import type { DashboardDeps } from './deps.ts'

type Known = Pick<DashboardDeps, 'stores' | 'sites'>

/** As its own page is headed; the id of one that is gone. */
export async function siteName(id: string, { stores, sites }: Known): Promise<string> {
  const record = await stores.sites.get(id)
  return record ? shownSite(record, sites.defaults).name : id
}

export async function siteNames({ stores, sites }: Known): Promise<ReadonlyMap<string, string>> {
  const records = await stores.sites.list()
  return new Map(records.map((record) => [record.id, shownSite(record, sites.defaults).name]))
}
