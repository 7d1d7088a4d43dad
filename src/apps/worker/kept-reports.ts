import type { ObjectState } from './bindings.ts'
import type { Reports } from './reported-stores.ts'
import type { SiteReport } from './site-report.ts'

const PREFIX = 'report:'

/** What sites have told, kept by the directory; all of it is in memory, so that looking at it reads nothing. */
export interface KeptReports {
  readonly all: Reports
  keep(siteId: string, report: SiteReport): Promise<void>
  forget(siteId: string): Promise<void>
}

export async function openReports(storage: ObjectState['storage']): Promise<KeptReports> {
  const stored = await storage.list<SiteReport>({ prefix: PREFIX })
  const all = new Map([...stored].map(([key, report]) => [key.slice(PREFIX.length), report]))
  return {
    all,
    async keep(siteId, report) {
      all.set(siteId, report)
      await storage.put(`${PREFIX}${siteId}`, report)
    },
    async forget(siteId) {
      all.delete(siteId)
      await storage.delete(`${PREFIX}${siteId}`)
    },
  }
}
