/** The server as it is, but for its deadlines: what takes a minute to time out takes three seconds. */
import { serverRoutes } from '../../src/apps/server/routes.ts'
import { run } from '../../src/apps/server/run.ts'
import { systemClock } from '../../src/core/clock.ts'

const HURRY = 20

await run({
  routes: serverRoutes,
  clock: { ...systemClock, after: (ms, ring) => systemClock.after(ms / HURRY, ring) },
})
