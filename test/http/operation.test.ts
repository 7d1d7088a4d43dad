import { expect } from 'vitest'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import { openToAll, requires } from '../../src/http/access.ts'
import { answer } from '../../src/http/envelope.ts'
import { httpApp } from '../../src/http/http-app.ts'
import type { Access, RouteModule } from '../../src/http/http-env.ts'
import { addOperation, NO_QUERY } from '../../src/http/operation.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'

const operation = (path: string, access: Access) =>
  ({
    methods: ['get'],
    path,
    access,
    subject: 'Test',
    summary: 'An operation',
    query: NO_QUERY,
    status: 200,
    answer: {},
  }) as const

const appWith = (...modules: RouteModule[]) =>
  httpApp({
    clock: new FakeClock(),
    random: countingRandom(),
    log: silentLog,
    tokens: { admin: new Secret('admin-token-of-the-test'), advice: '' },
    modules,
  })

scenario(
  'X03',
  'an operation asks for its own scope, not for that of what stands behind',
  async () => {
    const app = appWith((routes) => {
      addOperation(routes, operation('/both', 'anybody'), (c) => answer(c, { told: 'operation' }))
      routes.get('/both', requires('admin'), (c) => answer(c, { told: 'route' }))
    })

    const answered = await app.request('/both')

    expect(answered.status).toBe(200)
    expect(await answered.json()).toMatchObject({ told: 'operation' })
  },
)

scenario('X03', 'an open handler does not lead on to an operation', async () => {
  const app = appWith((routes) => {
    routes.get('/both', openToAll(), (_, next) => next())
    addOperation(routes, operation('/both', 'admin'), (c) => answer(c, { told: 'operation' }))
  })

  const answered = await app.request('/both')

  expect(answered.status).toBe(500)
  expect(await answered.json()).toMatchObject({ error: { code: 'INTERNAL' } })
})
