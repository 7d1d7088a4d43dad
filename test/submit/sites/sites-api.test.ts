import { describe, expect, it } from 'vitest'
import { scenario } from '../../support/scenario.ts'
import { BING_KEY, KEY, MINIMAL, openSitesApi, WEBHOOK } from './support.ts'

describe('/api/sites', () => {
  scenario('R01', 'sites are added, listed, changed and removed', async () => {
    const { ask } = await openSitesApi()

    const created = await ask('POST', '/api/sites', { ...MINIMAL, name: 'Shop' })
    const changed = await ask('PUT', '/api/sites/example.com', { enabled: false })
    const listed = await ask('GET', '/api/sites')
    const removed = await ask('DELETE', '/api/sites/example.com')

    expect(created).toMatchObject({
      status: 201,
      body: { success: true, site: { id: 'example.com', name: 'Shop', enabled: true } },
    })
    expect(changed).toMatchObject({ status: 200, body: { site: { enabled: false, name: 'Shop' } } })
    expect(listed).toMatchObject({ status: 200, body: { sites: [{ id: 'example.com' }] } })
    expect(removed).toMatchObject({ status: 200, body: { site: { id: 'example.com' } } })
    expect((await ask('GET', '/api/sites')).body.sites).toEqual([])
    expect((await ask('GET', '/api/sites/example.com')).status).toBe(404)
  })

  scenario('R01', 'no answer and no log line holds a secret', async () => {
    const { ask, lines } = await openSitesApi()
    const secrets = { apiKey: KEY, bingApiKey: BING_KEY, webhookUrl: WEBHOOK }

    const replies = [
      await ask('POST', '/api/sites', { ...MINIMAL, ...secrets }),
      await ask('POST', '/api/sites', { ...MINIMAL, ...secrets }),
      await ask('GET', '/api/sites/example.com'),
      await ask('GET', '/api/sites'),
      await ask('PUT', '/api/sites/example.com', { ...secrets, bingApiKey: `${BING_KEY}\n` }),
      await ask('PUT', '/api/sites/example.com', { ...secrets, colour: KEY }),
      await ask('PUT', '/api/sites/example.com', `{"apiKey":"${KEY}"`),
      await ask('DELETE', '/api/sites/example.com'),
    ]

    const said = JSON.stringify([replies, lines])
    for (const secret of [KEY, BING_KEY, 'XXXXXXXX']) expect(said).not.toContain(secret)
    expect(replies.map(({ status }) => status)).toEqual([201, 409, 200, 200, 400, 400, 400, 200])
    expect(replies[2]?.body.site).toMatchObject({
      apiKey: '****',
      bingApiKey: '****',
      webhookUrl: '****',
      keyLocation: 'https://example.com/****.txt',
    })
  })

  scenario(
    'B08',
    'bingEnabled without a key is HTTP 400, in words that say what is missing',
    async () => {
      const { ask } = await openSitesApi()
      const error = {
        code: 'INVALID_INPUT',
        message: 'bingApiKey is required when bingEnabled is true',
      }

      expect(await ask('POST', '/api/sites', { ...MINIMAL, bingEnabled: true })).toMatchObject({
        status: 400,
        body: { success: false, error },
      })
      await ask('POST', '/api/sites', MINIMAL)
      expect(await ask('PUT', '/api/sites/example.com', { bingEnabled: true })).toMatchObject({
        status: 400,
        body: { success: false, error },
      })
      expect(
        await ask('PUT', '/api/sites/example.com', { bingEnabled: true, bingApiKey: BING_KEY }),
      ).toMatchObject({
        status: 200,
        body: {
          site: {
            bingEnabled: true,
            bingApiKey: '****',
            bingDailyQuota: 100,
            bingPriority: 'newest',
          },
        },
      })
    },
  )

  scenario('X03', 'looking needs the scope read, changing needs admin', async () => {
    const { ask } = await openSitesApi()
    await ask('POST', '/api/sites', MINIMAL)
    const requests = [
      ['POST', '/api/sites'],
      ['GET', '/api/sites'],
      ['GET', '/api/sites/example.com'],
      ['PUT', '/api/sites/example.com'],
      ['DELETE', '/api/sites/example.com'],
    ] as const
    const statuses = async (token: string) =>
      Promise.all(
        requests.map(async ([method, path]) => {
          const body = method === 'PUT' || method === 'POST' ? {} : undefined
          return (await ask(method, path, body, token)).status
        }),
      )

    expect(await statuses('wrong')).toEqual([401, 401, 401, 401, 401])
    expect(await statuses('read')).toEqual([403, 200, 200, 403, 403])
  })

  it('tells what is not there, what is there already, and what is no JSON', async () => {
    const { ask } = await openSitesApi()
    await ask('POST', '/api/sites', MINIMAL)

    expect(await ask('GET', '/api/sites/none')).toMatchObject({
      status: 404,
      body: {
        error: {
          code: 'NOT_FOUND',
          message: 'There is no site "none". GET /api/sites lists those there are.',
        },
      },
    })
    expect((await ask('PUT', '/api/sites/none', { name: 'x' })).status).toBe(404)
    expect((await ask('DELETE', '/api/sites/none')).status).toBe(404)
    const second = await ask('POST', '/api/sites', MINIMAL)
    expect(second.status).toBe(409)
    expect(second.body.error.message).toMatch(/^There is a site "example\.com" already\. Change it/)
    expect((await ask('POST', '/api/sites', { ...MINIMAL, id: 'second' })).status).toBe(201)
    for (const body of ['', '{', '[]', '7', 'null']) {
      expect((await ask('POST', '/api/sites', body)).status).toBe(400)
    }
  })

  it('finds a site whose id has a port', async () => {
    const { ask } = await openSitesApi()
    await ask('POST', '/api/sites', { ...MINIMAL, sitemapUrl: 'http://127.0.0.1:8099/s.xml' })
    for (const id of ['127.0.0.1:8099', '127.0.0.1%3A8099']) {
      expect((await ask('GET', `/api/sites/${id}`)).body.site).toMatchObject({
        host: '127.0.0.1:8099',
      })
    }
  })
})
