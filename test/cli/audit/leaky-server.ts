import { serverRoutes } from '../../../src/apps/server/routes.ts'
import { run } from '../../../src/apps/server/run.ts'
import { openToAll } from '../../../src/http/access.ts'
import { answer } from '../../../src/http/envelope.ts'

/** The server with a route that does what must never happen: it logs what it is given, and answers with it. */
await run({
  routes: (deps) => [
    ...serverRoutes(deps),
    (app) => {
      app.post('/test/log', openToAll(), async (c) => {
        deps.log.info('test.leaked', `it is ${await c.req.text()} now`)
        return answer(c, {})
      })
      app.post('/test/echo', openToAll(), async (c) => answer(c, { echo: await c.req.text() }))
    },
  ],
})
