import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import { EN } from '../../src/dashboard/words/en.ts'
import { ZH } from '../../src/dashboard/words/zh.ts'
import type { HttpContext } from '../../src/http/http-env.ts'
import { scenario } from '../support/scenario.ts'
import { KEY, openWorld, paths, sitemapOf } from '../support/world.ts'
import { ADMIN, openPages, READ, textOf } from './support.ts'

const PAGES = ['/', '/sites/new', '/alerts', '/docs', '/live/overview', '/runs/x', '/sites/x']

describe('who may look', () => {
  scenario(
    'X03',
    'a stranger is led to the login from every page, and no form does anything',
    async () => {
      const world = await openWorld()
      const id = await world.addSite()
      const stranger = openPages(world).visitor()

      for (const path of PAGES) {
        const page = await stranger.get(path)
        expect(page.status, path).toBe(303)
        expect(page.headers.get('location')).toMatch(/^\/login\?to=/)
      }
      const removal = await stranger.post(`/sites/${id}/remove`)

      expect(removal.headers.get('location')).toMatch(/^\/login/)
      expect(await world.stores.sites.get(id)).toBeDefined()
    },
  )

  scenario(
    'X03',
    'the token is given once; the cookie is not for scripts nor for other sites',
    async () => {
      const pages = openPages(await openWorld())
      const visitor = pages.visitor()

      const wrong = await visitor.post('/login', { token: `${ADMIN}x` })
      const right = await visitor.post('/login', { token: ADMIN, to: '/alerts' })
      const there = await visitor.get('/alerts')

      expect(wrong.status).toBe(403)
      expect(right.headers.get('location')).toBe('/alerts')
      expect(visitor.told).toHaveLength(1)
      expect(visitor.told[0]).toMatch(/HttpOnly/)
      expect(visitor.told[0]).toMatch(/SameSite=Strict/)
      expect(visitor.told[0]).not.toContain(ADMIN)
      expect(there.status).toBe(200)
    },
  )

  scenario('X03', 'a wrong token does not make forget where somebody was going', async () => {
    const visitor = openPages(await openWorld()).visitor()
    const led = await visitor.get('/alerts')
    const login = await textOf(visitor.get(led.headers.get('location') ?? ''))

    const to = /name="to" value="([^"]+)"/.exec(login)?.[1] ?? ''
    const wrong = await textOf(visitor.post('/login', { token: 'wrong', to }))

    expect(to).toBe('/alerts')
    expect(wrong).toContain('name="to" value="/alerts"')
    expect(wrong).toContain('href="/login?to=%2Falerts&amp;lang=zh"')
  })

  scenario(
    'X03',
    'a cookie that was changed, is too old or of another token opens nothing',
    async () => {
      const world = await openWorld()
      const pages = openPages(world)
      const visitor = await pages.loggedIn(READ)
      const cookie = /sluice_session=([^;]+)/.exec(visitor.told[0] ?? '')?.[1] ?? ''
      const statusWith = async (value: string, { visitor: open } = pages) =>
        (await open(new Map([['sluice_session', value]])).get('/')).status

      expect(await statusWith(cookie)).toBe(200)
      expect(await statusWith(cookie.replace('read', 'admin'))).toBe(303)
      expect(await statusWith(`${cookie.slice(0, -1)}${cookie.endsWith('0') ? '1' : '0'}`)).toBe(
        303,
      )
      expect(await statusWith(cookie, openPages(world, { read: 'another-read-token' }))).toBe(303)
      expect(await statusWith(cookie, openPages(world, { admin: 'another-admin-token' }))).toBe(303)
      world.clock.advance(hours(12))
      expect(await statusWith(cookie)).toBe(303)
    },
  )

  scenario('X03', 'whoever may only look changes nothing', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    const visitor = await openPages(world).loggedIn(READ)
    const form_token = await visitor.formToken('/')

    const page = await (await visitor.get(`/sites/${id}`)).text()
    const refused = await visitor.post(`/sites/${id}/remove`, { form_token })

    expect(form_token).not.toBe('')
    expect(page).not.toContain(`action="/sites/`)
    expect(refused.status).toBe(403)
    expect(await world.stores.sites.get(id)).toBeDefined()
  })

  scenario('X03', 'a form without our token, or sent from another site, does nothing', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    const visitor = await openPages(world).loggedIn(ADMIN)
    const form_token = await visitor.formToken('/')
    const other = await openPages(world).loggedIn(READ)
    const stolen = await other.formToken('/')

    const answers = [
      await visitor.post(`/sites/${id}/remove`),
      await visitor.post(`/sites/${id}/remove`, { form_token: stolen }),
      await visitor.post(`/sites/${id}/remove`, { form_token }, { 'sec-fetch-site': 'cross-site' }),
      await visitor.post(`/sites/${id}/remove`, { form_token }, { origin: 'https://evil.example' }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await world.stores.sites.get(id)).toBeDefined()
    const ours = await visitor.post(`/sites/${id}/remove`, { form_token })
    expect(ours.headers.get('location')).toBe('/?done=removed')
    expect(await world.stores.sites.get(id)).toBeUndefined()
  })

  scenario('X03', 'whoever guesses tokens waits, and nobody else does', async () => {
    const world = await openWorld()
    const addressOf = (c: HttpContext) => c.req.header('from-address')
    const visitor = openPages(world, { addressOf }).visitor()
    const logIn = (token: string, address: string) =>
      visitor.post('/login', { token }, { 'from-address': address })

    for (let n = 0; n < 10; n++) expect((await logIn('wrong', '192.0.2.1')).status).toBe(403)
    world.clock.advance(minutes(1))
    const refused = await logIn(ADMIN, '192.0.2.1')
    const other = await logIn(ADMIN, '192.0.2.2')
    world.clock.advance(minutes(4))
    const later = await logIn(ADMIN, '192.0.2.1')

    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('240')
    expect(await refused.text()).toContain(EN.tooManyLogins('4m'))
    expect([other.status, later.status]).toEqual([303, 303])
  })

  it('after the logout the browser has no cookie, and the login leads nowhere else', async () => {
    const visitor = await openPages(await openWorld()).loggedIn(ADMIN)

    await visitor.post('/logout', { form_token: await visitor.formToken('/') })

    expect((await visitor.get('/')).status).toBe(303)
    for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', 'x']) {
      const login = await visitor.post('/login', { token: ADMIN, to })
      expect(login.headers.get('location'), to).toBe('/')
    }
  })
})

describe('what pages are', () => {
  scenario(
    'X06',
    'no page holds a key, and none asks another host or runs a script of its own',
    async () => {
      const world = await openWorld()
      world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
      const id = await world.addSite({
        bingEnabled: true,
        bingApiKey: 'c4n4ry0f4p1k3y5a1b2c3d4e5f6a7b8c9',
        webhookUrl: 'https://hooks.example/c4n4ry0f4w3bh00k',
      })
      const run = await world.run('channel=indexnow')
      const visitor = await openPages(world).loggedIn(ADMIN)
      const shown = [
        '/',
        `/sites/${id}`,
        `/sites/${id}/edit`,
        `/runs/${run.id}`,
        '/alerts',
        '/docs',
      ]

      for (const path of shown) {
        const response = await visitor.get(path)
        const page = await response.text()
        expect(response.status, path).toBe(200)
        expect(page).not.toMatch(new RegExp(`${KEY}|c4n4ry|${ADMIN}`))
        expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|(src|href)="(https?:)?\/\//)
        const policy = response.headers.get('content-security-policy')
        expect(policy).toContain("script-src 'self'")
        expect(policy).not.toContain('unsafe')
      }
    },
  )

  scenario(
    'X06',
    'what sites and engines say is text on a page, whatever it looks like',
    async () => {
      const world = await openWorld()
      const id = await world.addSite({ name: '<img src=x onerror=alert(1)>"' })
      const visitor = await openPages(world).loggedIn(ADMIN)

      const pages = [await visitor.get('/'), await visitor.get(`/sites/${id}/edit`)]

      for (const page of pages) {
        const text = await page.text()
        expect(text).not.toContain('<img src=x')
        expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;')
      }
    },
  )

  scenario('X06', 'where nothing is, a browser is shown a page in its language', async () => {
    const { app, visitor } = openPages(await openWorld())

    const page = await visitor().get('/nope', { 'accept-language': 'zh-CN' })
    const program = await app.request('/nope', { headers: { accept: '*/*' } })
    const wrongMethod = await app.request('/alerts/test', { headers: { accept: 'text/html' } })

    expect([page.status, program.status, wrongMethod.status]).toEqual([404, 404, 405])
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await page.text()).toContain(ZH.notFound)
    expect(await program.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
  })

  it('programs that ask for the root are answered as before', async () => {
    const { app } = openPages(await openWorld())

    const response = await app.request('/', { headers: { accept: 'application/json' } })

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
  })
})
