import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/dashboard/language.ts'
import { runsCsvRoutes } from '../../src/dashboard/runs-csv.ts'
import { EN } from '../../src/dashboard/words/en.ts'
import { ZH } from '../../src/dashboard/words/zh.ts'
import { httpApp } from '../../src/http/http-app.ts'
import { type AlertSeverity, type AlertText, stepAlert } from '../../src/core/alert.ts'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { KEY, openWorld, paths, sitemapOf } from '../support/world.ts'
import { webhookOf } from '../scenarios/support.ts'
import { ADMIN, openPages } from './support.ts'

const NUMBERS = { total: 3, new: 2, cached: 1, submitted: 0, failed: 2, deleted: 0, invalid: 0 }
const fieldsOf = (settings: unknown) => settings as Readonly<Record<string, unknown>>
const textOf = async (response: Response | Promise<Response>) => (await response).text()

describe('languages', () => {
  scenario(
    'X06',
    'both dictionaries have the same entries, and no Chinese one is still English',
    () => {
      const entries = (words: object, before = ''): string[] =>
        Object.entries(words).flatMap(([name, value]) =>
          typeof value === 'object' ? entries(value, `${before}${name}.`) : [`${before}${name}`],
        )
      const names = (words: object) => entries(words).toSorted((a, b) => a.localeCompare(b))

      const untranslated = Object.entries(ZH).filter(
        ([name, value]) =>
          typeof value === 'string' &&
          value === EN[name as keyof typeof EN] &&
          !/^[A-Z]/.test(value),
      )

      expect(names(ZH)).toEqual(names(EN))
      expect(untranslated).toEqual([])
    },
  )

  scenario('X06', "a page speaks the browser's language, until another is chosen", async () => {
    const visitor = await openPages(await openWorld()).loggedIn(ADMIN)
    const chinese = { 'accept-language': 'zh-TW,zh;q=0.9,en;q=0.8' }

    const asked = await textOf(visitor.get('/', chinese))
    const other = await textOf(visitor.get('/', { 'accept-language': 'fr, en;q=0.5, zh;q=0.1' }))
    const chosen = await visitor.get('/alerts?lang=en', chinese)
    const after = await textOf(visitor.get('/', chinese))

    expect(asked).toContain('<html lang="zh-CN">')
    expect(asked).toContain(ZH.noSites)
    expect(other).toContain(EN.noSites)
    expect(chosen.headers.get('location')).toBe('/alerts')
    expect(after).toContain(EN.noSites)
  })

  scenario('X06', 'a finding and an alert are told in Chinese by their codes', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    await world.stores.alerts.move(
      `empty-sitemap:${id}`,
      (before) =>
        stepAlert(before, {
          rule: { key: `empty-sitemap:${id}`, severity: 'P1', raiseAfterMs: 0, clearAfterMs: 0 },
          wrong: { title: 'The sitemap is empty', cause: '', advice: '' },
          now: 1_000,
        }),
      1_000,
    )
    const visitor = await openPages(world).loggedIn(ADMIN)
    const chinese = { 'accept-language': 'zh' }

    const form = await textOf(visitor.get(`/sites/${id}/edit?check=1`, chinese))
    const alerts = await textOf(visitor.get('/alerts', chinese))

    expect(form).toContain(ZH.findingMeaning('sitemap-missing'))
    expect(alerts).toContain(ZH.alertMeaning(`empty-sitemap:${id}`))
  })

  it('numbers, times and durations are written as the language does', () => {
    const { en, zh } = LANGUAGES
    const midnight = Date.parse('2026-11-16T00:00:00Z')

    expect([en.number(12_345), en.percent(0.9999), en.time(midnight)]).toEqual([
      '12,345',
      '99.9%',
      '16 Nov 2026, 00:00 UTC',
    ])
    expect([zh.time(midnight), zh.duration(7_500_000)]).toEqual([
      '2026年11月16日 00:00 UTC',
      '2小时 5分钟',
    ])
    expect([en.duration(950), en.duration(65_000), en.duration(0)]).toEqual(['1s', '1m 5s', '0s'])
  })
})

describe('what the pages do', () => {
  scenario(
    'X06',
    'a site is added by the form; what is wrong is named, and secrets are typed anew',
    async () => {
      const world = await openWorld()
      const visitor = await openPages(world).loggedIn(ADMIN)
      const form_token = await visitor.formToken('/sites/new')
      const fields = { form_token, sitemapUrl: world.site.url('/sitemap.xml'), enabled: 'yes' }

      const wrong = await visitor.post('/sites/new', {
        ...fields,
        apiKey: 'short',
        maxRetries: 'many',
      })
      const page = await wrong.text()
      const right = await visitor.post('/sites/new', {
        ...fields,
        apiKey: KEY,
        searchEngines: `${world.engine.endpoint}\nbing`,
        next: 'check',
      })

      expect(wrong.status).toBe(400)
      expect(page).toContain('apiKey is not usable')
      expect(page).toContain('maxRetries is &quot;many&quot;')
      expect(page).toContain(`value="${fields.sitemapUrl}"`)
      expect(page).not.toContain('short')
      const again = await visitor.post('/sites/new', { ...fields, apiKey: KEY })
      const [site] = await world.stores.sites.list()
      expect(again.status).toBe(409)
      expect(await again.text()).toContain(`There is a site &quot;${site?.id}&quot; already`)
      expect(right.headers.get('location')).toContain('/edit?check=1&done=added')
      expect(site?.settings).toMatchObject({
        searchEngines: [world.engine.endpoint, 'https://www.bing.com/indexnow'],
        enabled: true,
      })
    },
  )

  scenario(
    'X06',
    'a saved form keeps what it does not show, and empties what was emptied',
    async () => {
      const world = await openWorld()
      const id = await world.addSite({ name: 'A name', maxRetries: 7 })
      const before = await world.stores.sites.get(id)
      const visitor = await openPages(world).loggedIn(ADMIN)
      const form_token = await visitor.formToken(`/sites/${id}/edit`)

      await visitor.post(`/sites/${id}/edit`, {
        form_token,
        sitemapUrl: world.site.url('/sitemap.xml'),
        searchEngines: world.engine.endpoint,
        name: '',
        cacheTtlDays: '9',
      })

      const after = await world.stores.sites.get(id)
      const settings = fieldsOf(after?.settings)
      expect(settings).toMatchObject({ enabled: false, cacheTtlDays: 9 })
      expect(settings).not.toHaveProperty('name')
      expect(settings).not.toHaveProperty('maxRetries')
      expect(settings['apiKey']).toBe(fieldsOf(before?.settings)['apiKey'])
    },
  )

  scenario(
    'X06',
    'the run of a button is followed to its end, and its errors are told',
    async () => {
      const world = await openWorld()
      world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
      const id = await world.addSite()
      world.engine.always(answers(403, '{"errorCode":"InvalidKey"}'))
      const visitor = await openPages(world).loggedIn(ADMIN)

      const form_token = await visitor.formToken('/')
      const started = await visitor.post(`/sites/${id}/run`, { form_token })
      await world.side.opened.runner.idle()
      const run = started.headers.get('location') ?? ''
      const live = await visitor.get(`${run}/live`)
      const site = await textOf(visitor.get(`/sites/${id}`))

      expect(run).toMatch(/^\/runs\/run-/)
      expect(live.headers.get('sluice-live')).toBe('over')
      expect(await live.text()).toContain('class="pill failed"')
      expect(site).toContain('Retry 2 failed')
      expect(site).toContain(EN.failureReason['key-refused'].advice)
      expect(site).toContain(`<th scope="row" class="address">${world.site.url('/p/1')}</th>`)
    },
  )

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

  scenario('X06', 'what happened to a page is answered on the page of its site', async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    const id = await world.addSite()
    await world.run()
    const visitor = await openPages(world).loggedIn(ADMIN)
    const ask = async (url: string) =>
      textOf(visitor.get(`/sites/${id}?url=${encodeURIComponent(url)}`))

    expect(await ask(world.site.url('/p/1'))).toContain(`<td>${EN.stateOf.accepted}</td>`)
    expect(await ask(world.site.url('/nowhere'))).toContain(EN.lookUpNothing)
    expect(await ask('https://elsewhere.example/')).toContain(EN.lookUpForeign)
  })

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
    const rule = { key: 'quota', severity: 'P1', raiseAfterMs: 0, clearAfterMs: 0 } as const
    const wrong = { title: 'Quota is gone', cause: 'It is used up.', advice: 'Wait.' }
    const look = (seen: AlertText | undefined) =>
      world.stores.alerts.move(
        rule.key,
        (before) => stepAlert(before, { rule, wrong: seen, now: world.clock.now() }),
        world.clock.now(),
      )
    await look(wrong)
    const visitor = await openPages(world).loggedIn(ADMIN)
    const form_token = await visitor.formToken('/alerts')
    const isOnTop = async () => (await textOf(visitor.get('/'))).includes(wrong.title)

    const before = await isOnTop()
    await visitor.post('/alerts/acknowledge', { form_token, key: 'quota' })
    const after = [await isOnTop(), await textOf(visitor.get('/alerts'))]
    await look(undefined)
    await look(wrong)

    expect([before, after[0]]).toEqual([true, false])
    expect(after[1]).toContain(EN.acknowledgedBy('admin'))
    expect(after[1]).not.toContain('action="/alerts/acknowledge"')
    expect(await isOnTop()).toBe(true)
  })

  scenario('X06', 'alerts and runs are shown by what is asked for', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    const raise = (key: string, severity: AlertSeverity) =>
      world.stores.alerts.move(
        key,
        (before) =>
          stepAlert(before, {
            rule: { key, severity, raiseAfterMs: 0, clearAfterMs: 0 },
            wrong: { title: `wrong: ${key}`, cause: '', advice: '' },
            now: 1_000,
          }),
        1_000,
      )
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

  scenario('X06', 'a badge is seen by whoever has its address, and by nobody else', async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(1)) })
    const id = await world.addSite()
    await world.run()
    const pages = openPages(world)
    const visitor = await pages.loggedIn(ADMIN)
    const [address = ''] = /\/badges\/[^"]+/.exec(await textOf(visitor.get(`/sites/${id}`))) ?? []

    const stranger = pages.visitor()
    const badge = await stranger.get(address)
    const guessed = await stranger.get(address.replace(/\/[0-9a-f]{24}\//, `/${'0'.repeat(24)}/`))

    expect(badge.headers.get('content-type')).toContain('image/svg+xml')
    expect(await badge.text()).toContain('sluice: succeeded')
    expect(guessed.status).toBe(404)
  })

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

scenario('X06', 'many sites are shown a page at a time', async () => {
  const world = await openWorld()
  for (let n = 10; n < 40; n++) await world.addSite({ id: `site-${n}` })
  const visitor = await openPages(world).loggedIn(ADMIN)
  const cardsOf = (page: string) => [...page.matchAll(/<h2><a href="\/sites\/(site-\d+)"/g)]

  const first = await textOf(visitor.get('/'))
  const second = await textOf(visitor.get('/?page=2'))
  const beyond = await textOf(visitor.get('/?page=99'))

  expect([cardsOf(first).length, cardsOf(second).length]).toEqual([24, 6])
  expect(cardsOf(second)[0]?.[1]).toBe('site-34')
  expect(cardsOf(beyond)).toHaveLength(6)
  expect(first).toContain('href="/?page=2"')
})
