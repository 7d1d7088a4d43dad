import { openBudget } from '../../core/budget.ts'
import { silentLog } from '../../core/log.ts'
import { rateLimit } from '../../core/rate-limit.ts'
import type { QuotaStore } from '../../stores/quota-store.ts'
import { type BingCheck, checkBing as askBing } from '../channels/bing/check.ts'
import { type Bing, openBing } from '../channels/bing/open.ts'
import type { BingSettings } from '../site.ts'
import type { Care } from './care.ts'
import { type Finding, finding } from './finding.ts'
import { CHECK_MS, REQUEST_MS } from './limits.ts'
import type { Patient } from './patient.ts'

/** Whether Bing knows the key and the site, and how much it would still take today. Submits nothing. */
export async function checkBing(
  { id: siteId, sitemapUrl }: Patient,
  settings: BingSettings,
  { store, ...care }: Care & { readonly store: QuotaStore },
): Promise<Finding> {
  const { http, clock, signal } = care
  const bing = openBing(
    {
      siteId,
      sitemapUrl,
      settings,
      apiUrl: care.settings.bingApiUrl,
      runStartedAt: clock.now(),
      store,
    },
    {
      http,
      clock,
      signal,
      log: silentLog,
      pace: rateLimit({ maxInFlight: 1, intervalMs: 0 }, clock),
      budget: openBudget({ timeMs: CHECK_MS }, clock),
      rules: {
        requestTimeoutMs: REQUEST_MS,
        maxInFlight: 1,
        maxRetries: 0,
        retryBaseMs: 0,
        rateLimitWaitMs: 0,
      },
    },
  )
  return judge(await askBing(bing), bing)
}

const SITE_FIXES = {
  missing: 'Add the site in Bing Webmaster Tools with exactly this address, and verify it there.',
  unverified: 'Verify the site in Bing Webmaster Tools.',
} as const

async function judge(check: BingCheck, { api, holds, quota }: Bing): Promise<Finding> {
  const subject = `Bing, ${api.siteUrl}`
  const { key, site, problems } = check
  const said = problems.join(' ')
  if (key === 'invalid') {
    const message = 'Bing does not know the API key.'
    const fix =
      'Copy it anew from Bing Webmaster Tools (Settings, API access) into bingApiKey of the site.'
    return finding('bing-key-invalid', { subject, message, fix })
  }
  if (site === 'missing' || site === 'unverified') {
    const lacks = site === 'missing' ? 'is not in the account of this API key' : 'is not verified'
    const message = `${api.siteUrl} ${lacks}.`
    return finding(`bing-site-${site}`, { subject, message, fix: SITE_FIXES[site] })
  }
  if (key === 'unknown' || !check.quota) {
    const isResting = (await holds.current())?.stops === 'rate-limited'
    return isResting
      ? finding('bing-resting', {
          subject,
          message: said,
          fix: 'Nothing to do: every further call would make it longer.',
        })
      : finding('bing-unreachable', {
          subject,
          message: `Bing could not be asked. ${said}`,
          fix: 'Try again later; if it stays so, check BING_API_URL and that this machine may reach it.',
        })
  }
  const { daily, monthly } = check.quota
  const [remaining, limit] = await Promise.all([quota.remaining(), quota.limit()])
  const left = Math.min(remaining, daily, monthly ?? daily)
  const details = { left, limit, toldDaily: daily, toldMonthly: monthly ?? null }
  if (left > 0) {
    const message = `Bing knows the key and the site; ${left} URLs can still be sent today.`
    return finding('bing', { subject, message, details })
  }
  return finding('bing-quota-exhausted', {
    subject,
    message: `Nothing is left of today's quota of ${limit} URLs; IndexNow is not touched by that.`,
    fix: 'Nothing to do: it starts anew at 00:00 UTC. If Bing grants more, raise bingDailyQuota or set it to "auto".',
    details,
  })
}
