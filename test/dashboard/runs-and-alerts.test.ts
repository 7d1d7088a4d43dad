import { describe, expect } from 'vitest'
import type { AlertSeverity } from '../../src/core/alert.ts'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import { runsCsvRoutes } from '../../src/dashboard/runs-csv.ts'
import { EN } from '../../src/dashboard/words/en.ts'
import { httpApp } from '../../src/http/http-app.ts'
import { webhookOf } from '../scenarios/support.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf } from '../support/world.ts'
import { ADMIN, lookAt, openPages, textOf } from './support.ts'

const NUMBERS = { total: 3, new: 2, cached: 1, submitted: 0, failed: 2, deleted: 0, invalid: 0 }

describe('runs', () => {
  scenario('X06', '"too many requests" are counted by day and engine', async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    const id = await world.addSite({ maxConcurrentRequests: 1 })
    const wait = answers(429, '', { 'retry-after': '1' })
    world.engine.script(wait, wait)
    const run = await world.run()
    const visitor = await openPages(world).loggedIn(ADMIN)

    const page = await textOf(visitor.get(`/sites/${id}`))

    const plot = page.slice(page.indexOf(EN.rateLimitedPerDay))
    expect(run.engines).toMatchObject([{ successful: 2, failed: 0, rateLimited: 2 }])
    expect(plot.slice(0, plot.indexOf('</figure>'))).toContain('data-value="2"')
  })

  scenario(
    'X06',
    'the errors of a run are told by whom they are about, alike ones once',
    async () => {
      const world = await openWorld()
      const id = await world.addSite()
      const engine = 'https://engine.example/indexnow'
      const at = world.clock.now()
      const counts = { total: 2, successful: 0, failed: 2, pending: 0, averageMs: 5 }
      await world.stores.runs.finish({
        id: 'run-1',
        siteId: id,
        startedAt: at,
        finishedAt: at + 1_000,
        status: 'failed',
        trigger: 'manual',
        ...NUMBERS,
        errors: [
          `${engine} answered 503: it has a problem of its own.`,
          'https://a.example/1.xml answered 404.',
          'https://a.example/2.xml answered 404.',
          'https://a.example/3.xml answered 404.',
        ],
        warnings: [],
        engines: [{ engine, ...counts }],
        bing: { ...counts, quotaUsed: 0, quotaRemaining: 9, error: 'the key is not valid' },
      })
      const visitor = await openPages(world).loggedIn(ADMIN)

      const page = await textOf(visitor.get('/runs/run-1'))

      const headings = [...page.matchAll(/<h3>([^<]+)<\/h3>/g)].map(([, heading]) => heading)
      expect(headings).toEqual(['engine.example', EN.ofTheRest, 'Bing Webmaster'])
      expect(page).toContain('2 more like this')
      expect(page.match(/answered 404/g)).toHaveLength(3)
    },
  )

  scenario('X06', 'runs are exported as CSV, and no cell of it is a formula', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    const at = Date.parse('2025-01-15T00:00:00Z')
    await world.stores.runs.finish({
      id: 'run-1',
      siteId: id,
      startedAt: at,
      finishedAt: at + 1_000,
      status: 'failed',
      trigger: 'manual',
      ...NUMBERS,
      errors: ['=HYPERLINK("https://evil.example"), or so'],
      warnings: [],
      engines: [],
    })
    const { clock } = world
    const tokens = { admin: new Secret(ADMIN), advice: '' }
    const modules = [runsCsvRoutes(world.stores)]
    const app = httpApp({ clock, random: countingRandom(), log: silentLog, tokens, modules })
    const headers = { authorization: `Bearer ${ADMIN}` }

    const visitor = await openPages(world).loggedIn(ADMIN)
    const shown = await textOf(visitor.get(`/sites/${id}/runs.csv`))
    const answered = await textOf(app.request(`/api/sites/${id}/runs.csv`, { headers }))

    expect(answered).toBe(shown)
    expect(shown.split('\r\n')).toEqual([
      'id,startedAt,finishedAt,status,trigger,total,new,cached,submitted,failed,deleted,invalid,bingSuccessful,bingFailed,errors,warnings',
      `run-1,2025-01-15T00:00:00.000Z,2025-01-15T00:00:01.000Z,failed,manual,3,2,1,0,2,0,0,,,"'=HYPERLINK(""https://evil.example""), or so",`,
      '',
    ])
  })
})

describe('alerts', () => {
  scenario(
    'R06',
    'a test alert reaches the webhook of a site, and what it says is told',
    async () => {
      const world = await openWorld()
      const webhook = await webhookOf(world)
      await world.addSite({ webhookUrl: webhook.url })
      const visitor = await openPages(world).loggedIn(ADMIN)
      const form_token = await visitor.formToken('/alerts')

      const taken = await textOf(visitor.post('/alerts/test', { form_token }))
      webhook.always(answers(410))
      const refused = await textOf(visitor.post('/alerts/test', { form_token }))

      expect(taken).toContain('took the test alert')
      expect(refused).toContain('answered 410')
      expect(await world.stores.alerts.messages(10)).toEqual([])
    },
  )

  scenario('X06', 'an acknowledged alert leaves the overview until it is raised anew', async () => {
    const world = await openWorld()
    await world.addSite()
    const rule = { key: 'quota', severity: 'P1' } as const
    const wrong = { title: 'Quota is gone', cause: 'It is used up.', advice: 'Wait.' }
    await lookAt(world, rule, wrong)
    const visitor = await openPages(world).loggedIn(ADMIN)
    const form_token = await visitor.formToken('/alerts')
    const isOnTop = async () => (await textOf(visitor.get('/'))).includes(wrong.title)

    const shown = await textOf(visitor.get('/alerts'))
    const before = await isOnTop()
    await visitor.post('/alerts/acknowledge', { form_token, key: 'quota' })
    const after = [await isOnTop(), await textOf(visitor.get('/alerts'))]
    await lookAt(world, rule, undefined)
    await lookAt(world, rule, wrong)

    expect(shown).toContain('Nothing was resolved so far.')
    expect([before, after[0]]).toEqual([true, false])
    expect(after[1]).toContain(EN.acknowledgedBy('admin'))
    expect(after[1]).not.toContain('action="/alerts/acknowledge"')
    expect(await isOnTop()).toBe(true)
  })

  scenario('X06', 'alerts and runs are shown by what is asked for', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    const raise = (key: string, severity: AlertSeverity) =>
      lookAt(world, { key, severity }, { title: `wrong: ${key}`, cause: '', advice: '' })
    await raise('first', 'P0')
    await raise('second', 'P2')
    for (const [n, status] of (['succeeded', 'failed', 'failed'] as const).entries()) {
      const startedAt = world.clock.now() + n
      const times = { startedAt, finishedAt: startedAt + 1 }
      const run = { id: `run-${n}`, siteId: id, trigger: n === 2 ? 'manual' : 'schedule' }
      const said = { errors: [], warnings: [], engines: [] }
      await world.stores.runs.finish({ ...run, ...times, status, ...NUMBERS, ...said })
    }
    const visitor = await openPages(world).loggedIn(ADMIN)
    const runsOf = async (query: string) => {
      const page = await textOf(visitor.get(`/sites/${id}?${query}`))
      return [...page.matchAll(/href="\/runs\/(run-\d)"/g)].map(([, run]) => run)
    }

    const severe = await textOf(visitor.get('/alerts?severity=P0'))

    expect(severe.match(/wrong: first/g)).toHaveLength(2)
    expect(severe).not.toContain('wrong: second')
    expect(await runsOf('')).toEqual(['run-2', 'run-1', 'run-0'])
    expect(await runsOf('status=failed')).toEqual(['run-2', 'run-1'])
    expect(await runsOf('status=failed&trigger=schedule')).toEqual(['run-1'])
    expect(await textOf(visitor.get(`/sites/${id}?status=partial`))).toContain(EN.noneMatch)
  })
})
