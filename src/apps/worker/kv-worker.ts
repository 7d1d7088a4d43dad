import { mapWithConcurrency } from '../../core/concurrency.ts'
import { fail, ok } from '../../core/result.ts'
import { utcDayOf } from '../../core/utc-day.ts'
import type { Assets } from '../../dashboard/assets.ts'
import { openLoginLimit } from '../../dashboard/login-limit.ts'
import { metricsRoutes } from '../../dashboard/metrics/routes.ts'
import { healthRoutes } from '../../http/health.ts'
import type { HttpApp } from '../../http/http-env.ts'
import { openApiRoutes } from '../../http/openapi.ts'
import { READS_AT_ONCE } from '../../stores/kv/kv.ts'
import { type KvStores, kvStores } from '../../stores/kv/stores.ts'
import { siteFromEnvironment } from '../../submit/sites.ts'
import { aboutRoutes } from '../about.ts'
import { VERSION } from '../version.ts'
import type { Env } from './bindings.ts'
import { dueTime } from './due-time.ts'
import { answerKeyFile, hasIndexNowKey } from './key-file.ts'
import { openKvRuns } from './kv-runs.ts'
import { objectApp, openSubmitParts, type SubmitParts } from './open-site.ts'
import { PLANS } from './plans.ts'
import { countRequests } from './slice-budget.ts'
import { type SliceUse, useMetrics } from './slice-use.ts'
import type { Surroundings } from './surroundings.ts'
import { workerPages, type WorkerPagesOptions } from './worker-pages.ts'

/** What the runtime lends an invocation. */
export interface InvocationContext {
  waitUntil(work: Promise<unknown>): void
}

export interface KvAsk {
  readonly around: Surroundings
  readonly context: InvocationContext
  readonly assets: Assets
}

/** SPEC X02: the Worker without Durable Objects. All that is known is in KV; each invocation opens it anew. */
export async function answerFromKv(
  request: Request,
  env: Env,
  { around, context, assets }: KvAsk,
): Promise<Response> {
  const invocation = openInvocation(env, around)
  const { parts } = invocation
  const keyFile = await answerKeyFile(request, (key) => hasIndexNowKey(parts.sites, key))
  if (keyFile) return keyFile
  await takeOverOnce(env, parts, around)
  const response = await invocation.app(assets).fetch(request)
  context.waitUntil(invocation.end())
  return response
}

/** Cron: goes on with what waits, begins what is due, and looks after the alerts. */
export async function pokeKv(env: Env, around: Surroundings, pokedAt: number): Promise<void> {
  const invocation = openInvocation(env, around)
  try {
    await takeOverOnce(env, invocation.parts, around)
    await invocation.runs.runScheduled(dueTime(around.config.cronSchedule, pokedAt))
    await invocation.runs.checkAlerts()
  } finally {
    await invocation.end()
  }
}

function openInvocation(env: Env, around: Surroundings) {
  const { config, clock, random, log } = around
  if (!env.SLUICE_KV || !config.cookieMasterKey) throw new Error('looked at before')
  const stores = kvStores({
    namespace: env.SLUICE_KV,
    clock,
    random,
    tellOverrun: ({ account, used, limit }) =>
      log.warn('quota.overrun', `${used} of ${limit} were spent: two spent at the same moment.`, {
        site: account.siteId,
        channel: account.channel,
        day: account.day,
        used,
        limit,
      }),
  })
  const requests = countRequests(PLANS[config.workersPlan])
  const parts = openSubmitParts(stores, config.cookieMasterKey, around, requests)
  const unfinished: Promise<unknown>[] = []
  const later = (work: Promise<unknown>) => void unfinished.push(work)
  const runs = openKvRuns({ stores, parts, requests, later }, around)
  return {
    parts,
    runs,
    /** Made when it is asked: cron needs no routes. */
    app: (assets: Assets) => kvApp({ stores, parts, runner: runs, assets, loginLimit }, around),
    async end() {
      await Promise.allSettled(unfinished)
      await stores.flush()
      const { reads, writes, deletes, lists } = stores.used()
      const level = writes + deletes + lists > 0 ? 'info' : 'debug'
      log[level]('kv.used', `${writes} KV writes`, { reads, writes, deletes, lists })
    },
  }
}

function kvApp(
  opened: WorkerPagesOptions & { readonly stores: KvStores },
  around: Surroundings,
): HttpApp {
  const { stores, parts } = opened
  const { clock, config, log } = around
  const about = { version: VERSION, runtime: 'workerd', startedAt: clock.now(), config }
  const checkReady = async () => {
    try {
      await stores.sites.list()
      return ok(undefined)
    } catch (error) {
      log.error('store.unavailable', 'KV does not answer.', { error })
      return fail('store-unavailable' as const)
    }
  }
  const more = [
    healthRoutes({ ...about, clock, checkReady }),
    aboutRoutes(about),
    metricsRoutes({
      ...about,
      clock,
      submit: { stores, defaults: parts.sites.defaults },
      further: async () => useMetrics(await usesOf(stores), utcDayOf(clock.now())),
    }),
    ...workerPages(opened, around),
    openApiRoutes(VERSION),
  ]
  return objectApp({ ...opened, more, requestLevel: 'info' }, around)
}

async function usesOf(stores: KvStores): Promise<ReadonlyMap<string, SliceUse | undefined>> {
  const ids = (await stores.sites.list()).map(({ id }) => id)
  const uses = await mapWithConcurrency(ids, READS_AT_ONCE, (id) => stores.noteOf(id))
  return new Map(ids.map((id, n) => [id, uses[n] as SliceUse | undefined]))
}

/** For all requests of an isolate, and no further: to count in KV would cost a write for each wrong token. */
const loginLimit = openLoginLimit()

const takenOver = new WeakSet<Env>()

/** The site of the environment, once in the life of an isolate. What KV would not take is tried again by the next. */
async function takeOverOnce(env: Env, parts: SubmitParts, { config, log }: Surroundings) {
  if (takenOver.has(env)) return
  const notTaken = 'The site of the environment was not taken over.'
  try {
    const own = await siteFromEnvironment(parts.sites, config)
    takenOver.add(env)
    if (!own.ok) log.error('site.unusable', notTaken, { failure: own.failure })
  } catch (error) {
    // Other sites, and whoever looks at the pages, can do without it.
    log.error('site.unusable', notTaken, { error })
  }
}
