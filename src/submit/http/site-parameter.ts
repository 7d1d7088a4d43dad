import { fail, ok, type Result } from '../../core/result.ts'
import type { Refusal } from '../../http/envelope.ts'
import type { SiteStore } from '../../stores/site-store.ts'

/** The id of the site that is named; without a name of the only one there is. `where` is how to name it. */
export async function chooseSite(
  sites: SiteStore,
  named: string | undefined,
  where = '?site=',
): Promise<Result<string, Refusal>> {
  if (named) return (await sites.get(named)) ? ok(named) : fail(siteMissing(named))
  const [only, ...others] = await sites.list()
  if (!only) {
    return fail({
      code: 'NOT_FOUND',
      message: 'There is no site yet. Add one with POST /api/sites.',
    })
  }
  if (others.length === 0) return ok(only.id)
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
