import { describe, expect, it, onTestFinished } from 'vitest'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { FakeClock } from '../fake-clock.ts'
import { openBing } from './bing.ts'
import {
  forbids,
  type IndexNowEngineOptions,
  limitsRate,
  openIndexNowEngine,
} from './indexnow-engine.ts'
import { answers, afterEffect, breaks, openStandIn, type StandIn } from './stand-in.ts'
import { openWebhook } from './webhook.ts'

const KEY = 'abcdef0123456789'
const HOST = 'example.com'
const LOCATION = `https://${HOST}/${KEY}.txt`
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

const closing = <S extends StandIn>(standIn: S) => {
  onTestFinished(() => standIn.close())
  return standIn
}

async function engineWith(options: Partial<IndexNowEngineOptions> = {}) {
  const clock = new FakeClock()
  const engine = closing(await openIndexNowEngine({ clock, ...options }))
  const get = (query: string) => fetch(`${engine.endpoint}?${query}`)
  const post = (body: unknown, headers: Record<string, string> = JSON_TYPE) =>
    fetch(engine.endpoint, { method: 'POST', headers, body: JSON.stringify(body) })
  return { clock, engine, get, post }
}

const query = (url: string, key = KEY, location = LOCATION) =>
  `url=${encodeURIComponent(url)}&key=${key}&keyLocation=${encodeURIComponent(location)}`
const batch = (urlList: unknown, over: Record<string, unknown> = {}) => ({
  host: HOST,
  key: KEY,
  keyLocation: LOCATION,
  urlList,
  ...over,
})
const page = (n: number) => `https://${HOST}/${n}`

describe('the IndexNow engine', () => {
  it('takes what is well-formed and remembers it with its times', async () => {
    const { clock, engine, get, post } = await engineWith()

    expect((await get(query(page(1)))).status).toBe(200)
    clock.advance(minutes(9))
    expect((await post(batch([page(1), page(2)]))).status).toBe(200)
    clock.advance(minutes(11))
    expect((await post(batch([page(2)], { keyLocation: undefined }))).status).toBe(200)

    expect(engine.received.get(page(1))?.count).toBe(2)
    expect(engine.received.get(page(2))?.count).toBe(2)
    expect(engine.sentAgainTooSoon()).toEqual([page(1)])
    expect(engine.leastIntervalMs).toBe(minutes(9))
    expect(engine.complaints).toEqual([])
  })

  it('refuses a GET that is not exactly as specified', async () => {
    const { engine, get } = await engineWith()
    const wrong: [string, number][] = [
      [`key=${KEY}&${query(page(1))}`, 400],
      [`url=${page(1)}&key=${KEY}&keyLocation=${encodeURIComponent(LOCATION)}`, 400],
      [`url=${encodeURIComponent(page(1))}&key=${KEY}`, 400],
      [query(page(1), 'short'), 422],
      [query('https://other.com/1'), 422],
      [query(page(1), KEY, `https://${HOST}/blog/${KEY}.txt`), 422],
    ]

    for (const [asked, status] of wrong) expect((await get(asked)).status, asked).toBe(status)

    expect(engine.complaints).toHaveLength(wrong.length)
    expect(engine.received.size).toBe(0)
  })

  it('refuses a POST that is not exactly as specified', async () => {
    const { engine, post } = await engineWith()
    const many = Array.from({ length: 10_001 }, (_, n) => page(n))
    const wrong: [unknown, number][] = [
      [batch([]), 400],
      [batch(many), 400],
      [batch([page(1)], { host: `https://${HOST}` }), 400],
      [batch([page(1)], { extra: 1 }), 400],
      [batch(['ftp://example.com/1']), 400],
      [batch([page(1), 'https://other.com/1']), 422],
      [batch([page(1)], { key: 'under_score_key' }), 422],
    ]

    for (const [asked, status] of wrong) expect((await post(asked)).status).toBe(status)
    expect((await post(batch([page(1)]), { 'content-type': 'application/json' })).status).toBe(400)

    expect(engine.complaints).toHaveLength(wrong.length + 1)
    expect((await post(batch(many.slice(1)))).status).toBe(200)
  })

  it('refuses a whole batch for one bad URL', async () => {
    const { engine, post } = await engineWith({ badUrls: new Map([[page(2), 422]]) })

    expect((await post(batch([page(1), page(2)]))).status).toBe(422)
    expect((await post(batch([page(1)]))).status).toBe(200)

    expect([...engine.received.keys()]).toEqual([page(1)])
    expect(engine.complaints).toEqual([])
  })

  it('fetches the key file, before or later', async () => {
    const files = new Map([
      [`/${KEY}.txt`, KEY],
      ['/wrong-key-1.txt', 'something else'],
    ])
    const site = closing(
      await openStandIn({
        clock: new FakeClock(),
        decide: ({ target }) => {
          const body = files.get(target)
          return { reply: body === undefined ? { status: 404 } : { status: 200, body } }
        },
      }),
    )
    const host = new URL(site.origin).host
    const ask = (key: string) => ({
      host,
      key,
      keyLocation: `${site.origin}/${key}.txt`,
      urlList: [`${site.origin}/1`],
    })

    const before = await engineWith({ keyCheck: 'before' })
    expect((await before.post(ask(KEY))).status).toBe(200)
    expect(await (await before.post(ask('wrong-key-1'))).json()).toMatchObject({
      errorCode: 'InvalidKey',
    })
    expect(await (await before.post(ask('absent-key'))).json()).toMatchObject({
      errorCode: 'KeyNotFound',
    })

    const later = await engineWith({ keyCheck: 'later' })
    const looked = site.arrival()
    expect((await later.post(ask(KEY))).status).toBe(202)
    await looked
    await expect.poll(async () => (await later.post(ask(KEY))).status).toBe(200)
  })

  it('answers as it is told, in order, then by its rules', async () => {
    const { engine, get } = await engineWith()
    engine.script(
      forbids('SiteVerificationNotCompleted'),
      forbids(),
      limitsRate('7'),
      answers(503),
      afterEffect(answers(500)),
    )
    const replies = []
    for (let n = 1; n <= 6; n++) replies.push(await get(query(page(n))))

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 429, 503, 500, 200])
    expect(replies[2]?.headers.get('retry-after')).toBe('7')
    expect(await replies[0]?.json()).toEqual({
      errorCode: 'SiteVerificationNotCompleted',
      message: 'SiteVerificationNotCompleted',
    })
    expect([...engine.received.keys()]).toEqual([page(5), page(6)])
  })
})

describe('faults', () => {
  it.each(['reset', 'garbage', 'wrong-length'] as const)(
    '%s breaks the exchange',
    async (fault) => {
      const { engine, get } = await engineWith()
      engine.script({ ...answers(200, 'text'), fault })

      await expect(get(query(page(1))).then((reply) => reply.text())).rejects.toBeInstanceOf(
        TypeError,
      )
      expect(engine.received.size).toBe(0)
    },
  )

  it('drip takes a second for every byte', async () => {
    const { engine, clock, get } = await engineWith()
    engine.script({ ...answers(200, 'slow'), fault: 'drip' })
    const startedAt = clock.now()

    expect(await (await get(query(page(1)))).text()).toBe('slow')
    expect(clock.now() - startedAt).toBe(seconds(4))
  })

  it('hang does not answer, and counts as in flight', async () => {
    const { engine, get } = await engineWith()
    engine.script(breaks('hang'))
    const arrived = engine.arrival()
    const hanging = get(query(page(1))).catch((error: unknown) => error)

    await arrived
    await get(query(page(2)))

    expect(engine.maxInFlight).toBe(2)
    await engine.close()
    expect(await hanging).toBeInstanceOf(Error)
  })
})

describe('Bing', () => {
  const apiKey = 'key-of-the-account'
  const open = async () => {
    const clock = new FakeClock('2025-01-31T23:59:00Z')
    const sites = [{ url: `https://${HOST}`, dailyQuota: 10, monthlyQuota: 15 }]
    const bing = closing(await openBing({ clock, apiKey, sites }))
    const submit = async (body: unknown, headers: Record<string, string> = JSON_TYPE) => {
      const url = `${bing.apiUrl}/SubmitUrlbatch?apikey=${apiKey}`
      const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await reply.json()) as { Message?: string }).Message ?? reply.status
    }
    const urls = (count: number) => ({
      siteUrl: `https://${HOST}`,
      urlList: Array.from({ length: count }, (_, n) => page(n)),
    })
    return { clock, bing, submit, urls }
  }

  it('counts by day and month, and refuses whole batches', async () => {
    const { clock, bing, submit, urls } = await open()

    expect(await submit(urls(8))).toBe(200)
    expect(await submit(urls(3))).toBe('ERROR!!! Quota remaining for today: 2, Submitted: 3')
    expect(await submit(urls(2))).toBe(200)
    expect(await submit(urls(1))).toBe(
      'ERROR!!! You have exceeded your daily url submission quota : 10',
    )
    clock.advance(minutes(2))
    expect(await submit(urls(10))).toBe(200)
    clock.advanceTo('2025-02-02T00:00:00Z')
    expect(await submit(urls(6))).toBe('ERROR!!! Quota remaining for today: 5, Submitted: 6')
    expect(await submit(urls(5))).toBe(200)
    expect(await submit(urls(1))).toBe(
      'ERROR!!! You have exceeded your monthly url submission quota : 15',
    )

    expect(bing.accepted).toHaveLength(25)
    expect(bing.overQuota).toEqual([3, 1, 6, 1])
    expect(bing.complaints).toEqual([])
  })

  it('refuses what is not exactly as specified', async () => {
    const { bing, submit, urls } = await open()
    const wrong = [
      { ...urls(1), siteUrl: `https://${HOST}/` },
      { ...urls(1), extra: true },
      { ...urls(1), urlList: [] },
      { ...urls(1), urlList: [page(1), page(1)] },
    ]

    for (const body of wrong) expect(await submit(body)).toMatch(/InvalidParameter/)
    expect(await submit(urls(1), { 'content-type': 'text/plain' })).toMatch(/InvalidParameter/)
    expect(await submit({ ...urls(1), urlList: ['https://other.com/1'] })).toMatch(/Invalid Urls/)
    expect(await submit({ ...urls(1), siteUrl: 'https://other.com' })).toMatch(/NotAuthorized/)

    expect(bing.complaints).toHaveLength(wrong.length + 1)
    expect(bing.accepted).toEqual([])
  })
})

describe('the webhook', () => {
  it('takes JSON, remembers it, and fails when told to', async () => {
    const hook = closing(await openWebhook({ clock: new FakeClock() }))
    const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
      fetch(hook.url, { method: 'POST', headers, body })
    hook.script(answers(500))

    const statuses = []
    for (const body of ['{"n":1}', '{"n":2}', 'not JSON']) statuses.push((await post(body)).status)
    statuses.push((await post('{}', { 'content-type': 'text/plain' })).status)

    expect(statuses).toEqual([500, 200, 400, 415])
    expect(hook.posted.map(({ json }) => json)).toEqual([{ n: 2 }])
    expect(hook.complaints).toHaveLength(2)
  })
})
