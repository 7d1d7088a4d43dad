import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { utcDayOf, utcDaysUntil } from '../../core/utc-day.ts'
import { requires } from '../../http/access.ts'
import { answer, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { readQuery } from '../../http/read-query.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { bingStatus } from '../bing-status.ts'
import { leaseNameOf } from '../run-site.ts'
import { describeUnusable } from '../sealed-settings.ts'
import { lastExecution, shownRun } from '../shown-run.ts'
import { getSite, type SitesOptions } from '../sites.ts'
import { chooseSite } from './site-parameter.ts'

const STATUS = z.object({ site: z.string().optional() })
const DAILY = z.object({
  days: z.coerce.number().int('should be a whole number').min(1).max(366).default(7),
  site: z.string().optional(),
})

export interface StatusRoutesOptions {
  readonly stores: SubmitStores
  readonly sites: SitesOptions
  readonly clock: Clock
}

/** How a site is doing, and what was submitted by day (SPEC R05). */
export function statusRoutes({ stores, sites, clock }: StatusRoutesOptions): RouteModule {
  return (app) => {
    app.get('/status', requires('read'), async (c) => {
      const query = readQuery(c, STATUS)
      if (!query.ok) return refuse(c, query.failure)
      const chosen = await chooseSite(stores.sites, query.value.site)
      if (!chosen.ok) return refuse(c, chosen.failure)
      const siteId = chosen.value
      const [site, held, runs] = await Promise.all([
        getSite(sites, siteId),
        stores.leases.held(),
        stores.runs.list(siteId, 2),
      ])
      const isRunning = held.some(({ name }) => name === leaseNameOf(siteId))
      const [newest, before] = runs
      const current = newest?.status === 'running' ? newest : undefined
      const last = current ? before : newest
      return answer(c, {
        status: isRunning ? 'running' : site.ok && !site.value.enabled ? 'disabled' : 'idle',
        siteId,
        lastExecution: last ? lastExecution(last) : null,
        ...(current && isRunning && { currentRun: shownRun(current) }),
        bing: await bingStatus(site.ok ? site.value : undefined, {
          stores,
          now: clock.now(),
          last,
        }),
        warnings: [...problemsOf(site), ...(last?.warnings ?? [])],
      })
    })

    app.get('/api/stats/daily', requires('read'), async (c) => {
      const query = readQuery(c, DAILY)
      if (!query.ok) return refuse(c, query.failure)
      const { days, site } = query.value
      const daily = await stores.runs.daily(utcDaysUntil(utcDayOf(clock.now()), days), site)
      return answer(c, { daily: daily.map(({ day, ...totals }) => ({ date: day, ...totals })) })
    })
  }
}

function problemsOf(site: Awaited<ReturnType<typeof getSite>>): readonly string[] {
  if (site.ok || site.failure.kind === 'site-missing') return []
  return [describeUnusable(site.failure)]
}
