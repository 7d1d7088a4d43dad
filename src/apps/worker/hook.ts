import type { Site } from '../../submit/site.ts'
import type { RunDeps } from '../../submit/site-run.ts'
import { type SubmittedUrls, submitUrls } from '../../submit/submit-urls.ts'
import { type Plan, PLANS } from './plans.ts'
import { openSliceBudget, type RequestCount } from './slice-budget.ts'
import type { Surroundings } from './surroundings.ts'

export interface HookAsk {
  readonly site: Site
  readonly urls: readonly string[]
  /** Those of `deps`. */
  readonly requests: RequestCount
  readonly signal: AbortSignal
}

/** A hook is answered by one invocation: what it cannot send it says, and nothing is sent later. */
export function submitFromHook(
  { site, urls, requests, signal }: HookAsk,
  deps: RunDeps,
  { config, clock, random }: Surroundings,
): Promise<SubmittedUrls> {
  const plan = PLANS[config.workersPlan]
  return submitUrls(
    {
      id: `hook-${random.uuid()}`,
      site: withinOneInvocation(site, urls.length, plan),
      urls,
      signal,
      budget: openSliceBudget({ plan, requests, clock, timeMs: config.runBudgetMs }),
    },
    deps,
  )
}

/** URLs that would each be a request go together instead. */
function withinOneInvocation(site: Site, urls: number, plan: Plan): Site {
  const isTooMany = urls * site.searchEngines.length > plan.requests
  return site.submitMode === 'auto' && isTooMany ? { ...site, submitMode: 'post' } : site
}
