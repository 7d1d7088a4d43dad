import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import type { Result } from '../../core/result.ts'
import { utcDayOf, utcDaysUntil } from '../../core/utc-day.ts'
import { answer, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { addOperation } from '../../http/operation.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { bingStatus } from '../bing-status.ts'
import { leaseNameOf } from '../site-lease.ts'
import { describeUnusable, siteOf, type SiteUnusable } from '../sealed-settings.ts'
import type { Site } from '../site.ts'
import { asTheyAre, lastExecution, shownRun } from '../shown-run.ts'
import type { SitesOptions } from '../sites.ts'
import { BING_STATUS, DAY, LAST_EXECUTION, RUN } from './shapes.ts'
import { chooseRecord, siteMissing } from './site-parameter.ts'

const STATUS = {
  methods: ['get'],
  path: '/status',
  access: 'read',
  subject: 'Status',
  summary: 'How a site is doing',
  query: z.strictObject({ site: z.string().optional() }),
  status: 200,
  answer: {
    status: z.enum(['running', 'idle', 'disabled']),
    siteId: z.string(),
    lastExecution: LAST_EXECUTION.nullable(),
    currentRun: RUN.optional(),
    bing: BING_STATUS,
    warnings: z.array(z.string()),
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND'],
} as const

const DAILY = {
  methods: ['get'],
  path: '/api/stats/daily',
  access: 'read',
  subject: 'Status',
  summary: 'What was submitted, by UTC day, oldest first',
  query: z.strictObject({
    days: wholeNumber(1, 366).default(7),
    site: z.string().optional(),
  }),
  status: 200,
  answer: { daily: z.array(DAY) },
  refusals: ['INVALID_INPUT', 'NOT_FOUND'],
} as const

export interface StatusRoutesOptions {
  readonly stores: SubmitStores
  readonly sites: SitesOptions
  readonly clock: Clock
}

/** How a site is doing, and what was submitted by day (SPEC R05). */
export function statusRoutes({ stores, sites, clock }: StatusRoutesOptions): RouteModule {
  return (app) => {
    addOperation(app, STATUS, async (c, query) => {
      const chosen = await chooseRecord(stores.sites, query.site)
      if (!chosen.ok) return refuse(c, chosen.failure)
      const siteId = chosen.value.id
      const [site, held, runs] = await Promise.all([
        siteOf(chosen.value, sites.sealer, sites.defaults),
        stores.leases.held(),
        stores.runs.list(siteId, 2).then((kept) => asTheyAre(kept, stores)),
      ])
      const isRunning = held.some(({ name }) => name === leaseNameOf(siteId))
      const [newest, before] = runs
      const current = newest?.status === 'running' ? newest : undefined
      const last = current ? before : newest
      return answer(c, {
        status: isRunning ? 'running' : site.ok && !site.value.enabled ? 'disabled' : 'idle',
        siteId,
        lastExecution: last ? lastExecution(last) : null,
        ...(current && { currentRun: shownRun(current) }),
        bing: await bingStatus(site.ok ? site.value : undefined, {
          stores,
          now: clock.now(),
          last,
        }),
        warnings: [...problemsOf(site), ...(last?.warnings ?? [])],
      })
    })

    addOperation(app, DAILY, async (c, { days, site }) => {
      if (site && !(await stores.sites.get(site))) return refuse(c, siteMissing(site))
      const daily = await stores.runs.daily(utcDaysUntil(utcDayOf(clock.now()), days), site)
      return answer(c, { daily: daily.map(({ day, ...totals }) => ({ date: day, ...totals })) })
    })
  }
}

function problemsOf(site: Result<Site, SiteUnusable>): readonly string[] {
  return site.ok ? [] : [describeUnusable(site.failure)]
}
