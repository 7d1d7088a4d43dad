import { describe, expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import {
  addCookie,
  COLLECT_BACKENDS,
  type CollectWorld,
  itemOf,
  noteIdOf,
  openCollectWorld,
  sessionCookie,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { numbers } from './collect-steps.ts'

const detail = (world: CollectWorld, items: readonly unknown[], headers = {}) =>
  world.ask('POST', '/v1/notes/detail', { items }, { as: 'collect', headers })

describe.each(COLLECT_BACKENDS)('notes on $name', (backend) => {
  scenario('C08', 'a batch reports each item; 207 when one failed', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))

    const whole = await detail(world, [itemOf(world, 0), itemOf(world, 1)])
    const partly = await detail(world, [itemOf(world, 0), itemOf(world, 500)])

    expect(whole.status).toBe(200)
    expect(whole.body).toMatchObject({
      success: true,
      items: [
        {
          id: noteIdOf(0),
          success: true,
          data: { title: 'note 0', metrics: { likes: { value: 12_000, raw: '1.2万' } } },
        },
        { id: noteIdOf(1), success: true, data: { platform: 'xhs', note_id: noteIdOf(1) } },
      ],
      summary: { total: 2, succeeded: 2, failed: 0 },
      meta: { cookie_used: 'a' },
    })
    expect(partly.status).toBe(207)
    expect(partly.body).toMatchObject({
      success: false,
      items: [{ success: true }, { success: false, error: { code: 'NOT_FOUND' } }],
      summary: { total: 2, succeeded: 1, failed: 1 },
      error: { code: 'PARTIAL_FAIL', retryable: false },
    })
  })

  scenario('C08', 'what did not start before the deadline may be asked for again', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))

    const { status, body } = await detail(
      world,
      numbers(20).map((n) => itemOf(world, n)),
    )

    const late = body.items?.filter(({ success }) => !success) ?? []
    expect(status).toBe(207)
    expect(late.length).toBeGreaterThan(5)
    expect(world.xhs.requests.length).toBe(20 - late.length)
    for (const item of late) {
      expect(item).toMatchObject({
        error: { code: 'TIMEOUT_ERROR', retryable: true },
        tried: false,
      })
    }
    expect(body.error).toMatchObject({ code: 'PARTIAL_FAIL', retryable: true })
    expect(world.clock.now()).toBeLessThan(Date.parse('2025-01-15T00:01:06Z'))
  })

  scenario('C08', 'what nobody was asked for says so, in the order asked', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    world.xhs.script(answers(461))

    const resting = await detail(world, [itemOf(world, 0), itemOf(world, 1)])
    world.clock.advance(minutes(16))
    const missing = await detail(world, [itemOf(world, 500), itemOf(world, 2)])
    await world.data('POST', '/v1/cookies/a/disable')
    const exhausted = await detail(world, [itemOf(world, 3)])

    const said = [resting, missing, exhausted].map(({ body }) =>
      body.items?.map((item) => [item['id'], item['success'], item['tried']]),
    )
    expect(said).toEqual([
      [
        [noteIdOf(0), false, undefined],
        [noteIdOf(1), false, false],
      ],
      [
        [noteIdOf(500), false, undefined],
        [noteIdOf(2), true, undefined],
      ],
      [[noteIdOf(3), false, false]],
    ])
  })

  scenario('C08', 'a batch of none or of 21, or with one bad address, is not begun', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    const good = itemOf(world, 0)

    const refused = [
      await detail(world, []),
      await detail(
        world,
        numbers(21).map((n) => itemOf(world, n)),
      ),
      await detail(world, [good, { ...good, platform: 'myspace' }]),
      await detail(world, [good, { ...good, url: 'https://evil.example.com/x' }]),
      await detail(world, [good, { ...good, id: noteIdOf(3) }]),
    ]

    for (const { status, body } of refused) {
      expect([status, body.error?.code]).toEqual([400, 'INVALID_INPUT'])
    }
    const { body } = await detail(world, [{ ...good, platform: 'weibo' }])
    expect(body.error?.code).toBe('UNSUPPORTED_OPERATION')
    expect(world.xhs.requests).toEqual([])
  })

  scenario('C06', 'the request id and the trace go out with every request', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

    await detail(world, [itemOf(world, 0)], {
      'x-request-id': 'n8n-7',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    })

    const [sent] = world.xhs.requests
    expect(sent?.headers['x-request-id']).toBe('n8n-7')
    expect(sent?.headers['traceparent']).toContain(traceId)
  })

  scenario('C20', 'requests to one host are at least the interval apart', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))

    await detail(
      world,
      numbers(6).map((n) => itemOf(world, n)),
    )

    const starts = world.xhs.requests.map(({ at }) => at)
    const gaps = starts.slice(1).map((at, n) => at - (starts[n] ?? 0))
    expect(gaps).toHaveLength(5)
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(5_000)
  })

  scenario('C13', 'who adds a feed is told how its notes are found', async () => {
    const world = await openCollectWorld(backend)
    const items = [{ platform: 'feed', note_url: 'https://blog.example.com/feed.xml' }]

    const { status, body } = await world.ask('POST', '/v1/candidates', { items })

    expect([status, body.error?.code]).toEqual([400, 'INVALID_INPUT'])
    expect(body.error?.message).toContain('/v1/search')
  })

  scenario('C13', 'what a platform cannot do is said without a request', async () => {
    const world = await openCollectWorld(backend)
    const search = { platform: 'xhs', keyword: 'tea' }

    const asked = await world.ask('POST', '/v1/search', search, { as: 'collect' })
    const alias = await world.ask('POST', '/api/search', search, { as: 'collect' })
    const exhausted = await world.ask('POST', '/api/note/detail', { items: [itemOf(world, 0)] })

    for (const { status, body } of [asked, alias]) {
      expect([status, body.error?.code]).toEqual([400, 'UNSUPPORTED_OPERATION'])
    }
    expect(exhausted.body.items?.[0]).toMatchObject({
      error: { code: 'COOKIE_EXHAUSTED', retryable: false },
    })
    expect(world.xhs.requests).toEqual([])
  })

  scenario(
    'C20',
    'however the address of a note is written, its host is asked slowly',
    async () => {
      const world = await openCollectWorld(backend)
      await addCookie(world, 'a', sessionCookie(1))
      const hosts = ['www.xiaohongshu.com', 'xiaohongshu.com', new URL(world.xhs.baseUrl).host]
      const items = hosts.map((host, n) => {
        const { pathname, search } = new URL(itemOf(world, n).url)
        return { ...itemOf(world, n), url: `http://${host}${pathname}${search}` }
      })

      const { status } = await detail(world, items)

      const [first = 0, second = 0, third = 0] = world.xhs.requests.map(({ at }) => at)
      expect(status).toBe(200)
      expect(second - first).toBeGreaterThanOrEqual(5_000)
      expect(third - second).toBeGreaterThanOrEqual(5_000)
    },
  )
})
