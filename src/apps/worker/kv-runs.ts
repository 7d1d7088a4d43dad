import { mapWithConcurrency } from '../../core/concurrency.ts'
import { minutes } from '../../core/duration.ts'
import { fail, ok } from '../../core/result.ts'
import { utcDayOf } from '../../core/utc-day.ts'
import { holdLease } from '../../stores/hold-lease.ts'
import { READS_AT_ONCE } from '../../stores/kv/kv.ts'
import type { KvStores } from '../../stores/kv/stores.ts'
import { watchRun, watchSites } from '../../submit/alerts/watch.ts'
import type { RunEnd } from '../../submit/run-site.ts'
import type { Runner, TriggerAsk } from '../../submit/runner.ts'
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
import { MOST_FAILURES, whyBroken, whyWithoutSite } from './give-up-run.ts'
import { submitFromHook } from './hook.ts'
import type { SubmitParts } from './open-site.ts'
import { PLANS } from './plans.ts'
import { openSliceBudget, type RequestCount } from './slice-budget.ts'
import { addUse, type SliceUse } from './slice-use.ts'
import type { Surroundings } from './surroundings.ts'

const FAILURES = 'slice:failures'

/** How often cron comes by. */
const POKED_EVERY_MS = minutes(5)

export interface KvRunsOptions {
  readonly stores: KvStores
  readonly parts: SubmitParts
  /** Of this invocation, whatever it does. */
  readonly requests: RequestCount
  /** Lets work go on when the request is answered. */
  readonly later: (work: Promise<unknown>) => void
}

/**
 * Runs of all sites without objects: whoever comes by does one slice, and the next cron goes on. What is under way is in
 * KV; nothing here outlives the invocation.
 */
export function openKvRuns(options: KvRunsOptions, around: Surroundings): Runner {
  const { stores, parts, requests, later } = options
  const { config, clock, random, log } = around
  const { sites, deps, delivery } = parts
  const plan = PLANS[config.workersPlan]
  const { signal } = new AbortController()
  let urlsJudged = 0

  const begin = async ({ siteId, channel, trigger }: TriggerAsk) => {
    const site = await getSite(sites, siteId)
    if (!site.ok) return site
    if (channel === 'bing' && !site.value.bing)
      return fail({ kind: 'bing-disabled' as const, id: siteId })
    const id = `run-${random.uuid()}`
    return beginSlicedRun({ id, site: site.value, channel, trigger, signal }, deps)
  }

  /** One slice of the run that waits, alone. */
  const slice = async (siteId: string): Promise<RunEnd | 'goes-on'> => {
    const name = `slice:${siteId}`
    const holder = random.uuid()
    const held = await holdLease({ name, holder, leases: stores.leases, clock, signal })
    if (!held.ok) return 'goes-on'
    try {
      const saved = await loadSavedRun(stores, siteId)
      if (!saved) return 'goes-on'
      return await runOneSlice(saved).catch((error: unknown) => afterFailure(saved, error))
    } finally {
      await held.value.release()
    }
  }

  const runOneSlice = async (saved: SavedRun): Promise<RunEnd | 'goes-on'> => {
    const { siteId } = saved.record
    const site = await getSite(sites, siteId)
    if (!site.ok) {
      const why = whyWithoutSite(site.failure)
      await endSlicedRun(stores, saved, { why, now: clock.now() })
      return 'goes-on'
    }
    const before = stores.used()
    const madeBefore = requests.made()
    const timeMs = Math.max(1, config.runBudgetMs - saved.usedMs)
    const rest = { ...plan, urls: Math.max(1, plan.urls - urlsJudged) }
    const budget = openSliceBudget({ plan: rest, requests, clock, timeMs })
    const end = await runSlice(saved, { site: site.value, budget, signal }, deps)
    const { timeMs: ms, subrequests, urls } = budget.used()
    urlsJudged += urls
    const kind = typeof end === 'object' ? end.kind : end
    const used = stores.used()
    log.info('run.slice', `slice ${saved.slices + 1}: ${kind}`, {
      site: siteId,
      runId: saved.id,
      slice: saved.slices + 1,
      kind,
      ms,
      requests: subrequests,
      urls,
      kvReads: used.reads - before.reads,
      kvWrites: used.writes - before.writes,
    })
    await forgetFailures(saved)
    await noteUse(siteId, {
      slices: 1,
      requests: subrequests - madeBefore,
      urls,
      ms,
      kvReads: used.reads - before.reads,
      kvWrites: used.writes - before.writes,
    })
    if (typeof end !== 'object') return 'goes-on'
    await afterRun(site.value, end.end)
    return end.end
  }

  const noteUse = (siteId: string, added: Partial<SliceUse>) =>
    stores.note(siteId, (known) =>
      addUse(known as SliceUse | undefined, { ...added, day: utcDayOf(clock.now()) }),
    )

  const afterRun = async (site: Site, end: RunEnd) => {
    await watchRun({ alerts: stores.alerts, runs: stores.runs, log }, { site, ...end })
    await deliver()
  }

  const failuresOf = async ({ record: { siteId } }: SavedRun) =>
    (await stores.ledger.chunks(siteId)).find(({ list }) => list === FAILURES)?.count ?? 0

  const forgetFailures = async (saved: SavedRun) => {
    if ((await failuresOf(saved)) === 0) return
    const { siteId } = saved.record
    await stores.ledger.write(siteId, { fence: saved.lease.fence, dropLists: [FAILURES] })
  }

  const afterFailure = async (saved: SavedRun, error: unknown): Promise<'goes-on'> => {
    const { siteId } = saved.record
    const failures = (await failuresOf(saved)) + 1
    log.error('run.slice_failed', 'A slice broke off; the next cron begins it again.', {
      site: siteId,
      failures,
      error,
    })
    await noteUse(siteId, { failures: 1 })
    const isLast = failures >= MOST_FAILURES
    await stores.ledger.write(siteId, {
      fence: saved.lease.fence,
      dropLists: [FAILURES],
      ...(!isLast && {
        appendChunks: [{ list: FAILURES, count: failures, urls: new Uint8Array() }],
      }),
    })
    if (isLast) {
      const why = whyBroken(failures)
      await endSlicedRun(stores, saved, { why, now: clock.now() })
    }
    return 'goes-on'
  }

  /** Without news no lease is taken, for that is written down. */
  const deliver = async () => {
    if ((await stores.alerts.undelivered()).length > 0) await delivery.deliver(signal)
  }

  /** A slice has a price in KV writes: another is begun only while there is enough left for it. */
  const isWorthAnother = () => requests.made() < plan.requests / 2 && urlsJudged < plan.urls / 2

  const isRunning = async (siteId: string) => {
    const [last] = await stores.runs.list(siteId, 1)
    return last?.status === 'running'
  }

  /** What was begun first: it is to be over before its lease is. Then each cron begins with another site. */
  const inOrder = async () => {
    const ids = (await stores.sites.list()).map(({ id }) => id)
    const running = await mapWithConcurrency(ids, READS_AT_ONCE, isRunning)
    const first = ids.length === 0 ? 0 : Math.floor(clock.now() / POKED_EVERY_MS) % ids.length
    const turned = [...ids.slice(first), ...ids.slice(0, first)]
    const goesOn = new Set(ids.filter((_, n) => running[n]))
    return {
      goesOn,
      order: [...goesOn, ...turned.filter((id) => !goesOn.has(id))],
    }
  }

  const goOn = async (siteId: string, { dueAt, goesOn }: { dueAt: number; goesOn: boolean }) => {
    const site = await getSite(sites, siteId)
    if (!site.ok) {
      if (site.failure.kind !== 'site-missing')
        log.error('site.unusable', describeUnusable(site.failure), { site: siteId })
      return
    }
    if (goesOn && (await loadSavedRun(stores, siteId))) {
      await slice(siteId)
      return
    }
    if (!site.value.enabled) return
    if (!(await isDueBySchedule(stores, { site: site.value, dueAt, clock }))) return
    const begun = await begin({ siteId, channel: 'all', trigger: 'schedule' })
    if (begun.ok) await slice(siteId)
  }

  return {
    async start(ask) {
      const begun = await begin(ask)
      if (!begun.ok) return begun
      const done = slice(ask.siteId)
      later(done)
      return ok({ id: begun.value.id, done })
    },
    async submitUrls(id, urls) {
      const site = await getSite(sites, id)
      if (!site.ok) return site
      return ok(await submitFromHook({ site: site.value, urls, requests, signal }, deps, around))
    },
    async runScheduled(dueAt) {
      const { order, goesOn } = await inOrder()
      for (const id of order) {
        if (!isWorthAnother()) break
        await goOn(id, { dueAt, goesOn: goesOn.has(id) }).catch((error: unknown) => {
          log.error('run.not_started', `${id} could not be run`, { site: id, error })
        })
      }
    },
    async checkAlerts() {
      const { alerts, runs } = stores
      await watchSites({ alerts, runs, log, sites: stores.sites, defaults: config }, clock.now())
      await deliver()
    },
    idle: async () => {},
    stop: async () => {},
  }
}
