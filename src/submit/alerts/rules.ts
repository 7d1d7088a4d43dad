import type { AlertRule, AlertText } from '../../core/alert.ts'
import { hours } from '../../core/duration.ts'
import { redactText } from '../../core/redact.ts'
import type { EngineCounts, FinishedRun, Run } from '../../stores/run-store.ts'
import type { Site } from '../site.ts'

/** docs/spec.md R06, and what an engine may be waiting for. */
const LIMITS = {
  failedShare: 0.1,
  withoutSuccessMs: hours(48),
  /** An engine checks a key within minutes; one that still waits at the third run waits for us. */
  unverifiedRuns: 3,
} as const

const AT_ONCE = { raiseAfterMs: 0, clearAfterMs: 0 } as const

/** What is watched about each site. The name, a colon and the site's id are an alert's key. */
export const SITE_RULES = {
  'failed-urls': { severity: 'P1', ...AT_ONCE },
  'no-success': { severity: 'P1', ...AT_ONCE },
  'empty-sitemap': { severity: 'P1', ...AT_ONCE },
  'key-unverified': { severity: 'P2', ...AT_ONCE },
  'bing-key': { severity: 'P2', ...AT_ONCE },
} as const satisfies Record<string, Omit<AlertRule, 'key'>>

export type SiteRuleName = keyof typeof SITE_RULES

export const SITE_RULE_NAMES = Object.keys(SITE_RULES) as readonly SiteRuleName[]

export function siteRule(name: SiteRuleName, siteId: string): AlertRule {
  return { key: `${name}:${siteId}`, ...SITE_RULES[name] }
}

/** The site an alert is about; undefined for one that is about no site. */
export function siteOfAlert(key: string): string | undefined {
  const name = SITE_RULE_NAMES.find((rule) => key.startsWith(`${rule}:`))
  return name && key.slice(name.length + 1)
}

type WatchedSite = Pick<Site, 'id' | 'name' | 'sitemapUrl'>

/** What is known when a run has ended. */
export interface RunFacts {
  readonly site: WatchedSite & Pick<Site, 'host'>
  readonly run: FinishedRun
  /** The runs before it, newest first. */
  readonly earlier: readonly Run[]
  /** Whether the run read the sitemap to its end: a broken one is no empty one. */
  readonly sitemap: 'whole' | 'broken' | 'not-read'
  /** What Bing thinks of the key: why it was refused, or lets nothing through since it was. */
  readonly bingKey: 'accepted' | 'not-used' | 'unknown' | { readonly refused: string }
}

/** What a rule finds: something wrong, all well, or nothing that would say either. */
export type Finding = { readonly wrong: AlertText } | 'well' | 'unknown'

/** The rules that a run's end answers. */
export const RUN_RULES = {
  'failed-urls': findFailedUrls,
  'empty-sitemap': findEmptySitemap,
  'key-unverified': findUnverifiedKey,
  'bing-key': findBadBingKey,
} as const satisfies Partial<Record<SiteRuleName, (facts: RunFacts) => Finding>>

function findFailedUrls({ site, run, bingKey }: RunFacts): Finding {
  // Without a key that works everything fails at Bing, and `bing-key` tells so.
  const bing = isRefused(bingKey) || !run.bing ? [] : [{ engine: 'Bing', ...run.bing }]
  const channels = [...run.engines, ...bing]
  const failed = sum(channels.map((channel) => channel.failed))
  const tried = failed + sum(channels.map((channel) => channel.successful))
  if (tried === 0) return run.status === 'succeeded' ? 'well' : 'unknown'
  if (failed / tried <= LIMITS.failedShare) return 'well'
  const where = channels
    .filter((channel) => channel.failed > 0)
    .map((channel) => `${channel.failed} at ${channel.engine}`)
  const [why] = run.errors
  return wrong({
    title: `${site.name}: ${percent(failed / tried)} of the submissions failed`,
    cause: `${failed} of ${tried} submissions failed (${where.join(', ')}).${why ? ` ${why}` : ''}`,
    advice: `GET /api/runs/${run.id} shows each error. Check that the key file of ${site.host} answers 200 and holds exactly the key. What failed goes first in the next run.`,
    count: failed,
  })
}

function findEmptySitemap({ site, run, sitemap }: RunFacts): Finding {
  if (sitemap !== 'whole') return 'unknown'
  if (run.total > 0) return 'well'
  return wrong({
    title: `${site.name}: the sitemap is empty`,
    cause: `${site.sitemapUrl} was read to its end and lists no page of the site.`,
    advice: `Open it in a browser. Check that it is generated, and that its addresses are those of the site's own host; or set the site's sitemapUrl anew.`,
    count: 0,
  })
}

function findUnverifiedKey({ site, run, earlier }: RunFacts): Finding {
  const runs = [run, ...earlier]
  const engines = run.engines.filter((counts) => counts.successful > 0)
  if (engines.length === 0) return 'unknown'
  const waiting = engines.filter(({ engine }) => isWaiting(engine, runs))
  const [first] = waiting
  if (!first) return 'well'
  const count = sum(waiting.map(({ pending }) => pending))
  return wrong({
    title: `${site.name}: the IndexNow key stays unverified`,
    cause: `For ${LIMITS.unverifiedRuns} runs ${waiting.map(({ engine }) => engine).join(', ')} took addresses but could not verify the key (HTTP 202).`,
    advice: `Open the key file of ${site.host} in a browser: it must answer 200 without a redirect, and hold exactly the key. The warnings in GET ${runsPath(site.id)} say what was wrong with it.`,
    count,
  })
}

/** Whether the engine took everything on trust, in each of the last runs that sent it anything. */
function isWaiting(engine: string, runs: readonly Run[]): boolean {
  const last = runs
    .map(({ engines }) => engines.find((counts) => counts.engine === engine))
    .filter((counts): counts is EngineCounts => counts !== undefined && counts.successful > 0)
    .slice(0, LIMITS.unverifiedRuns)
  return (
    last.length === LIMITS.unverifiedRuns &&
    last.every(({ pending, successful }) => pending === successful)
  )
}

function findBadBingKey({ site, bingKey }: RunFacts): Finding {
  if (bingKey === 'unknown') return 'unknown'
  if (!isRefused(bingKey)) return 'well'
  return wrong({
    title: `${site.name}: Bing refuses the API key`,
    cause: bingKey.refused,
    advice: `Check in Bing Webmaster Tools that ${site.host} is a verified site of the account, make a new key there (Settings, API access) and set it as the site's bingApiKey. Until then nothing is sent to Bing; IndexNow goes on.`,
  })
}

function isRefused(key: RunFacts['bingKey']): key is { readonly refused: string } {
  return typeof key === 'object'
}

/** What is known of a site at any time. */
export interface SilenceFacts {
  readonly site: WatchedSite & Pick<Site, 'enabled'>
  readonly createdAt: number
  /** Newest first. */
  readonly runs: readonly Run[]
  readonly now: number
}

/** The rule that the passing of time answers. */
export function findSilence({ site, createdAt, runs, now }: SilenceFacts): Finding {
  if (!site.enabled) return 'well'
  const lastSuccess = runs.find(isSuccess)
  const since = lastSuccess?.finishedAt ?? createdAt
  if (now - since <= LIMITS.withoutSuccessMs) return 'well'
  const [last] = runs
  const [why] = last?.errors ?? []
  const found = last
    ? `The last run, of ${day(last.startedAt)}, ended as ${last.status}.${why ? ` ${why}` : ''}`
    : 'It was never run.'
  return wrong({
    title: `${site.name}: no successful run for ${Math.floor((now - since) / hours(1))} hours`,
    cause: `${lastSuccess ? `The last success was on ${day(since)}.` : 'There was none yet.'} ${found}`,
    advice: `Check that the server runs at the hour of CRON_SCHEDULE; GET ${runsPath(site.id)} shows what its runs met. Switch the site off if it is not to be submitted.`,
  })
}

/** One that ran out of time or met a few bad URLs has done its work, too: other rules watch how well. */
function isSuccess({ status, submitted, bing }: Run): boolean {
  if (status === 'succeeded') return true
  return status === 'partial' && submitted + (bing?.successful ?? 0) > 0
}

/** Causes quote what engines and sites answered, whatever that holds. */
function wrong({ title, cause, advice, count }: AlertText): Finding {
  const text = { title: redactText(title), cause: redactText(cause), advice: redactText(advice) }
  return { wrong: count === undefined ? text : { ...text, count } }
}

// Not /status?site=: what follows a ? is redacted.
const runsPath = (siteId: string) => `/api/sites/${encodeURIComponent(siteId)}/runs`
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`
const day = (instant: number) => `${new Date(instant).toISOString().slice(0, 16)}Z`
