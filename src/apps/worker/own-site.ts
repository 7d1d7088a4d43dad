import { fail } from '../../core/result.ts'
import type { SiteStore } from '../../stores/site-store.ts'
import type { DirectoryCalls } from './bindings.ts'

/** The one site of an object, as the directory keeps it. Of others the object knows nothing. */
export function ownSite(
  id: string,
  {
    directory,
    forget,
  }: { readonly directory: DirectoryCalls; readonly forget: SiteStore['remove'] },
): SiteStore {
  const isOwn = (other: string) => other === id
  return {
    create: async (other) => fail({ kind: 'site-exists', id: other }),
    get: async (other) => (isOwn(other) ? directory.getSite(id) : undefined),
    async list() {
      const own = await directory.getSite(id)
      return own ? [own] : []
    },
    replace: async (read, settings) =>
      isOwn(read.id)
        ? directory.replaceSite(read, settings)
        : fail({ kind: 'site-missing', id: read.id }),
    async remove(other) {
      if (!isOwn(other)) return false
      // First what the object holds: killed in between, the site is there still, and can be removed again.
      await forget(id)
      return directory.removeSite(id)
    },
  }
}
