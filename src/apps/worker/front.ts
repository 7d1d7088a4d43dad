import { getCookie } from 'hono/cookie'
import { mapWithConcurrency } from '../../core/concurrency.ts'
import { fail, ok } from '../../core/result.ts'
import { type Assets, assetRoutes } from '../../dashboard/assets.ts'
import { SESSION_COOKIE } from '../../dashboard/page.ts'
import { openSessions } from '../../dashboard/session.ts'
import { openToAll, requires } from '../../http/access.ts'
import { healthRoutes } from '../../http/health.ts'
import { httpApp } from '../../http/http-app.ts'
import type { HttpApp, HttpContext, RouteModule } from '../../http/http-env.ts'
import { siteOfAlert } from '../../submit/alerts/rules.ts'
import { VERSION } from '../version.ts'
import { directoryOf, type Env, SITE_HEADER } from './bindings.ts'
import { dueTime } from './due-time.ts'
import type { Surroundings } from './surroundings.ts'

/** Of `POST /api/urls`; each object refuses what is too large for its other routes. */
const MAX_BODY_BYTES = 24 * 1024 * 1024

/** Whoever is let in is sent on to the object that knows; what it needs beyond looking, it asks for itself. */
export function openFront(env: Env, assets: Assets, around: Surroundings): HttpApp {
  const { clock, log } = around
  const checkReady = async () => {
    try {
      await directoryOf(env).siteIds()
      return ok(undefined)
    } catch (error) {
      log.error('store.unavailable', 'The directory does not answer.', { error })
      return fail('store-unavailable' as const)
    }
  }
  return httpApp({
    ...around,
    maxBodyBytes: MAX_BODY_BYTES,
    modules: [
      healthRoutes({ clock, version: VERSION, startedAt: clock.now(), checkReady }),
      assetRoutes(assets),
      siteRoutes(env),
      directoryRoutes(env),
      pagesOfSites(env, around),
    ],
  })
}

const TO_THE_DIRECTORY = ['/api/sites', '/api/about', '/api/stats/daily', '/metrics']

/** Pages ask for a session themselves. */
const OPEN = [
  '/openapi.json',
  '/',
  '/login',
  '/logout',
  '/live/overview',
  '/alerts',
  '/alerts/test',
  '/sites/new',
  '/docs',
  '/badges/*',
]

function directoryRoutes(env: Env): RouteModule {
  return (app) => {
    for (const path of TO_THE_DIRECTORY) {
      app.all(path, requires('read'), (c) => sendOn(c, env, undefined))
    }
    for (const path of OPEN) app.all(path, openToAll(), (c) => sendOn(c, env, undefined))
  }
}

function siteRoutes(env: Env): RouteModule {
  const byPath = (c: HttpContext) => c.req.param('id')
  const byQuery = (c: HttpContext) => c.req.query('site')
  const named = [
    ['/api/sites/:id', byPath],
    ['/api/sites/:id/*', byPath],
    ['/trigger', byQuery],
    ['/status', byQuery],
  ] as const
  return (app) => {
    for (const [path, nameOf] of named) {
      app.all(path, requires('read'), async (c) => sendOn(c, env, await siteFor(env, nameOf(c))))
    }
    app.all('/api/urls', requires('read'), async (c) => {
      const body = await c.req.text()
      return sendOn(c, env, await siteFor(env, siteInBody(body)), body)
    })
    app.all('/api/runs/:id', requires('read'), async (c) =>
      sendOn(c, env, await siteOfRun(env, c.req.param('id'))),
    )
    // Without a name it is the sum over all sites, which the directory makes.
    app.all('/api/stats/daily', requires('read'), async (c) => {
      const site = byQuery(c)
      return sendOn(c, env, site === undefined ? undefined : await siteFor(env, site))
    })
  }
}

/** The pages that are about one site, and are made by its object. */
function pagesOfSites(env: Env, { clock, random, tokens }: Surroundings): RouteModule {
  const sessions = openSessions({ tokens, newId: () => random.uuid() })
  const hasSession = async (c: HttpContext) =>
    (await sessions.read(getCookie(c, SESSION_COOKIE), clock.now())) !== undefined
  return (app) => {
    for (const path of ['/sites/:id', '/sites/:id/*']) {
      app.all(path, openToAll(), async (c) => sendOn(c, env, await siteFor(env, c.req.param('id'))))
    }
    for (const path of ['/runs/:id', '/runs/:id/*']) {
      app.all(path, openToAll(), async (c) => {
        // To find a run may ask every site. The directory sends strangers to log in, and wakes none.
        const isKnown = await hasSession(c)
        const site = isKnown ? await siteOfRun(env, c.req.param('id') ?? '') : undefined
        return sendOn(c, env, site)
      })
    }
    app.all('/alerts/acknowledge', openToAll(), async (c) => {
      const body = await c.req.text()
      const key = new URLSearchParams(body).get('key') ?? ''
      return sendOn(c, env, await siteFor(env, siteOfAlert(key)), body)
    })
  }
}

/** The site that is meant, if it exists: an object is made by asking for it, so nobody is asked by a name made up. */
async function siteFor(env: Env, named: string | undefined): Promise<string | undefined> {
  const ids = await directoryOf(env).siteIds()
  if (named !== undefined && named !== '') return ids.find((id) => id === named)
  return ids.length === 1 ? ids[0] : undefined
}

function siteInBody(body: string): string | undefined {
  try {
    const { site } = JSON.parse(body) as { readonly site?: unknown }
    return typeof site === 'string' ? site : undefined
  } catch {
    // Whoever reads it says what is wrong with it.
    return undefined
  }
}

/** Found once, a run stays where it is: its progress is asked for again and again. */
const placesOfRuns = new Map<string, string>()
const MOST_PLACES = 1_000

async function siteOfRun(env: Env, runId: string): Promise<string | undefined> {
  const known = placesOfRuns.get(runId) ?? (await directoryOf(env).siteOfRun(runId))
  if (known !== undefined) return siteFor(env, known)
  const ids = await directoryOf(env).siteIds()
  const has = await Promise.all(ids.map((id) => env.SITES.getByName(id).hasRun(id, runId)))
  const found = ids[has.indexOf(true)]
  if (found === undefined) return undefined
  if (placesOfRuns.size >= MOST_PLACES) placesOfRuns.clear()
  placesOfRuns.set(runId, found)
  return found
}

/** To the site's object; to the directory where there is none, which says so. */
async function sendOn(
  c: HttpContext,
  env: Env,
  siteId: string | undefined,
  body?: string,
): Promise<Response> {
  const headers = new Headers(c.req.raw.headers)
  headers.set('x-request-id', c.get('request').id)
  headers.set(SITE_HEADER, siteId ?? '')
  const request = new Request(c.req.raw, { headers, ...(body !== undefined && { body }) })
  const object = siteId === undefined ? directoryOf(env) : env.SITES.getByName(siteId)
  const response = await object.fetch(request)
  // A copy, for an answer that was received is not to be changed.
  return new Response(response.body, response)
}

/** How many sites are poked at the same time. */
const SITES_AT_ONCE = 6

/** Cron: tells every site the time. Each knows itself whether it has anything to do. */
export async function pokeSites(
  env: Env,
  { config, log }: Surroundings,
  scheduledTime: number,
): Promise<void> {
  const dueAt = dueTime(config.cronSchedule, scheduledTime)
  const ids = await directoryOf(env).siteIds()
  await mapWithConcurrency(ids, SITES_AT_ONCE, async (id) => {
    try {
      await env.SITES.getByName(id).poke(id, dueAt)
    } catch (error) {
      log.error('run.not_started', `${id} could not be poked`, { site: id, error })
    }
  })
}
