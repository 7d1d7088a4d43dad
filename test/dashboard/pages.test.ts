import { describe, expect } from 'vitest'
import { EN } from '../../src/dashboard/words/en.ts'
import { ZH } from '../../src/dashboard/words/zh.ts'
import { SEARCH_ENGINES } from '../../src/submit/search-engines.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { KEY, openWorld, paths, sitemapOf } from '../support/world.ts'
import { ADMIN, openPages, textOf } from './support.ts'

const fieldsOf = (settings: unknown) => settings as Readonly<Record<string, unknown>>

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
        searchEngines: 'indexnow\nnonsense',
      })
      const page = await wrong.text()
      const right = await visitor.post('/sites/new', {
        ...fields,
        apiKey: KEY,
        searchEngines: `${world.engine.endpoint}\nbing`,
        next: 'check',
      })

      expect(wrong.status).toBe(400)
      expect(page).toContain(`“${EN.apiKey}” is not usable`)
      expect(page).toContain(`“${EN.maxRetries}” is &quot;many&quot;`)
      expect(page).toContain(`Line 2 of “${EN.searchEngines}” is `)
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
      const story = await live.text()
      expect(story).toContain('class="pill failed"')
      expect(story).toContain('aria-label="0 accepted and 2 failed of 2"')
      expect(story).toContain('<rect class="good" width="0"')
      expect(story).toContain('<rect class="failed" x="0" width="2"')
      expect(site).toContain('Retry 2 failed')
      expect(site).not.toContain(EN.nothingYet)
      expect(site).toContain(EN.failureReason['key-refused'].advice)
      expect(site).toContain(`<th scope="row" class="address">${world.site.url('/p/1')}</th>`)
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
    'X06',
    'the share accepted is one of submissions, and says where deletions are among them',
    async () => {
      const world = await openWorld()
      world.site.put({ '/sitemap.xml': sitemapOf(paths(4)) })
      const id = await world.addSite({ submitDeleted: true })
      await world.run()
      world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
      await world.run()
      const visitor = await openPages(world).loggedIn(ADMIN)

      const pages = [await textOf(visitor.get('/')), await textOf(visitor.get(`/sites/${id}`))]
      await world.api('PUT', `/api/sites/${id}`, { submitDeleted: false })
      const without = await textOf(visitor.get('/'))

      for (const page of pages)
        expect(page).toContain('5 of 5 submissions to IndexNow in 30 days, deleted pages included<')
      expect(without).toContain('5 of 5 submissions to IndexNow in 30 days<')
    },
  )

  scenario('X06', 'a site is shown by its name, and its id and badge can be copied', async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(1)) })
    const id = await world.addSite({ id: 'first-one', name: '第一个' })
    world.engine.always(answers(403))
    const run = await world.run()
    const visitor = await openPages(world).loggedIn(ADMIN)

    const story = await textOf(visitor.get(`/runs/${run.id}`))
    const alerts = await textOf(visitor.get('/alerts'))
    const inChinese = await textOf(visitor.get('/alerts', { 'accept-language': 'zh' }))
    const site = await textOf(visitor.get(`/sites/${id}`, { 'x-forwarded-proto': 'https' }))

    expect(story).toContain('<a href="/sites/first-one">第一个</a>')
    for (const page of [alerts, inChinese]) {
      expect(page).toContain('<a href="/sites/first-one">第一个</a>')
      expect(page).toContain(`<a href="/runs/${run.id}">/runs/${run.id}</a>`)
      expect(page).not.toContain('GET /api')
    }
    expect(site).toMatch(/<dd>first-one<\/dd>/)
    expect(site).toMatch(/<code>https:\/\/localhost\/badges\/\w+\/first-one\.svg<\/code>/)
    expect(site).not.toContain('>Bing</th>')
  })

  scenario('X06', 'the form says what each choice means, and names every engine', async () => {
    const visitor = await openPages(await openWorld()).loggedIn(ADMIN)

    const form = await textOf(visitor.get('/sites/new', { 'accept-language': 'zh' }))

    const choices = [...form.matchAll(/<option value="(\w+)"[^>]*>\s*([^<]+?)\s*<\/option>/g)]
    expect(choices.map(([, value]) => value)).toEqual(Object.keys(ZH.choiceOf))
    expect(choices.map(([, , text]) => text)).toEqual(Object.values(ZH.choiceOf))
    for (const engine of Object.keys(SEARCH_ENGINES)) expect(form).toContain(engine)
  })

  scenario(
    'X06',
    'the reference names the fields of bodies and answers, and what they mean',
    async () => {
      const visitor = await openPages(await openWorld()).loggedIn(ADMIN)

      const page = await textOf(visitor.get('/docs'))

      const hook = page.slice(page.indexOf('data-try="POST /api/urls"'))
      const form = hook.slice(0, hook.indexOf('</form>'))
      expect(form).toMatch(/<dt><code>urls<\/code> \*<\/dt>\s*<dd>array/)
      expect(page).toContain('As it was given, with its defaults; secrets as ****')
    },
  )

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
