import { env, listDurableObjectIds, SELF } from 'cloudflare:test'
import { expect } from 'vitest'
import { scenario } from '../../support/scenario.ts'

const TOKEN = 'token-of-the-inside-test'
const SITES = 60

interface Sent {
  readonly method?: string
  readonly body?: string | URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

const ask = (path: string, init: Sent = {}) =>
  SELF.fetch(`https://sluice.test${path}`, {
    redirect: 'manual',
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, accept: 'text/html', ...init.headers },
  })

async function logIn(): Promise<string> {
  const body = new URLSearchParams({ token: TOKEN })
  const login = await ask('/login', { method: 'POST', body })
  return /^[^;]+/.exec(login.headers.get('set-cookie') ?? '')?.[0] ?? ''
}

scenario(
  'X05',
  'pages and numbers about all sites ask none of them: many sites cost no more requests than one',
  async () => {
    for (let n = 0; n < SITES; n++) {
      const sitemapUrl = `https://shop.test/${n}/sitemap.xml`
      const body = JSON.stringify({ id: `site-${n}`, sitemapUrl, apiKey: 'a1b2c3d4e5f60718' })
      expect((await ask('/api/sites', { method: 'POST', body })).status).toBe(201)
    }
    const cookie = await logIn()
    const before = (await listDurableObjectIds(env.SITES)).length

    const overview = await ask('/', { headers: { cookie } })
    const alerts = await ask('/alerts', { headers: { cookie } })
    const metrics = await ask('/metrics')
    const daily = await ask('/api/stats/daily?days=7')

    expect(await overview.text()).toContain('site-0')
    expect([alerts.status, daily.status]).toEqual([200, 200])
    expect(await metrics.text()).toContain(`sluice_sites{state="enabled"} ${SITES}`)
    expect((await listDurableObjectIds(env.SITES)).length).toBe(before)
  },
  60_000,
)

scenario('X05', 'a stranger who asks for a run that nobody knows wakes no site', async () => {
  const body = JSON.stringify({
    id: 'asleep',
    sitemapUrl: 'https://shop.test/sitemap.xml',
    apiKey: 'a1b2c3d4e5f60718',
  })
  expect((await ask('/api/sites', { method: 'POST', body })).status).toBe(201)
  const before = (await listDurableObjectIds(env.SITES)).length

  const pages = ['/runs/run-nobody', '/runs/run-nobody/live']
  const headers = { cookie: 'sluice_session=admin.9999999999999.made-up.0123' }
  const strangers = await Promise.all(pages.map((page) => ask(page, { headers })))

  expect(strangers.map(({ headers }) => headers.get('location'))).toEqual(
    pages.map((page) => `/login?to=${encodeURIComponent(page)}`),
  )
  expect((await listDurableObjectIds(env.SITES)).length).toBe(before)
  // Whoever is logged in is told, once every site was asked.
  const known = await ask('/runs/run-nobody', { headers: { cookie: await logIn() } })
  expect(known.status).toBe(404)
  expect((await listDurableObjectIds(env.SITES)).length).toBeGreaterThan(before)
})
