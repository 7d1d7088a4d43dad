import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { Secret } from '../../../src/core/secret.ts'
import { scenario } from '../../support/scenario.ts'
import { openAlerts, receiver } from './support.ts'

describe('delivery', () => {
  scenario(
    'R06',
    'a raised alert reaches the server’s receiver and the site’s own, once',
    async () => {
      const everybody = await receiver()
      const own = await receiver()
      const { open, say, alerts } = await openAlerts({
        everybody: everybody.target(),
        own: own.target().url,
      })
      await say('raised')
      const delivery = open()

      expect(await delivery.deliver()).toEqual({ delivered: 1, waiting: 0, nextTryAt: undefined })
      await delivery.deliver()

      for (const told of [everybody, own]) {
        expect(told.seen).toHaveLength(1)
        expect(told.bodies()).toEqual([
          {
            type: 'alert.raised',
            timestamp: '2025-01-15T00:00:00.000Z',
            data: {
              id: 1,
              key: 'failed-urls:example.com',
              site: 'example.com',
              severity: 'P1',
              status: 'firing',
              title: 'Shop: 20 % of the submissions failed',
              cause: '2 of 10 submissions failed.',
              advice: 'Look at the run.',
              count: 2,
              raisedAt: '2025-01-15T00:00:00.000Z',
              resolvedAt: null,
            },
          },
        ])
      }
      expect((await alerts.messages(9))[0]?.deliveredAt).toBeDefined()
    },
  )

  scenario('R06', 'a recovery follows the alert, in order', async () => {
    const everybody = await receiver()
    const { open, say } = await openAlerts({ everybody: everybody.target('slack') })
    await say('raised')
    await say('resolved')

    await open().deliver()

    expect(everybody.bodies().map(({ text }) => String(text).split('\n')[0])).toEqual([
      '*[Sluice P1] Shop: 20 % of the submissions failed*',
      '*[Sluice P1] Resolved: Shop: 20 % of the submissions failed*',
    ])
  })

  scenario(
    'R06',
    'a receiver that is down is tried again, later and later, and told in order',
    async () => {
      const everybody = await receiver((response, number) => {
        response.writeHead(number <= 3 ? 503 : 200).end('busy')
      })
      const { open, say, clock, alerts, lines } = await openAlerts({
        everybody: everybody.target(),
      })
      const delivery = open()
      await say('raised')
      await say('raised', { key: 'bing-key:example.com' })
      const started = clock.now()

      const tries: number[] = []
      for (let minute = 0; minute <= 10; minute++) {
        const before = everybody.seen.length
        await delivery.deliver()
        if (everybody.seen.length > before) tries.push(minute)
        clock.advance(minutes(1))
      }

      expect(tries).toEqual([0, 1, 3, 7])
      expect(everybody.bodies().map(({ data }) => (data as { id: number }).id)).toEqual([
        1, 1, 1, 1, 2,
      ])
      expect(await alerts.undelivered()).toEqual([])
      expect((await alerts.messages(1))[0]?.deliveredAt).toBe(started + minutes(7))
      expect(lines.map(({ event, failures }) => [event, failures])).toEqual([
        ['alert.undelivered', 1],
        ['alert.undelivered', 2],
        ['alert.undelivered', 3],
      ])
    },
  )

  it('asks no sooner than the receiver wants', async () => {
    const everybody = await receiver((response) => {
      response.writeHead(429, { 'retry-after': '600' }).end()
    })
    const { open, say, clock } = await openAlerts({ everybody: everybody.target() })
    await say('raised')
    const { waiting, nextTryAt } = await open().deliver()
    expect([waiting, nextTryAt]).toEqual([1, clock.now() + seconds(600)])
  })

  it('does not let one receiver wait for the other, nor tells it twice', async () => {
    const everybody = await receiver()
    const own = await receiver((response, number) => {
      response.writeHead(number === 1 ? 500 : 200).end()
    })
    const { open, say, clock, alerts } = await openAlerts({
      everybody: everybody.target(),
      own: own.target().url,
    })
    const delivery = open()
    await say('raised')
    await delivery.deliver()
    await say('resolved')
    await delivery.deliver()
    expect([everybody.seen.length, own.seen.length]).toEqual([2, 1])
    expect(await alerts.undelivered()).toHaveLength(2)

    clock.advance(minutes(1))
    await delivery.deliver()

    expect([everybody.seen.length, own.seen.length]).toEqual([2, 3])
    expect(own.bodies().map(({ type }) => type)).toEqual([
      'alert.raised',
      'alert.raised',
      'alert.resolved',
    ])
    expect(await alerts.undelivered()).toEqual([])
  })

  it('tells again after a restart rather than not at all', async () => {
    const everybody = await receiver()
    const own = await receiver((response) => void response.writeHead(500).end())
    const { open, say } = await openAlerts({
      everybody: everybody.target(),
      own: own.target().url,
    })
    await say('raised')
    await open().deliver()
    await open().deliver()
    expect(everybody.seen).toHaveLength(2)
  })

  it('heaps no reminders on a receiver that was away', async () => {
    let isUp = false
    const everybody = await receiver((response) => void response.writeHead(isUp ? 200 : 500).end())
    const { open, say, clock, alerts } = await openAlerts({ everybody: everybody.target() })
    const delivery = open()
    await say('raised')
    for (let i = 0; i < 5; i++) await say('repeated', { count: i })
    await say('raised', { key: 'bing-key:example.com' })
    await delivery.deliver()
    isUp = true
    clock.advance(minutes(1))

    expect(await delivery.deliver()).toMatchObject({ delivered: 7, waiting: 0 })

    const told = everybody.bodies().slice(1) as { type: string; data: { count: number } }[]
    expect(told.map(({ type, data }) => `${type} ${data.count}`)).toEqual([
      'alert.raised 2',
      'alert.repeated 4',
      'alert.raised 2',
    ])
    expect(await alerts.undelivered()).toEqual([])
  })

  it('is done at once where there is no receiver', async () => {
    const { open, say, alerts } = await openAlerts()
    await say('raised')
    expect(await open().deliver()).toMatchObject({ delivered: 1, waiting: 0 })
    expect(await alerts.undelivered()).toEqual([])
  })

  it('tells the server’s receiver alone what is about no site, or one that is gone', async () => {
    const everybody = await receiver()
    const own = await receiver()
    const { open, say } = await openAlerts({
      everybody: everybody.target(),
      own: own.target().url,
    })
    await say('raised', { key: 'no-active-cookie' })
    await say('raised', { key: 'bing-key:gone.example' })
    await open().deliver()
    expect([everybody.seen.length, own.seen.length]).toEqual([2, 0])
    expect(everybody.bodies()[0]).toMatchObject({ data: { site: null } })
  })

  it('tells one receiver once, also when it is both the server’s and the site’s', async () => {
    const both = await receiver()
    const { open, say } = await openAlerts({ everybody: both.target(), own: both.target().url })
    await say('raised')
    await open().deliver()
    expect(both.seen).toHaveLength(1)
  })

  it('sends nothing twice when it is asked twice at once', async () => {
    const everybody = await receiver()
    const { open, say } = await openAlerts({ everybody: everybody.target() })
    await say('raised')
    const delivery = open()
    await Promise.all([delivery.deliver(), delivery.deliver()])
    expect(everybody.seen).toHaveLength(1)
  })

  it('stops at a shutdown without blaming the receiver', async () => {
    const stop = new AbortController()
    const everybody = await receiver(() => stop.abort())
    const { open, say, lines } = await openAlerts({ everybody: everybody.target() })
    await say('raised')
    await say('raised', { key: 'bing-key:example.com' })
    expect(await open().deliver(stop.signal)).toEqual({
      delivered: 0,
      waiting: 2,
      nextTryAt: undefined,
    })
    expect([everybody.seen.length, lines]).toEqual([1, []])
  })

  it('shows no more of a webhook’s address than its host', async () => {
    const answers = await receiver((response) => {
      response.writeHead(404).end('{"message":"\\"POST secret-path\\" is not registered"}')
    })
    const own = new Secret('http://127.0.0.1:1/hook/secret-path')
    const { open, say, lines } = await openAlerts({ everybody: answers.target(), own })
    await say('raised')
    await open().deliver()
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^An alert was not delivered\. 127\.0\.0\.1:\d+ answered 404/),
      expect.stringMatching(/^An alert was not delivered\. 127\.0\.0\.1:1 could not be reached/),
    ])
    expect(JSON.stringify(lines)).not.toContain('secret-path')
  })

  it('quotes a receiver that says in a word what is wrong', async () => {
    const everybody = await receiver((response, number) => {
      const answer = number === 1 ? 'invalid_payload' : '{"message":"Unknown Webhook","code":10015}'
      response.writeHead(400).end(answer)
    })
    const { open, say, lines, clock } = await openAlerts({ everybody: everybody.target() })
    const delivery = open()
    await say('raised')
    await delivery.deliver()
    clock.advance(minutes(1))
    await delivery.deliver()
    expect(lines.map(({ msg }) => /400 \((.*)\)/.exec(msg)?.[1])).toEqual([
      'invalid_payload',
      'Unknown Webhook',
    ])
  })

  it('does not follow a redirect to who knows where', async () => {
    const everybody = await receiver((response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const { open, say, lines } = await openAlerts({ everybody: everybody.target() })
    await say('raised')
    expect(await open().deliver()).toMatchObject({ waiting: 1 })
    expect(everybody.seen).toHaveLength(1)
    expect(lines[0]?.msg).toContain('Give the address it redirects to.')
  })
})
