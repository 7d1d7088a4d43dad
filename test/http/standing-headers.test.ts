import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { expect, it } from 'vitest'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import { openToAll } from '../../src/http/access.ts'
import { answer, refuse } from '../../src/http/envelope.ts'
import { httpApp } from '../../src/http/http-app.ts'
import type { RouteModule } from '../../src/http/http-env.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'

const routes: RouteModule = (app) => {
  app.get('/json', openToAll(), (c) => answer(c, { told: true }))
  app.get('/refused', openToAll(), (c) =>
    refuse(c, { code: 'LOCKED', message: 'Later.', headers: { 'Retry-After': '5' } }),
  )
  app.get('/page', openToAll(), (c) => c.html('<p>a page</p>'))
  app.get('/throws', openToAll(), () => {
    throw new Error('a bug')
  })
}

const app = httpApp({
  clock: new FakeClock('2025-01-15T10:30:00Z'),
  random: countingRandom(),
  log: silentLog,
  tokens: { admin: new Secret('admin-token-of-the-test'), advice: '' },
  modules: [routes],
  compresses: true,
})

async function usualHeaders() {
  const usual = new Hono()
  usual.use(secureHeaders({ strictTransportSecurity: false, xFrameOptions: 'DENY' }))
  usual.get('/', (c) => c.json({}))
  const { 'content-type': _, ...headers } = Object.fromEntries((await usual.request('/')).headers)
  return headers
}

it.each([
  ['an answer', 'GET', '/json', 200],
  ['the head of one', 'HEAD', '/json', 200],
  ['a refusal', 'GET', '/refused', 409],
  ['a page', 'GET', '/page', 200],
  ['a bug', 'GET', '/throws', 500],
  ['nothing', 'GET', '/nowhere', 404],
  ['a wrong method', 'POST', '/json', 405],
])('%s carries what browsers should know, and the id of its request', async (...asked) => {
  const [, method, path, status] = asked
  const usual = await usualHeaders()

  const answered = await app.request(path, { method, headers: { 'x-request-id': 'req-42' } })

  expect(answered.status).toBe(status)
  expect(Object.fromEntries(answered.headers)).toMatchObject({
    ...usual,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'x-request-id': 'req-42',
    traceparent: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/),
  })
})

it('keeps the headers that a refusal brings', async () => {
  const refused = await app.request('/refused')
  const wrong = await app.request('/json', { method: 'POST' })

  expect(refused.headers.get('retry-after')).toBe('5')
  expect(wrong.headers.get('allow')).toBe('GET, HEAD')
  expect(wrong.headers.get('content-type')).toBe('application/json')
})
