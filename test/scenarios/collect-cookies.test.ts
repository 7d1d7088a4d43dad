import { describe, expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import {
  addCookie,
  COLLECT_BACKENDS,
  type CollectWorld,
  DEAD_COOKIE,
  itemOf,
  noteIdOf,
  openCollectWorld,
  sessionCookie,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'

interface ShownCookie {
  readonly cookie_name: string
  readonly status: string
  readonly daily_used: number
  readonly total_errors: number
  readonly encryption_key_id: string
  readonly cooling_until: string | null
}

const cookiesOf = async (world: CollectWorld) =>
  (await world.data<{ cookies: ShownCookie[] }>('GET', '/v1/cookies')).cookies

const stateOf = async (world: CollectWorld, name = 'a') =>
  (await cookiesOf(world)).find(({ cookie_name }) => cookie_name === name)

const detail = (world: CollectWorld, ...numbers: readonly number[]) =>
  world.ask(
    'POST',
    '/v1/notes/detail',
    { items: numbers.map((number) => itemOf(world, number)) },
    { as: 'collect' },
  )

const codeOf = async (world: CollectWorld) => {
  const { body } = await detail(world, 0)
  return (body.items?.[0]?.['error'] as { code: string } | undefined)?.code ?? 'fetched'
}

describe.each(COLLECT_BACKENDS)('cookies on $name', (backend) => {
  scenario('C10', 'three errors in a row cool a cookie; the probe after decides', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', DEAD_COOKIE)

    const codes = [await codeOf(world), await codeOf(world), await codeOf(world)]
    const cooling = await stateOf(world)
    const resting = await codeOf(world)
    world.clock.advance(minutes(31))
    const probe = await codeOf(world)
    const after = await stateOf(world)

    expect(codes).toEqual(['COOKIE_INVALID', 'COOKIE_INVALID', 'COOKIE_INVALID'])
    expect(cooling).toMatchObject({ status: 'cooling', cooling_until: expect.any(String) })
    expect([resting, probe]).toEqual(['COOKIE_EXHAUSTED', 'COOKIE_INVALID'])
    expect(after).toMatchObject({ status: 'banned', total_errors: 4 })
  })

  scenario('C10', 'a probe that works makes the cookie active again', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    const origin = { requestId: 'r' }
    await world.stores.cookies.decide(
      'xhs',
      (all) => ({
        changed: all.map((cookie) => ({
          ...cookie,
          status: 'cooling' as const,
          consecutiveErrors: 3,
          totalErrors: 3,
          coolingUntil: world.clock.now() + 1,
        })),
        answer: undefined,
      }),
      origin,
    )
    world.clock.advance(1)

    const code = await codeOf(world)

    expect(code).toBe('fetched')
    expect(await stateOf(world)).toMatchObject({ status: 'active', total_errors: 3 })
  })

  scenario('C10', 'ten errors in all make it invalid; reactivated, it starts anew', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', DEAD_COOKIE)
    const origin = { requestId: 'r' }
    const nine = (all: Parameters<Parameters<typeof world.stores.cookies.decide>[1]>[0]) => ({
      changed: all.map((cookie) => ({ ...cookie, totalErrors: 9 })),
      answer: undefined,
    })
    await world.stores.cookies.decide('xhs', nine, origin)

    await codeOf(world)
    const invalid = await stateOf(world)
    const reactivated = await world.data('POST', '/v1/cookies/a/reactivate')
    const disabled = await world.data('POST', '/v1/cookies/a/disable')

    expect(invalid).toMatchObject({ status: 'invalid', total_errors: 10 })
    expect(reactivated).toMatchObject({ status: 'active', total_errors: 0 })
    expect(disabled).toMatchObject({ status: 'disabled' })
    expect(await codeOf(world)).toBe('COOKIE_EXHAUSTED')
  })

  scenario('C10', 'only its own errors count against a cookie', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))

    world.xhs.mood = 'captcha'
    const challenged = await codeOf(world)
    const resting = await codeOf(world)
    world.clock.advance(minutes(16))
    world.xhs.mood = 'usual'
    const { body } = await detail(world, 99)

    expect([challenged, resting]).toEqual(['PLATFORM_ERROR', 'PLATFORM_ERROR'])
    expect(body.items?.[0]).toMatchObject({ error: { code: 'NOT_FOUND', retryable: false } })
    expect(world.xhs.requests).toHaveLength(2)
    expect(await stateOf(world)).toMatchObject({ status: 'active', total_errors: 0 })
  })

  scenario('C10', 'by priority, then the least used; never past the daily limit', async () => {
    const world = await openCollectWorld(backend, { start: '2025-01-15T23:00:00Z' })
    await addCookie(world, 'low', sessionCookie(1), { priority: 1 })
    await addCookie(world, 'high-1', sessionCookie(2), { priority: 5, daily_limit: 2 })
    await addCookie(world, 'high-2', sessionCookie(3), { priority: 5, daily_limit: 1 })

    const used: unknown[] = []
    for (let n = 0; n < 5; n++) used.push((await detail(world, n)).body.meta['cookie_used'])
    world.clock.advanceTo('2025-01-16T00:00:01Z')
    used.push((await detail(world, 6)).body.meta['cookie_used'])

    expect(used).toEqual(['high-1', 'high-2', 'high-1', 'low', 'low', 'high-1'])
    expect(await stateOf(world, 'low')).toMatchObject({ daily_used: 0 })
  })

  scenario('C10', 'of two who ask at once one gets the last use', async () => {
    const world = await openCollectWorld(backend)
    const other = await world.another()
    await addCookie(world, 'a', sessionCookie(1), { daily_limit: 1 })

    const codes = await Promise.all([codeOf(world), codeOf(other)])

    expect(codes.toSorted()).toEqual(['COOKIE_EXHAUSTED', 'fetched'])
  })

  scenario('C14', 'a refused cookie is changed by itself, up to three times', async () => {
    const world = await openCollectWorld(backend, { env: { COLLECT_HOST_INTERVAL_MS: '1000' } })
    for (const name of ['d1', 'd2', 'd3']) {
      await addCookie(world, name, DEAD_COOKIE, { priority: 9 })
    }
    await addCookie(world, 'good', sessionCookie(1))

    const saved = await detail(world, 0)
    await addCookie(world, 'd4', DEAD_COOKIE, { priority: 9 })
    const given = await detail(world, 1)

    expect(saved.status).toBe(200)
    expect(saved.body.meta['cookie_used']).toBe('good')
    expect(given.status).toBe(207)
    expect(given.body).toMatchObject({
      items: [{ success: false, error: { code: 'COOKIE_INVALID', retryable: true } }],
      error: { code: 'PARTIAL_FAIL', retryable: true },
    })
    expect(world.xhs.requests).toHaveLength(8)
  })

  scenario('C07', 'no token but the admin’s can read or write cookies', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    const body = { cookie_name: 'b', platform: 'xhs', cookie: sessionCookie(2) }
    const asks: readonly (readonly [string, string, unknown?])[] = [
      ['GET', '/v1/cookies'],
      ['POST', '/v1/cookies', body],
      ['POST', '/v1/cookies/a/validate'],
      ['POST', '/v1/cookies/a/disable'],
      ['POST', '/v1/cookies/a/reactivate'],
      ['POST', '/v1/cookies/rotate-key'],
    ]

    for (const [method, path, sent] of asks) {
      for (const as of ['collect', 'read'] as const) {
        const { status } = await world.ask(method, path, sent, { as })
        expect([path, as, status]).toEqual([path, as, 403])
      }
    }

    expect(await cookiesOf(world)).toMatchObject([{ cookie_name: 'a', status: 'active' }])
  })

  scenario('C07', 'a cookie is in no answer, line, table or outbox row', async () => {
    for (const cipher of ['aes-256-gcm', 'fernet']) {
      const world = await openCollectWorld(backend, { env: { COOKIE_CIPHER: cipher } })
      const added = await world.ask('POST', '/v1/cookies', {
        cookie_name: 'a',
        platform: 'xhs',
        cookie: sessionCookie(1),
      })
      await addCookie(world, 'dead', DEAD_COOKIE, { priority: 5 })
      const answers = [added, await detail(world, 0), await world.ask('GET', '/v1/cookies')]
      const again = await world.ask('POST', '/v1/cookies', {
        cookie_name: 'a',
        platform: 'xhs',
        cookie: sessionCookie(1),
      })

      const kept = JSON.stringify([
        [...answers, again].map(({ body }) => body),
        world.logs,
        await world.stores.cookies.list(),
        await world.stores.outbox.page(99),
      ])

      expect(again.body.error?.code).toBe('ALREADY_EXISTS')
      expect(kept).not.toMatch(/session-1|18c0ffee|web_session=dead/)
      const [stored] = await world.stores.cookies.list()
      expect(stored?.cookieEncrypted.split(':').slice(0, -1)).toEqual(
        cipher === 'fernet' ? ['fernet'] : ['sealed', 'v1', 'aes-256-gcm', 'k1'],
      )
      expect(JSON.stringify(await world.stores.outbox.page(99))).not.toContain(
        stored?.cookieEncrypted,
      )
    }
  })

  scenario('C07', 'a page that repeats a cookie does not get it into a note', async () => {
    const canary = '"canary/of\\\\quotes=="'
    const note = { noteId: noteIdOf(0), token: 'AB0=', title: `you are ${canary}`, desc: canary }
    const world = await openCollectWorld(backend, { notes: [{ ...note, liked: '1' }] })
    await addCookie(world, 'a', `${sessionCookie(1)}; who=${canary}`)

    const { status, body } = await detail(world, 0)

    expect(status).toBe(200)
    expect(body.items).toMatchObject([{ data: { title: 'you are ***REDACTED***' } }])
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  scenario('C07', 'what is no cookie is refused without quoting it', async () => {
    const world = await openCollectWorld(backend)
    const add = async (cookie: unknown, more: object = {}) => {
      const given = { cookie_name: 'a', platform: 'xhs', cookie, ...more }
      const { status, body } = await world.ask('POST', '/v1/cookies', given)
      expect(JSON.stringify(body)).not.toContain('s3cret')
      return [status, body.error?.code]
    }

    expect(await add('')).toEqual([400, 'INVALID_INPUT'])
    expect(await add('s3cret')).toEqual([400, 'INVALID_INPUT'])
    expect(await add('web_session=s3cret\r\nx: y')).toEqual([400, 'INVALID_INPUT'])
    expect(await add('web_session=s3cret密')).toEqual([400, 'INVALID_INPUT'])
    expect(await add(`web_session=${'s3cret'.repeat(3_000)}`)).toEqual([400, 'INVALID_INPUT'])
    expect(await add('x'.repeat(5_000_000))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await add(['web_session=s3cret'])).toEqual([400, 'INVALID_INPUT'])
    expect(await add(sessionCookie(1), { platform: 'myspace' })).toEqual([400, 'INVALID_INPUT'])
    expect(await add(sessionCookie(1), { platform: 'page' })).toEqual([
      400,
      'UNSUPPORTED_OPERATION',
    ])
    expect(await add(sessionCookie(1), { cookie_name: '../x' })).toEqual([400, 'INVALID_INPUT'])
    expect(await world.stores.cookies.list()).toEqual([])
  })

  scenario(
    'C07',
    'keys change while cookies are in use; the old one is needed until then',
    async () => {
      const world = await openCollectWorld(backend)
      await addCookie(world, 'a', sessionCookie(1))
      const next = { COOKIE_MASTER_KEY: 'the-next-master-key', COOKIE_KEY_ID: 'k2' }
      const both = await world.another({
        ...next,
        COOKIE_KEYS_OLD: 'k1:master-key-of-the-test-world',
        COOKIE_CIPHER: 'fernet',
      })
      const without = await world.another(next)

      const before = [await codeOf(both), await codeOf(without)]
      const stuck = await without.data('POST', '/v1/cookies/rotate-key')
      const rotated = await both.data('POST', '/v1/cookies/rotate-key')
      const after = [await codeOf(both), await codeOf(without)]
      const again = await both.data('POST', '/v1/cookies/rotate-key')

      expect(before).toEqual(['fetched', 'COOKIE_EXHAUSTED'])
      expect(stuck).toMatchObject({ resealed: 0, stuck: [{ name: 'a' }] })
      expect(rotated).toEqual({ resealed: 1, stuck: [] })
      expect(after).toEqual(['fetched', 'fetched'])
      expect(again).toEqual({ resealed: 0, stuck: [] })
      expect(await stateOf(both)).toMatchObject({ encryption_key_id: 'k2' })
    },
  )

  scenario('C07', 'a sealed cookie moved to another name does not open', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    await addCookie(world, 'b', sessionCookie(2))
    const [a, b] = await world.stores.cookies.list()
    await world.stores.cookies.reseal('b', {
      from: b?.cookieEncrypted ?? '',
      to: a?.cookieEncrypted ?? '',
      encryptionKeyId: 'k1',
    })

    const looked = await world.data('POST', '/v1/cookies/b/validate')
    const whole = await world.data('POST', '/v1/cookies/a/validate')

    expect(looked).toMatchObject({ valid: false, reason: expect.stringContaining('does not open') })
    expect(whole).toEqual({ cookie_name: 'a', valid: true, reason: null })
    expect((await world.ask('POST', '/v1/cookies/none/validate')).status).toBe(404)
  })
})
