/**
 * The server as it is, but for its time: what takes a minute to time out takes three seconds, and the alerts are looked at when a
 * test says so, at the time that it says.
 */
import { serverRoutes, type RouteDeps } from '../../src/apps/server/routes.ts'
import { run } from '../../src/apps/server/run.ts'
import { watchCollecting } from '../../src/collect/alerts.ts'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { requires } from '../../src/http/access.ts'
import { answer } from '../../src/http/envelope.ts'
import type { RouteModule } from '../../src/http/http-env.ts'

const HURRY = 20

const alertsNow =
  ({ stores, log }: RouteDeps): RouteModule =>
  (app) => {
    app.post('/test/alerts/:later', requires('admin'), async (c) => {
      const laterMs = minutes(Number(c.req.param('later')))
      const clock = { ...systemClock, now: () => systemClock.now() + laterMs }
      await watchCollecting({ ...stores, clock, log, platformsWithCookies: ['xhs'] })
      return answer(c, { data: {} })
    })
  }

await run({
  routes: (deps) => [...serverRoutes(deps), alertsNow(deps)],
  clock: { ...systemClock, after: (ms, ring) => systemClock.after(ms / HURRY, ring) },
})
