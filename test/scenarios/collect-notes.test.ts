import { setImmediate as everybodyIdle } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import {
  addCandidates,
  addCookie,
  COLLECT_BACKENDS,
  type CollectWorld,
  itemOf,
  noteIdOf,
  openCollectWorld,
  sessionCookie,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { openSite, type SiteStandIn } from '../support/stand-ins/site.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { until } from './support.ts'

const detail = (world: CollectWorld, items: readonly unknown[], headers = {}) =>
  world.ask('POST', '/v1/notes/detail', { items }, { as: 'collect', headers })

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

interface Alert {
  readonly key: string
  readonly severity: string
  readonly status: string
  readonly notifications: number
}
const alertsOf = async (world: CollectWorld) =>
  (await world.data<{ alerts: Alert[] }>('GET', '/v1/alerts', undefined, { as: 'collect' })).alerts

/** Three pages of a site of their own. */
async function pagesFor({ clock }: CollectWorld): Promise<SiteStandIn> {
  const page = { headers: { 'content-type': 'text/html' }, body: '<title>a page</title>' }
  const site = await openSite({ clock, files: { '/0': page, '/1': page, '/2': page } })
  onTestFinished(() => site.close())
  return site
}

const candidatesIn = async (world: CollectWorld) => world.stores.candidates.count()

/** Lets the schedule do what is due by then, five minutes at a time. */
async function passMinutes(world: CollectWorld, count: number, jobs: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 5) {
    world.clock.advance(minutes(5))
    // A job waits for its next time once it is over; what it holds meanwhile, a lease say, waits for less.
    await until(() => world.clock.waitingAtLeast(minutes(2)) === jobs)
    await everybodyIdle()
  }
}

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
    'C31',
    'the server collects by itself, and what fails is tried another time',
    async () => {
      const world = await openCollectWorld(backend, {
        env: { COLLECT_SCHEDULE: '*/5 * * * *', COLLECT_HOST_INTERVAL_MS: '10' },
      })
      await addCookie(world, 'a', sessionCookie(1))
      await addCandidates(world, 25)
      await world.stores.candidates.add(
        [{ platform: 'xhs', noteId: noteIdOf(700), noteUrl: world.xhs.linkTo(noteIdOf(700)) }],
        { requestId: 'r' },
      )
      world.side.start()
      await until(() => world.clock.waiting === 3)

      const after: unknown[] = []
      const finished = () => world.logs.filter(({ event }) => event === 'collect.finished').length
      for (let round = 1; round <= 3; round++) {
        world.clock.advance(minutes(5))
        await until(() => finished() === round && world.clock.waiting === 3)
        after.push(await candidatesIn(world))
      }

      expect(after).toEqual([
        { pending: 1, processing: 0, collected: 25, failed: 0 },
        { pending: 1, processing: 0, collected: 25, failed: 0 },
        { pending: 0, processing: 0, collected: 25, failed: 1 },
      ])
      const executions = await world.stores.executions.list(9)
      expect(executions.map(({ status }) => status)).toEqual([
        'completed',
        'completed',
        'completed',
      ])
      expect(executions.at(-1)).toMatchObject({ itemsProcessed: 25, itemsFailed: 1 })
    },
  )

  scenario('C31', 'without a cookie nothing is tried, and no attempt is spent', async () => {
    const world = await openCollectWorld(backend, { env: { COLLECT_SCHEDULE: '*/5 * * * *' } })
    await addCandidates(world, 12)
    world.side.start()
    await until(() => world.clock.waiting === 3)

    await passMinutes(world, 5, 3)

    const candidates = await world.stores.candidates.list(undefined, 99)
    expect(candidates.every(({ retryCount }) => retryCount === 0)).toBe(true)
    expect(await candidatesIn(world)).toMatchObject({ pending: 12 })
    expect(await world.stores.executions.list(9)).toMatchObject([{ status: 'completed' }])
    expect(world.xhs.requests).toEqual([])
  })

  scenario('C31', 'what needs no cookie does not wait for what has none', async () => {
    const world = await openCollectWorld(backend)
    const site = await pagesFor(world)
    await addCandidates(world, 30)
    const items = numbers(3).map((n) => ({ platform: 'page', note_url: site.url(`/${n}`) }))
    await world.data('POST', '/v1/candidates', { items })

    const run = await world.data('POST', '/v1/collect?wait=true')

    expect(run).toMatchObject({ created: 3, failed: 0, left_over: 10, ending: 'paused' })
    expect(await candidatesIn(world)).toMatchObject({ pending: 30, processing: 0, collected: 3 })
  })

  scenario('C20', 'a host that rests is not claimed for, and holds up no other', async () => {
    const world = await openCollectWorld(backend, { env: { COLLECT_HOST_INTERVAL_MS: '10' } })
    const site = await pagesFor(world)
    await addCookie(world, 'a', sessionCookie(1))
    await addCandidates(world, 30)
    const items = numbers(3).map((n) => ({ platform: 'page', note_url: site.url(`/${n}`) }))
    await world.data('POST', '/v1/candidates', { items })
    world.xhs.script(answers(461))

    const run = await world.data('POST', '/v1/collect?wait=true')

    expect(run).toMatchObject({ created: 3, failed: 1, left_over: 9, ending: 'paused' })
    expect(world.xhs.requests).toHaveLength(1)
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

  scenario(
    'C31',
    'while somebody else collects, the schedule waits for its next time',
    async () => {
      const world = await openCollectWorld(backend, { env: { COLLECT_SCHEDULE: '*/5 * * * *' } })
      const { execution_id } = await startExecution(world, 'collect')
      world.side.start()
      await until(() => world.clock.waiting === 3)

      await passMinutes(world, 5, 3)

      expect(world.logs.map(({ event }) => event)).toContain('collect.taken')
      expect(await world.stores.executions.list(9)).toMatchObject([{ executionId: execution_id }])
    },
  )

  scenario('C05', 'the server recovers every 15 minutes by itself', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 1)
    const { execution_id } = await startExecution(world)
    await world.data('POST', '/v1/candidates/claim', { execution_id })
    world.side.start()
    await until(() => world.clock.waiting === 2)

    await passMinutes(world, 30, 2)

    expect(await candidatesIn(world)).toMatchObject({ pending: 1, processing: 0 })
    expect(await world.stores.executions.list(9)).toMatchObject([{ status: 'timeout' }])
  })

  scenario('C40', 'no active cookie: raised once, repeated, cleared once', async () => {
    const world = await openCollectWorld(backend)
    world.side.start()
    await until(() => world.clock.waiting === 2)

    await passMinutes(world, 5, 2)
    const raised = await alertsOf(world)
    await passMinutes(world, 80, 2)
    const repeated = await alertsOf(world)
    await addCookie(world, 'a', sessionCookie(1))
    await passMinutes(world, 20, 2)
    const cleared = await alertsOf(world)

    expect(raised).toMatchObject([
      { key: 'no-active-cookie:xhs', severity: 'P0', status: 'firing', notifications: 1 },
    ])
    expect(repeated).toMatchObject([{ status: 'firing', notifications: 4 }])
    expect(cleared).toMatchObject([{ status: 'resolved', notifications: 5 }])
    const told = world.logs.filter(({ event }) => event.startsWith('alert.'))
    expect(told.map(({ event }) => event)).toEqual([
      'alert.raised',
      'alert.repeated',
      'alert.repeated',
      'alert.repeated',
      'alert.resolved',
    ])
  })

  scenario('C40', 'what is brought does not hide what cannot be collected', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    await addCandidates(world, 20)
    const { execution_id } = await startExecution(world)
    await world.data('POST', '/v1/candidates/claim', { execution_id, batch_size: 20 })
    const failed = { platform: 'xhs', error_code: 'NETWORK_ERROR' }
    const items = numbers(20).map((n) => ({ ...failed, note_id: noteIdOf(n) }))
    await world.data('POST', '/v1/candidates/fail', { execution_id, items })
    world.side.start()
    await until(() => world.clock.waiting === 2)

    for (const round of numbers(4)) {
      for (const part of [0, 1]) {
        const lines = numbers(100).map((n) => `{"note_id":"${round}-${part}-${n}","title":"x"}`)
        await world.data('POST', '/v1/import', { lines })
      }
      await world.data('PUT', `/v1/executions/${execution_id}/heartbeat`)
      await passMinutes(world, 5, 2)
    }

    expect(await alertsOf(world)).toMatchObject([{ key: 'success-rate', status: 'firing' }])
  })

  scenario('C40', 'a low success rate and a long queue are told when they last', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    const many = numbers(501).map((n) => ({
      platform: 'xhs',
      noteId: noteIdOf(n),
      noteUrl: world.xhs.linkTo(noteIdOf(n)),
    }))
    await world.stores.candidates.add(many, { requestId: 'r' })
    const { execution_id } = await startExecution(world)
    const failThree = async () => {
      const { records } = await world.data<{ records: { note_id: string }[] }>(
        'POST',
        '/v1/candidates/claim',
        { execution_id, batch_size: 20 },
      )
      const keys = records.map(({ note_id }) => ({ platform: 'xhs', note_id }))
      await world.data('POST', '/v1/candidates/complete', {
        execution_id,
        items: keys.slice(3).map((key) => ({ ...key, note: {} })),
      })
      await world.data('POST', '/v1/candidates/fail', {
        execution_id,
        items: keys.slice(0, 3).map((key) => ({ ...key, error_code: 'NETWORK_ERROR' })),
      })
      await world.stores.candidates.add(
        numbers(20).map((n) => ({
          platform: 'xhs',
          noteUrl: 'u',
          noteId: `${world.clock.now()}-${n}`,
        })),
        { requestId: 'r' },
      )
    }
    world.side.start()
    await until(() => world.clock.waiting === 2)

    const seen: string[][] = []
    for (let round = 0; round < 8; round++) {
      await failThree()
      await passMinutes(world, 5, 2)
      seen.push((await alertsOf(world)).map(({ key, severity }) => `${severity} ${key}`))
    }

    expect(seen.slice(0, 2)).toEqual([[], []])
    expect(seen[2]).toEqual(['P1 success-rate'])
    expect(seen[5]).toEqual(['P1 success-rate'])
    expect(seen[6]).toEqual(['P2 many-pending', 'P1 success-rate'])
  })
})
