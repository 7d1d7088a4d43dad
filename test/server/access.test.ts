import { afterAll, beforeAll, describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import {
  bearer,
  envelopeOf,
  PROGRAM_WITH_TEST_ROUTES,
  type RunningServer,
  startServer,
} from './support.ts'

const ADMIN = 'canary-admin-0123456789'
const READ = 'canary-read-0123456789'
const COLLECT = 'canary-collect-0123456789'

describe('who may ask', () => {
  let server: RunningServer

  beforeAll(async () => {
    const tokens = { ADMIN_TOKEN: ADMIN, READ_TOKEN: READ, COLLECT_TOKEN: COLLECT }
    server = await startServer(tokens, PROGRAM_WITH_TEST_ROUTES)
  })
  afterAll(() => server.stop())

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers })

  scenario('X03', 'without a token: 401, a challenge, and where the token is', async () => {
    const response = await get('/api/about')

    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="sluice"')
    expect(await envelopeOf(response)).toMatchObject({
      success: false,
      error: {
        code: 'UNAUTHORIZED',
        retryable: false,
        message: expect.stringContaining('ADMIN_TOKEN'),
      },
      meta: { request_id: expect.any(String) },
    })
  })

  scenario('X03', 'a wrong or half token is 401 as well', async () => {
    for (const authorization of [
      'Bearer wrong-token-0123456789',
      `Bearer ${ADMIN.slice(0, -1)}`,
      `Bearer ${ADMIN}x`,
      `Bearer ${ADMIN} ${ADMIN}`,
      'Bearer',
      'Bearer ',
      ADMIN,
      `Basic ${btoa(`admin:${ADMIN}`)}`,
    ]) {
      const response = await get('/api/about', { authorization })
      expect(response.status, authorization).toBe(401)
      expect((await envelopeOf(response)).error?.code).toBe('UNAUTHORIZED')
    }
  })

  scenario('X03', 'each token opens its own scope, admin all of them', async () => {
    const paths = ['/api/about', '/test/read', '/test/folder/one']
    const statusesWith = (token: string) =>
      Promise.all(paths.map(async (path) => (await get(path, bearer(token))).status))

    expect(await statusesWith(ADMIN)).toEqual([200, 200, 200])
    expect(await statusesWith(READ)).toEqual([403, 200, 403])
    expect(await statusesWith(COLLECT)).toEqual([403, 403, 200])
  })

  scenario('X03', 'a token without the scope is told which one it lacks', async () => {
    const response = await get('/api/about', bearer(READ))

    expect(response.headers.get('www-authenticate')).toContain('scope="admin"')
    expect((await envelopeOf(response)).error).toEqual({
      code: 'FORBIDDEN',
      retryable: false,
      message: expect.stringContaining('needs the scope admin'),
    })
  })

  scenario('X03', 'the scheme may be written in any case', async () => {
    expect((await get('/test/read', { authorization: `bearer ${READ}` })).status).toBe(200)
  })

  scenario('X03', 'a route that declares no scope is never reached, with any token', async () => {
    const response = await get('/test/undeclared', bearer(ADMIN))

    expect(response.status).toBe(500)
    expect(await envelopeOf(response)).toMatchObject({ error: { code: 'INTERNAL' } })
    expect(server.output()).toContain('declares no scope')
  })

  scenario('X03', 'nor by an address that an open route, added later, has too', async () => {
    expect((await get('/test/early/undeclared', bearer(ADMIN))).status).toBe(500)
  })

  scenario('X03', 'an open handler does not lead on to a guarded one', async () => {
    const response = await get('/test/leads-on')

    expect(response.status).toBe(500)
    expect((await envelopeOf(response)).reached).toBeUndefined()
  })

  scenario('X03', 'a guard of a folder stands before what is not in it, too', async () => {
    expect((await get('/test/folder/nothing')).status).toBe(401)
    expect((await get('/test/folder/nothing', bearer(COLLECT))).status).toBe(404)
  })

  scenario('X03', '/api/about shows the configuration and no secret', async () => {
    const response = await get('/api/about', bearer(ADMIN))

    const body = await envelopeOf(response)
    expect(body).toMatchObject({
      success: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      runtime: `node ${process.versions.node}`,
      startedAt: expect.stringMatching(/Z$/),
      config: { adminToken: '***REDACTED***', readToken: '***REDACTED***', maxRetries: 3 },
    })
    expect(body).not.toHaveProperty('config.store')
    expect(body).not.toHaveProperty('config.workersPlan')
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  scenario('X03', 'no token was printed by any of this', async () => {
    await get('/api/about?token=canary-in-a-query&key=canary', bearer(ADMIN))
    await get('/nowhere?token=canary-in-a-query', bearer('canary-of-nobody-0123456789'))
    await get('/test/throws', bearer(ADMIN))

    expect(server.lines().filter(({ event }) => event === 'http.request').length).toBeGreaterThan(3)
    expect(server.output()).not.toContain('canary-in-a')
    expect(server.output()).not.toContain('canary-of-nobody')
    for (const token of [ADMIN, READ, COLLECT]) expect(server.output()).not.toContain(token)
  })
})
