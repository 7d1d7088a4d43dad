import { once } from 'node:events'
import { z } from 'zod'
import { openToAll, requires } from '../../src/http/access.ts'
import { answer, refuse } from '../../src/http/envelope.ts'
import type { RouteModule } from '../../src/http/http-env.ts'
import { readJson } from '../../src/http/read-json.ts'
import { type RouteDeps, serverRoutes } from '../../src/apps/server/routes.ts'
import { run } from '../../src/apps/server/run.ts'

const greeting = z.object({ name: z.string() })

function testRoutes({ log }: RouteDeps): RouteModule {
  return (app) => {
    app.get('/test/undeclared', (c) => answer(c, { reached: true }))
    app.get('/test/early/undeclared', (c) => answer(c, { reached: true }))
    app.get('/test/early/:rest', openToAll(), (c) => answer(c, { reached: true }))
    app.get('/test/read', requires('read'), (c) => answer(c, { reached: true }))
    app.get('/test/leads-on', openToAll(), async (_, next) => next())
    app.get('/test/leads-on', requires('admin'), (c) => answer(c, { reached: true }))
    app.use('/test/folder/*', requires('collect'))
    app.get('/test/folder/one', (c) => answer(c, { reached: true }))
    app.get('/test/trace', requires('read'), (c) => answer(c, { trace: c.get('request').trace }))
    app.post('/test/greet', requires('collect'), async (c) => {
      const body = await readJson(c, greeting)
      return body.ok ? answer(c, { hello: body.value.name }) : refuse(c, body.failure)
    })
    app.get('/test/page', openToAll(), (c) => {
      c.header('Content-Security-Policy', "default-src 'self'")
      return c.html('<p>page</p>')
    })
    app.get('/test/throws', openToAll(), () => {
      throw new Error('canary-of-an-exception token=canary-in-an-exception-0123456789')
    })
    app.get('/test/crashes', openToAll(), (c) => {
      void Promise.reject(new Error('nobody waits for this'))
      return answer(c, {})
    })
    app.get('/test/slow', openToAll(), async (c) => {
      log.info('slow.waiting', 'Waiting to be released.')
      await once(process.stdin, 'data')
      return answer(c, { finished: true })
    })
  }
}

await run({ routes: (deps) => [...serverRoutes(deps), testRoutes(deps)], graceMs: 3_000 })
