import {
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  SELF,
} from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import type { Run } from '../../../src/stores/run-store.ts'
import { durableSql } from '../../../src/stores/sqlite/durable-sql.ts'
import { scenario } from '../../support/scenario.ts'
import type { Received } from './outside.ts'

const ASK = { headers: { authorization: 'Bearer token-of-the-inside-test' } }

async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await SELF.fetch(`https://sluice.test${path}`, {
    method,
    ...ASK,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}

const addSite = (id: string) =>
  api('POST', '/api/sites', {
    id,
    sitemapUrl: 'https://shop.test/sitemap.xml',
    apiKey: 'a1b2c3d4e5f60718',
    searchEngines: ['https://engine.test/indexnow'],
  })

async function startRun(id: string): Promise<string> {
  await addSite(id)
  return (await api<{ runId: string }>('POST', `/trigger?site=${id}`)).runId
}

const runOf = async (id: string) => (await api<{ run: Run }>('GET', `/api/runs/${id}`)).run

describe('the object of a site', () => {
  scenario(
    'S29',
    'thrown out of memory again and again, it goes on by its alarm',
    async () => {
      const runId = await startRun('shop')
      const object = env.SITES.getByName('shop')

      let evictions = 0
      await vi.waitUntil(
        async () => {
          await evictDurableObject(object)
          evictions++
          return (await runOf(runId)).status !== 'running'
        },
        { timeout: 60_000, interval: 20 },
      )

      expect(evictions).toBeGreaterThan(1)
      expect(await runOf(runId)).toMatchObject({
        status: 'succeeded',
        total: 12_000,
        submitted: 12_000,
      })
      const received: Received = await (await fetch('https://engine.test/received')).json()
      expect(received).toEqual({ urls: 12_000, again: 0 })
    },
    90_000,
  )

  scenario(
    'R02',
    'poked again and again for one time, it runs once; for the next time, once more',
    async () => {
      await addSite('daily')
      const object = env.SITES.getByName('daily')
      const noon = Date.now() - 1_000
      const runs = async () =>
        (await api<{ runs: Run[] }>('GET', '/api/sites/daily/runs')).runs.map(
          ({ trigger, status }) => `${trigger} ${status}`,
        )
      const isIdle = async () => !(await runs()).some((run) => run.endsWith('running'))
      const poke = async (dueAt: number) => {
        await object.poke('daily', dueAt)
        await vi.waitUntil(isIdle, { timeout: 60_000, interval: 20 })
      }

      // Added after the time, it has missed nothing.
      await poke(noon)
      expect(await runs()).toEqual([])
      await runInDurableObject(env.DIRECTORY.getByName('sites'), (_, { storage }) =>
        durableSql(storage).run(`update site set created_at = 0 where id = 'daily'`),
      )
      await poke(noon)
      await poke(noon)
      expect(await runs()).toEqual(['schedule succeeded'])
      await poke(Date.now())

      expect(await runs()).toEqual(['schedule succeeded', 'schedule succeeded'])
    },
    90_000,
  )

  scenario(
    'R06',
    'killed after a run and before its alerts, it looks after them when the alarm rings again',
    async () => {
      const object = env.SITES.getByName('forgotten')
      const runId = await startRun('forgotten')
      await vi.waitUntil(async () => (await runOf(runId)).status !== 'running', {
        timeout: 60_000,
        interval: 20,
      })
      const alerts = () =>
        runInDurableObject(object, (_, { storage }) =>
          durableSql(storage).all<{ key: string }>('select key from alert'),
        )
      expect(await alerts()).toEqual([])

      // As the slice left it when it was killed: over, with half of its URLs refused, and nobody told.
      await runInDurableObject(object, async (_, { storage }) => {
        durableSql(storage).run(
          `update run set body = json_set(body, '$.failed', 6000, '$.submitted', 6000,
             '$.engines[0].failed', 6000, '$.engines[0].successful', 6000)`,
        )
        await storage.put('unwatched', runId)
        await storage.setAlarm(Date.now() + 60_000)
      })
      await runDurableObjectAlarm(object)

      expect((await alerts()).map(({ key }) => key)).toContain('failed-urls:forgotten')
    },
    90_000,
  )

  it('catches what an alarm throws, and sets the alarm again', async () => {
    const object = env.SITES.getByName('broken')
    await startRun('broken')
    await vi.waitUntil(
      async () => {
        const { status } = await api<{ status: string }>('GET', '/status?site=broken')
        return status === 'idle'
      },
      { timeout: 60_000, interval: 20 },
    )

    const alarm = await runInDurableObject(object, async (_, { storage }) => {
      durableSql(storage).run(
        `insert into ledger_url_chunk (site_id, list, count, urls) values ('broken', 'slice:run', 0, ?)`,
        new Uint8Array([1, 2, 3]),
      )
      await storage.setAlarm(Date.now() + 60_000)
    }).then(() => runDurableObjectAlarm(object))

    expect(alarm).toBe(true)
    const next = await runInDurableObject(object, (_, { storage }) => storage.getAlarm())
    expect(next).toBeGreaterThan(Date.now())
  }, 90_000)
})
