import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { ok } from '../../core/result.ts'
import { utcDayOf, utcDaysUntil } from '../../core/utc-day.ts'
import { answer, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { addOperation } from '../../http/operation.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { bingStatus } from '../bing-status.ts'
import { leaseNameOf } from '../site-lease.ts'
import { lastExecution, lastRuns, shownRun } from '../shown-run.ts'
import { openStatusSettings } from '../status-settings.ts'
import type { SitesOptions } from '../sites.ts'
import { BING_STATUS, DAY, LAST_EXECUTION, RUN } from './shapes.ts'
import { chooseSite, siteMissing } from './site-parameter.ts'

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
  const settingsOf = openStatusSettings(sites)
  return (app) => {
    addOperation(app, STATUS, async (c, query) => {
      const chosen = query.site ? ok(query.site) : await chooseSite(stores.sites, undefined)
      if (!chosen.ok) return refuse(c, chosen.failure)
      const siteId = chosen.value
      const seen = await stores.glances.at(siteId, leaseNameOf(siteId))
      if (!seen) return refuse(c, siteMissing(siteId))
      const { enabled, bing, problems } = await settingsOf({ id: siteId, settings: seen.settings })
      const { current, last } = await lastRuns(siteId, seen.newest, stores)
      return answer(c, {
        status: seen.isHeld ? 'running' : enabled ? 'idle' : 'disabled',
        siteId,
        lastExecution: last ? lastExecution(last) : null,
        ...(current && { currentRun: shownRun(current) }),
        bing: await bingStatus(bing, { stores, now: clock.now(), last }),
        warnings: [...problems, ...(last?.warnings ?? [])],
      })
    })

    addOperation(app, DAILY, async (c, { days, site }) => {
      if (site && !(await stores.sites.get(site))) return refuse(c, siteMissing(site))
      const daily = await stores.runs.daily(utcDaysUntil(utcDayOf(clock.now()), days), site)
      return answer(c, { daily: daily.map(({ day, ...totals }) => ({ date: day, ...totals })) })
    })
  }
}
