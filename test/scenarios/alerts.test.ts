import { expect } from 'vitest'
import { hours } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { forbids } from '../support/stand-ins/indexnow-engine.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import type { Webhook } from '../support/stand-ins/webhook.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'
import { passTo, startSchedule, until, webhookOf } from './support.ts'

interface Message {
  readonly type: string
  readonly data: {
    readonly key: string
    readonly title: string
    readonly cause: string
    readonly advice: string
    readonly count: number | null
  }
}

const messagesOf = ({ posted }: Webhook) => posted.map(({ json }) => json as Message)

/** A world whose server tells one webhook. */
async function worldWithWebhook(env: Readonly<Record<string, string>> = {}) {
  const world = await openWorld({
    start: '2025-01-15T00:00:00Z',
    env: { MAX_RETRIES: '0', ...env },
  })
  const webhook = await webhookOf(world)
  await world.restart({ ALERT_WEBHOOK_URL: webhook.url })
  return { world, webhook }
}

const errorLines = ({ logs }: World) =>
  logs.filter(({ level, event }) => level === 'error' && event.startsWith('alert.'))

scenario('R06', 'more than a tenth failed: an ERROR line and a message that helps', async () => {
  const { world, webhook } = await worldWithWebhook()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })
  const id = await world.addSite()
  world.engine.script(answers(500), answers(500))

  const run = await world.run()
  await until(() => webhook.posted.length === 1)

  expect(run).toMatchObject({ submitted: 8, failed: 2 })
  expect(messagesOf(webhook)).toMatchObject([
    {
      type: 'alert.raised',
      data: {
        key: `failed-urls:${id}`,
        title: `${id}: 20 % of the submissions failed`,
        cause: `2 of 10 submissions failed (2 at ${world.engine.endpoint}). ${world.engine.endpoint} answered 500: it has a problem of its own. The next run sends again.`,
        advice: `GET /api/runs/${run.id} shows each error. Check that the key file of ${world.site.host} answers 200 and holds exactly the key. What failed goes first in the next run.`,
        count: 2,
      },
    },
  ])
  expect(errorLines(world)).toMatchObject([
    { level: 'error', event: 'alert.raised', count: 2, alert: `failed-urls:${id}` },
  ])
})

scenario('R06', 'a tenth is not yet more than a tenth', async () => {
  const { world, webhook } = await worldWithWebhook()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })
  await world.addSite()
  world.engine.script(answers(500))

  await world.run()
  await world.side.stop()

  expect(webhook.posted).toEqual([])
  expect(errorLines(world)).toEqual([])
})

scenario('R06', 'that all is well again is told once', async () => {
  const { world, webhook } = await worldWithWebhook()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(4)) })
  await world.addSite()
  world.engine.script(forbids('InvalidKey'))
  await world.run()

  world.clock.advance(hours(24))
  await world.run()
  world.clock.advance(hours(24))
  await world.run()
  await until(() => webhook.posted.length === 2)
  await world.side.stop()

  expect(messagesOf(webhook).map(({ type }) => type)).toEqual(['alert.raised', 'alert.resolved'])
})

scenario('R06', 'an empty sitemap is told of, a broken one is not called empty', async () => {
  const { world, webhook } = await worldWithWebhook({ SITEMAP_RETRY_MS: '0' })
  world.site.put({ '/sitemap.xml': { status: 500 } })
  const id = await world.addSite()
  const broken = await world.run()
  const afterBroken = errorLines(world)

  world.site.put({ '/sitemap.xml': sitemapOf([]) })
  const empty = await world.run()
  await until(() => webhook.posted.length > 0)
  await world.side.stop()

  expect(broken).toMatchObject({ status: 'failed', total: 0 })
  expect(afterBroken).toEqual([])
  expect(empty).toMatchObject({
    status: 'succeeded',
    warnings: ['The sitemap is empty. Check what generates it.'],
  })
  expect(messagesOf(webhook)).toMatchObject([
    {
      type: 'alert.raised',
      data: { key: `empty-sitemap:${id}`, title: `${id}: the sitemap is empty`, count: 0 },
    },
  ])
})

scenario('R06', 'no successful run for 48 hours', async () => {
  const { world, webhook } = await worldWithWebhook({ SITEMAP_RETRY_MS: '0' })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
  const id = await world.addSite()
  await startSchedule(world)
  world.site.put({ '/sitemap.xml': { status: 404 } })
  await passTo(world, '2025-01-16T00:00:00Z')
  await passTo(world, '2025-01-17T00:00:00Z')

  const before = webhook.posted.length
  world.clock.advanceTo('2025-01-17T00:05:00Z')
  await until(() => webhook.posted.length > before)

  expect(before).toBe(0)
  expect(messagesOf(webhook)).toMatchObject([
    {
      type: 'alert.raised',
      data: { key: `no-success:${id}`, title: `${id}: no successful run for 48 hours` },
    },
  ])
  expect(messagesOf(webhook)[0]?.data.cause).toContain('The server answered 404')
})

scenario('R06', 'a key that stays unverified for three runs', async () => {
  const { world, webhook } = await worldWithWebhook()
  const id = await world.addSite()
  world.engine.always({ ...answers(202), takesEffect: true })
  const runWith = async (count: number) => {
    world.site.put({ '/sitemap.xml': sitemapOf(paths(count)) })
    return world.run()
  }

  await runWith(1)
  await runWith(2)
  const before = webhook.posted.length
  const third = await runWith(3)
  await until(() => webhook.posted.length > 0)

  expect(before).toBe(0)
  expect(third.engines).toMatchObject([{ successful: 1, pending: 1 }])
  expect(messagesOf(webhook)).toMatchObject([
    {
      data: {
        key: `key-unverified:${id}`,
        cause: `For 3 runs ${world.engine.endpoint} took addresses but could not verify the key (HTTP 202).`,
      },
    },
  ])
})

scenario(
  'R06',
  "a site's own webhook hears of that site alone, and its address stays secret",
  async () => {
    const { world, webhook } = await worldWithWebhook()
    const own = await webhookOf(world)
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    await world.addSite({ webhookUrl: own.url })
    await world.addSite({ id: 'other' })
    world.engine.always(answers(500))

    await world.run(`site=${world.site.host}`)
    await world.run('site=other')
    await until(() => webhook.posted.length === 2)

    expect(messagesOf(own).map(({ data }) => data.key)).toEqual([`failed-urls:${world.site.host}`])
    expect(JSON.stringify(world.logs)).not.toContain('webhook-canary')
  },
)
