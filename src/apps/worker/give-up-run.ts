import { describeUnusable, type SiteUnusable } from '../../submit/sealed-settings.ts'
import type { SiteMissing } from '../../stores/site-store.ts'

/** A run whose slices keep failing is given up: the next scheduled one begins anew. */
export const MOST_FAILURES = 5

export const whyBroken = (failures: number) =>
  `${failures} slices in a row broke off because of a bug; the log has the details. The next run begins anew.`

export const whyWithoutSite = (failure: SiteMissing | SiteUnusable) =>
  failure.kind === 'site-missing' ? 'The site was removed.' : describeUnusable(failure)
