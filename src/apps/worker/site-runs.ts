import { minutes, seconds } from '../../core/duration.ts'
import { fail, ok } from '../../core/result.ts'
import { utcDayOf } from '../../core/utc-day.ts'
import type { RowCounts } from '../../stores/sqlite/durable-sql.ts'
import type { FinishedRun, Run } from '../../stores/run-store.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { watchRun, watchSites } from '../../submit/alerts/watch.ts'
import type { RunEnd } from '../../submit/run-site.ts'
import type { Runner } from '../../submit/runner.ts'
import { isDueBySchedule } from '../../submit/scheduled.ts'
import { describeUnusable } from '../../submit/sealed-settings.ts'
import type { Site } from '../../submit/site.ts'
import { getSite } from '../../submit/sites.ts'
import {
  beginSlicedRun,
  endSlicedRun,
  loadSavedRun,
  runSlice,
  type SavedRun,
} from '../../submit/sliced-run.ts'
import type { ObjectState } from './bindings.ts'
import { MOST_FAILURES, whyBroken, whyWithoutSite } from './give-up-run.ts'
import { submitFromHook } from './hook.ts'
import type { SubmitParts } from './open-site.ts'
import { PLANS } from './plans.ts'
import { countRequests, openSliceBudget } from './slice-budget.ts'
import { addUse, type SliceUse } from './slice-use.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * A slice that does not come to its end is begun again after this long, whatever happened to it. One that is only slow is
 * not disturbed: an object has one alarm at a time, and at its end a slice sets the alarm anew.
 */
const WATCHDOG_MS = seconds(5)
const AFTER_FAILURE_MS = seconds(30)
const LAST_RESORT_MS = minutes(10)
/** Where it is kept what slices have used today. */
export const USED = 'used'

/** Names the run that is under way, until its alerts have been looked after. */
const UNWATCHED = 'unwatched'

/** Runs of one site by the alarm of its object. */
export interface SiteRuns extends Runner {
  /** One slice of the run that waits, if there is one; sets the alarm for the next. Never throws. */
  ring(): Promise<void>
}

export interface SiteRunsOptions {
  readonly siteId: string
  readonly storage: ObjectState['storage']
  readonly stores: SubmitStores
  readonly parts: SubmitParts
  /** By the object, since it was opened. */
  readonly rows: () => RowCounts
}

export function openSiteRuns(options: SiteRunsOptions, around: Surroundings): SiteRuns {
  const { siteId, storage, stores, parts, rows } = options
  const { config, clock, random, log } = around
  const { sites, deps, delivery } = parts
  const plan = PLANS[config.workersPlan]
  const { signal } = new AbortController()
  /** Who waits for a run, as long as this object is not thrown out of memory. The run itself does not depend on it. */
  const waiting = new Map<string, PromiseWithResolvers<RunEnd>>()

  const start: Runner['start'] = async (ask) => {
    const site = await getSite(sites, ask.siteId)
    if (!site.ok) return site
    if (ask.channel === 'bing' && !site.value.bing) {
      return fail({ kind: 'bing-disabled', id: siteId })
    }
    const { channel, trigger } = ask
    const id = `run-${random.uuid()}`
    const begun = await beginSlicedRun({ id, site: site.value, channel, trigger, signal }, deps)
    if (!begun.ok) return begun
    await storage.put(UNWATCHED, id)
    await storage.setAlarm(clock.now())
    const waiter = Promise.withResolvers<RunEnd>()
    waiting.set(id, waiter)
    return ok({ id, done: waiter.promise })
  }

  const runOneSlice = async (saved: SavedRun, site: Site) => {
    const requests = countRequests(plan)
    const before = rows()
    const timeMs = Math.max(1, config.runBudgetMs - saved.usedMs)
    const budget = openSliceBudget({ plan, requests, clock, timeMs })
    const end = await runSlice(saved, { site, budget, signal }, parts.depsFor(requests))
    const { timeMs: ms, subrequests, urls } = budget.used()
    const kind = typeof end === 'object' ? end.kind : end
    const rowsRead = rows().read - before.read
    const rowsWritten = rows().written - before.written
    await noteUse({ slices: 1, requests: subrequests, urls, ms, rowsRead, rowsWritten })
    log.info('run.slice', `slice ${saved.slices + 1}: ${kind}`, {
      site: siteId,
      runId: saved.id,
      slice: saved.slices + 1,
      kind,
      ms,
      requests: subrequests,
      urls,
      rowsRead,
      rowsWritten,
    })
    return end
  }

  const noteUse = async (added: Partial<SliceUse>) => {
    const before = await storage.get<SliceUse>(USED)
    await storage.put(USED, addUse(before, { ...added, day: utcDayOf(clock.now()) }))
  }

  const slice = async () => {
    const saved = await loadSavedRun(stores, siteId)
    if (!saved) {
      await watchForgotten()
      return storage.deleteAlarm()
    }
    await storage.setAlarm(clock.now() + WATCHDOG_MS)
    const site = await getSite(sites, siteId)
    if (!site.ok) {
      const why = whyWithoutSite(site.failure)
      await endSlicedRun(stores, saved, { why, now: clock.now() })
      return storage.deleteAlarm()
    }
    const end = await runOneSlice(saved, site.value)
    await storage.put('failures', 0)
    if (end === 'paused') return storage.setAlarm(clock.now())
    if (end === 'over') {
      await watchForgotten()
      return storage.deleteAlarm()
    }
    waiting.get(saved.id)?.resolve(end.end)
    waiting.delete(saved.id)
    await watchRun(
      { alerts: stores.alerts, runs: stores.runs, log },
      { site: site.value, ...end.end },
    )
    // Not before: killed until here, the alarm rings once more, and finds that nobody has looked. By now it may be the
    // next run's.
    if ((await storage.get<string>(UNWATCHED)) === saved.id) {
      await storage.delete(UNWATCHED)
      await storage.deleteAlarm()
    }
    await delivery.deliver(signal)
  }

  /** A run that ended, and was killed before anybody looked whether to alert: what it read and asked is forgotten. */
  const watchForgotten = async () => {
    const id = await storage.get<string>(UNWATCHED)
    if (id === undefined) return
    const run = await stores.runs.get(id)
    const site = await getSite(sites, siteId)
    if (run && isFinished(run) && site.ok) {
      await watchRun(
        { alerts: stores.alerts, runs: stores.runs, log },
        { site: site.value, run, sitemap: 'not-read', bingKey: 'unknown' },
      )
    }
    await storage.delete(UNWATCHED)
    await delivery.deliver(signal)
  }

  const afterFailure = async (error: unknown) => {
    const failures = ((await storage.get<number>('failures')) ?? 0) + 1
    await noteUse({ failures: 1 })
    log.error('run.slice_failed', 'A slice broke off; it is begun again.', {
      site: siteId,
      failures,
      error,
    })
    const saved = await loadSavedRun(stores, siteId)
    if (saved && failures >= MOST_FAILURES) {
      const why = whyBroken(failures)
      await endSlicedRun(stores, saved, { why, now: clock.now() })
      await storage.put('failures', 0)
      return
    }
    await storage.put('failures', failures)
    await storage.setAlarm(clock.now() + failures * AFTER_FAILURE_MS)
  }

  /** Not even the failure could be dealt with. Whoever runs the site next takes its place. */
  const afterWorse = async (error: unknown) => {
    log.error('run.slice_failed', 'The run cannot be gone on with.', { site: siteId, error })
    await storage.setAlarm(clock.now() + LAST_RESORT_MS)
  }

  return {
    start,
    async submitUrls(id, urls) {
      const site = await getSite(sites, id)
      if (!site.ok) return site
      const requests = countRequests(plan)
      const ask = { site: site.value, urls, requests, signal }
      return ok(await submitFromHook(ask, parts.depsFor(requests), around))
    },
    async runScheduled(dueAt) {
      const site = await getSite(sites, siteId)
      if (!site.ok) {
        if (site.failure.kind !== 'site-missing')
          log.error('site.unusable', describeUnusable(site.failure), { site: siteId })
        return
      }
      if (!site.value.enabled) return
      if (await isDueBySchedule(stores, { site: site.value, dueAt, clock })) {
        // While one runs by hand this is refused, and asked again a few minutes later.
        await start({ siteId, channel: 'all', trigger: 'schedule' })
      }
    },
    async checkAlerts() {
      const { alerts, runs } = stores
      await watchSites({ alerts, runs, log, sites: stores.sites, defaults: config }, clock.now())
      await delivery.deliver(signal)
    },
    idle: async () => {},
    stop: async () => {},
    // An alarm that throws is tried again six times and then dropped for ever.
    ring: () => slice().catch(afterFailure).catch(afterWorse),
  }
}

function isFinished(run: Run): run is FinishedRun {
  return run.status !== 'running' && run.finishedAt !== undefined
}
