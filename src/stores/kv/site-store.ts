import type { Clock } from '../../core/clock.ts'
import { fail, ok } from '../../core/result.ts'
import type { SiteRecord, SiteStore } from '../site-store.ts'
import type { Documents } from './documents.ts'
import { KEYS } from './keys.ts'

/** In one value, so that all of them are one read: to list keys costs as much as to write one. */
interface Sites {
  readonly sites: Readonly<Record<string, SiteRecord>>
}

const NO_SITES: Sites = { sites: {} }

type Answer<M extends 'create' | 'replace'> = Awaited<ReturnType<SiteStore[M]>>

export function kvSiteStore(
  documents: Documents,
  clock: Clock,
  forget: (siteId: string) => Promise<void>,
): SiteStore {
  const all = async () => (await documents.read<Sites>(KEYS.sites)) ?? NO_SITES
  return {
    create: (id, settings) =>
      documents.change<Sites, Answer<'create'>>(KEYS.sites, ({ sites } = NO_SITES) => {
        if (Object.hasOwn(sites, id)) return { answer: fail({ kind: 'site-exists', id }) }
        const now = clock.now()
        const site = { id, settings, createdAt: now, updatedAt: now, version: 1 }
        return { after: { sites: { ...sites, [id]: site } }, answer: ok(site) }
      }),
    replace: ({ id, version }, settings) =>
      documents.change<Sites, Answer<'replace'>>(KEYS.sites, ({ sites } = NO_SITES) => {
        const before = Object.hasOwn(sites, id) ? sites[id] : undefined
        if (!before) return { answer: fail({ kind: 'site-missing', id }) }
        if (before.version !== version) return { answer: fail({ kind: 'site-changed', id }) }
        const site = { ...before, settings, updatedAt: clock.now(), version: version + 1 }
        return { after: { sites: { ...sites, [id]: site } }, answer: ok(site) }
      }),
    async remove(id) {
      if (!Object.hasOwn((await all()).sites, id)) return false
      // First what belongs to it: killed in between, the site is there still, and can be removed again.
      await forget(id)
      return documents.change<Sites, boolean>(KEYS.sites, ({ sites } = NO_SITES) => {
        const { [id]: removed, ...others } = sites
        return removed ? { after: { sites: others }, answer: true } : { answer: false }
      })
    },
    async get(id) {
      const { sites } = await all()
      return Object.hasOwn(sites, id) ? sites[id] : undefined
    },
    list: async () => Object.values((await all()).sites).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }
}
