import { fail, ok, type Result } from '../../core/result.ts'
import type { Refusal } from '../../http/envelope.ts'
import type { SiteRecord, SiteStore } from '../../stores/site-store.ts'

/** The id of the site that is named; without a name of the only one there is. `where` is how to name it. */
export async function chooseSite(
  sites: SiteStore,
  named: string | undefined,
  where = '?site=',
): Promise<Result<string, Refusal>> {
  const chosen = await chooseRecord(sites, named, where)
  return chosen.ok ? ok(chosen.value.id) : chosen
}

/** The same, as it is stored: for whoever wants more of it than its id. */
export async function chooseRecord(
  sites: SiteStore,
  named: string | undefined,
  where = '?site=',
): Promise<Result<SiteRecord, Refusal>> {
  if (named) {
    const record = await sites.get(named)
    return record ? ok(record) : fail(siteMissing(named))
  }
  const [only, ...others] = await sites.list()
  if (!only) {
    return fail({
      code: 'NOT_FOUND',
      message: 'There is no site yet. Add one with POST /api/sites.',
    })
  }
  if (others.length === 0) return ok(only)
  return fail({
    code: 'INVALID_INPUT',
    message: `There are several sites: say which, with ${where}. GET /api/sites lists them.`,
  })
}

export function siteMissing(id: string): Refusal {
  return {
    code: 'NOT_FOUND',
    message: `There is no site "${id}". GET /api/sites lists those there are.`,
  }
}
