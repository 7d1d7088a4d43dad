import { setImmediate as everybodyIdle } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { type Bing, type BingOptions, openBing } from '../support/stand-ins/bing.ts'
import { type IndexNowEngine, openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, type SiteStandIn } from '../support/stand-ins/site.ts'
import type { StandIn } from '../support/stand-ins/stand-in.ts'
import { openWebhook, type Webhook } from '../support/stand-ins/webhook.ts'
import type { ShownRun } from '../../src/submit/shown-run.ts'
import { KEY, type World } from '../support/world.ts'

type Clocked = Pick<World, 'clock'>

export const anotherEngine = ({ clock }: Clocked): Promise<IndexNowEngine> =>
  closedAtEnd(openIndexNowEngine({ clock }))

export const anotherSite = ({ clock }: Clocked): Promise<SiteStandIn> =>
  closedAtEnd(openSite({ clock, files: { [`/${KEY}.txt`]: KEY } }))

export const webhookOf = ({ clock }: Clocked): Promise<Webhook> =>
  closedAtEnd(openWebhook({ clock }))

export const bingOf = (options: BingOptions): Promise<Bing> => closedAtEnd(openBing(options))

async function closedAtEnd<T extends StandIn>(opening: Promise<T>): Promise<T> {
  const standIn = await opening
  onTestFinished(() => standIn.close())
  return standIn
}

/** Waits for what goes on in the background: real requests take real time, however the clock stands. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const latest = Date.now() + minutes(1) / 2
  while (!(await isSo())) {
    if (Date.now() > latest) throw new Error('waited in vain')
    await everybodyIdle()
  }
}

const JOBS = 2

/** Starts the schedule and lets it make up for what was missed. */
export async function startSchedule(world: World): Promise<void> {
  await world.side.start()
  await everyJobWaits(world)
}

/** Lets time pass, and what is done at that time come to its end. */
export async function passTo(world: World, instant: string): Promise<void> {
  world.clock.advanceTo(instant)
  await everyJobWaits(world)
}

const everyJobWaits = ({ clock, stores }: World) =>
  until(async () => clock.waiting === JOBS && (await stores.leases.held()).length === 0)

/** The paths an engine took, in the order it took them; one that came twice is there twice. */
export function sentTo(engine: StandIn): string[] {
  return engine.requests.flatMap(({ method, target, body }) => {
    const urls =
      method === 'POST'
        ? (JSON.parse(body) as { urlList: string[] }).urlList
        : [new URL(target, engine.origin).searchParams.get('url') ?? '']
    return urls.map((url) => new URL(url).pathname)
  })
}

export async function runsOf(world: World, siteId: string): Promise<readonly ShownRun[]> {
  const { body } = await world.api('GET', `/api/sites/${siteId}/runs`)
  return body['runs'] as readonly ShownRun[]
}

/** The states of a page at its engines, by `GET /api/sites/:id/urls`. */
export async function statesOf(world: World, siteId: string, path: string): Promise<unknown> {
  const url = encodeURIComponent(world.site.url(path))
  return (await world.api('GET', `/api/sites/${siteId}/urls?url=${url}`)).body['states']
}

/** What a server leaves behind that is killed in the middle of a run: the lease, and a record that goes on. */
export async function leaveDeadRun({ stores, clock }: World, siteId: string): Promise<void> {
  const name = `site:${siteId}`
  await stores.leases.acquire({ name, holder: 'run-dead', ttlMs: minutes(2) })
  await stores.runs.begin({
    id: 'run-dead',
    siteId,
    startedAt: clock.now(),
    finishedAt: undefined,
    status: 'running',
    trigger: 'schedule',
    total: 7,
    new: 0,
    cached: 0,
    submitted: 0,
    failed: 0,
    deleted: 0,
    invalid: 0,
    errors: [],
    warnings: [],
    engines: [],
  })
}
