import { mapWithConcurrency } from '../core/concurrency.ts'
import { hours, minutes } from '../core/duration.ts'
import { fail, ok, type Result } from '../core/result.ts'
import type { LeaseTaken } from '../stores/lease-store.ts'
import type { SiteMissing } from '../stores/site-store.ts'
import type { AlertDelivery } from '../alerts/deliver.ts'
import { watchRun, watchSites } from './alerts/watch.ts'
import { type RunEnd, startRun } from './run-site.ts'
import { isDueBySchedule } from './scheduled.ts'
import { describeUnusable, type SiteUnusable } from './sealed-settings.ts'
import type { Site } from './site.ts'
import type { ChannelChoice, RunDeps } from './site-run.ts'
import { getSite, listSites, type SitesOptions } from './sites.ts'
import { submitUrls, type SubmittedUrls } from './submit-urls.ts'

/** How many sites run at the same time; each has its own pace and its own budget. */
const SITES_AT_ONCE = 4

/** A run that the schedule finds under way is waited for, but not until the next day's. */
const WAIT_FOR_OTHER_RUN_MS = minutes(1)
const GIVE_UP_WAITING_MS = hours(6)

export type BingDisabled = { readonly kind: 'bing-disabled'; readonly id: string }
export type StartRefused = SiteMissing | SiteUnusable | LeaseTaken | BingDisabled

export interface TriggerAsk {
  readonly siteId: string
  readonly channel: ChannelChoice
  readonly trigger: string
}

/** A run that was begun; where it is cut into slices, whoever began it may be gone before it ends. */
export interface BegunRun {
  readonly id: string
  readonly done: Promise<RunEnd | 'goes-on'>
}

/** Starts runs and keeps an eye on them until they are over. */
export interface Runner {
  start(ask: TriggerAsk): Promise<Result<BegunRun, StartRefused>>
  submitUrls(
    siteId: string,
    urls: readonly string[],
  ): Promise<Result<SubmittedUrls, SiteMissing | SiteUnusable>>
  /**
   * Runs every enabled site that the schedule has not run to its end since `dueAt`, a few at a time; one that fails
   * changes nothing for another (SPEC R02). Asked again for the same time it finds only what was broken off.
   */
  runScheduled(dueAt: number): Promise<void>
  /** Looks after the alerts that time alone raises, and sends what is undelivered. */
  checkAlerts(): Promise<void>
  /** When nothing is under way any more: no run, and no alert on its way. */
  idle(): Promise<void>
  /** Lets every run save what it has and end. */
  stop(): Promise<void>
}

export interface RunnerOptions {
  readonly deps: RunDeps
  readonly sites: SitesOptions
  readonly delivery: AlertDelivery
}

export function openRunner({ deps, sites, delivery }: RunnerOptions): Runner {
  const { stores, clock, log, random } = deps
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const keep = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work)).catch(() => undefined)
    return work
  }

  const startSite = async (site: Site, ask: Omit<TriggerAsk, 'siteId'>) => {
    if (ask.channel === 'bing' && !site.bing)
      return fail({ kind: 'bing-disabled' as const, id: site.id })
    const id = `run-${random.uuid()}`
    const started = await startRun({ id, site, ...ask, signal: stopping.signal }, deps)
    if (!started.ok) return started
    const done = keep(started.value.done.then((end) => afterRun(site, end)))
    done.catch((error: unknown) => {
      log.error('run.unrecorded', 'The run could not be recorded.', {
        site: site.id,
        runId: id,
        error,
      })
    })
    return ok({ id, done })
  }

  const afterRun = async (site: Site, end: RunEnd): Promise<RunEnd> => {
    const { run, sitemap, bingKey } = end
    await watchRun(
      { alerts: stores.alerts, runs: stores.runs, log },
      { site, run, sitemap, bingKey },
    )
    // Nobody who waits for the run waits for the webhooks too.
    void keep(delivery.deliver(stopping.signal)).catch((error: unknown) => {
      log.error('alert.undelivered', 'alerts could not be delivered', { error })
    })
    return end
  }

  const runIfDue = async (site: Site, dueAt: number) => {
    if (stopping.signal.aborted) return
    if (!(await isDueBySchedule(stores, { site, dueAt, clock }))) return
    const started = await startSite(site, { channel: 'all', trigger: 'schedule' })
    if (started.ok) return void (await started.value.done)
    // Somebody runs it by hand: its turn comes after that, if need be.
    log.info('run.waiting', `${site.id} is being run already`, { site: site.id })
    await clock.sleep(WAIT_FOR_OTHER_RUN_MS, stopping.signal)
    if (clock.now() - dueAt < GIVE_UP_WAITING_MS) await runIfDue(site, dueAt)
  }

  return {
    async start({ siteId, ...ask }) {
      const site = await getSite(sites, siteId)
      return site.ok ? startSite(site.value, ask) : site
    },
    async submitUrls(siteId, urls) {
      const site = await getSite(sites, siteId)
      if (!site.ok) return site
      const ask = { id: `hook-${random.uuid()}`, site: site.value, urls, signal: stopping.signal }
      return ok(await keep(submitUrls(ask, deps)))
    },
    async runScheduled(dueAt) {
      const all = await listSites(sites)
      for (const site of all) {
        if (!site.ok)
          log.error('site.unusable', describeUnusable(site.failure), { site: site.failure.id })
      }
      const enabled = all.flatMap((site) => (site.ok && site.value.enabled ? [site.value] : []))
      await mapWithConcurrency(enabled, SITES_AT_ONCE, async (site) => {
        try {
          await runIfDue(site, dueAt)
        } catch (error) {
          log.error('run.not_started', `${site.id} could not be run`, { site: site.id, error })
        }
      })
    },
    async checkAlerts() {
      const { alerts, runs } = stores
      await watchSites(
        { alerts, runs, log, sites: stores.sites, defaults: sites.defaults },
        clock.now(),
      )
      await delivery.deliver(stopping.signal)
    },
    async idle() {
      // What ends may have begun something: a run its alerts.
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(underWay)
    },
  }
}
