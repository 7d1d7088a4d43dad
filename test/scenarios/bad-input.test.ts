import { expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { breaks } from '../support/stand-ins/stand-in.ts'
import { KEY, openWorld, paths, sitemapOf } from '../support/world.ts'
import { anotherSite, sentTo } from './support.ts'

const SITEMAPS: Readonly<Record<string, { body: string; says: string }>> = {
  'an HTML page': {
    body: '<!doctype html><html><body>Please log in</body></html>',
    says: 'This is an HTML page, not a sitemap: perhaps an error page, a login or a challenge for browsers. Open the address to see it.',
  },
  'an empty file': { body: '', says: 'The file is empty. Check what generates it.' },
  'ten megabytes of one line': {
    body: 'x'.repeat(10 * 1024 * 1024),
    says: 'This is neither a sitemap, a feed nor a list of URLs: it begins with',
  },
}

for (const [what, { body, says }] of Object.entries(SITEMAPS)) {
  scenario('X08', `${what} instead of a sitemap is an error that says what to do`, async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
    await world.addSite()
    await world.run()

    world.site.put({ '/sitemap.xml': body })
    const bad = await world.run()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(4)) })
    const good = await world.run()

    expect(bad).toMatchObject({ status: 'failed', total: 0, submitted: 0, deleted: 0 })
    expect(bad.errors).toEqual([
      expect.stringContaining(`${world.site.url('/sitemap.xml')}: ${says}`),
    ])
    expect(JSON.stringify(bad).length).toBeLessThan(2_000)
    expect(good).toMatchObject({ status: 'succeeded', total: 4, new: 1, submitted: 1 })
  })
}

scenario('X08', 'an unreachable sitemap is an error, after its retries', async () => {
  const world = await openWorld()
  const gone = await anotherSite(world)
  gone.always(breaks('reset'))
  await world.addSite({ sitemapUrl: gone.url('/sitemap.xml') })

  const run = await world.run()

  expect(gone.asked().filter((path) => path === '/sitemap.xml')).toHaveLength(4)
  expect(world.clock.slept.filter((ms) => ms === 2_000)).toHaveLength(3)
  expect(run).toMatchObject({ status: 'failed', total: 0 })
  expect(run.errors).toEqual([expect.stringContaining(gone.url('/sitemap.xml'))])
})

scenario('X08', 'ten megabytes of one line between good entries cost only themselves', async () => {
  const world = await openWorld()
  const line = 'x'.repeat(10 * 1024 * 1024)
  world.site.put({
    '/sitemap.xml': sitemapOf(paths(2)).replace(
      '<url><loc>{origin}/p/1',
      `<url><loc>{origin}/${line}</loc></url><url><loc>{origin}/p/1`,
    ),
  })
  await world.addSite()

  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', total: 2, submitted: 2, invalid: 1 })
  expect(JSON.stringify(run).length).toBeLessThan(2_000)
})

scenario('S04', 'what is no page of the site is left out, counted, and named', async () => {
  const world = await openWorld()
  const bad = [
    `{origin}/${'x'.repeat(10_000)}`,
    'javascript:alert(1)',
    'http://user:secret@{host}/a',
    'https://elsewhere.example/',
    '/relative',
  ]
  const entries = bad.map((loc) => `<url><loc>${loc}</loc></url>`).join('')
  world.site.put({
    '/sitemap.xml': sitemapOf(paths(2)).replace('</urlset>', `${entries}</urlset>`),
  })
  await world.addSite()

  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', total: 2, submitted: 2, invalid: 5, errors: [] })
  expect(run.warnings).toEqual([
    `4 entries of the sitemap were left out: "${world.site.url(`/${'x'.repeat(100)}`).slice(0, 100)}…" (longer than 2,048 characters), "javascript:alert(1)" (not an http or https address), "http://***REDACTED***@${world.site.host}/a" (it holds a name or a password) and others. Correct what makes the sitemap.`,
    `1 URL is not on ${world.site.host} and left out. Each host needs a site of its own.`,
  ])
  expect(sentTo(world.engine)).toEqual(['/p/0', '/p/1'])
})

const SITES: Readonly<Record<string, { fields: Readonly<Record<string, unknown>>; says: string }>> =
  {
    'a key with a line break': {
      fields: { apiKey: `${KEY}\n` },
      says: "apiKey is not usable: it should be the site's IndexNow key: 8 to 128 characters of a-z, A-Z, 0-9 and -, nothing before or after them.",
    },
    'a quota of 0': {
      fields: { bingDailyQuota: 0 },
      says: 'bingDailyQuota is 0: it should be a whole number from 1 to 500, or "auto" to ask Bing for it.',
    },
    'a field that is misspelt': {
      fields: { searchEngine: ['bing'] },
      says: '"searchEngine" is not a field of a site. Did you mean searchEngines?',
    },
    'a sitemap address that is none': {
      fields: { sitemapUrl: 'javascript:alert(1)' },
      says: 'sitemapUrl is "javascript:alert(1)": it should be an http:// or https:// address without a name and password in it.',
    },
    'Bing without its key': {
      fields: { bingEnabled: true },
      says: 'bingApiKey is required when bingEnabled is true',
    },
  }

for (const [what, { fields, says }] of Object.entries(SITES)) {
  scenario('X08', `${what} is refused before anything is kept`, async () => {
    const world = await openWorld()
    const good = { sitemapUrl: world.site.url('/sitemap.xml'), apiKey: KEY }

    const refused = await world.api('POST', '/api/sites', { ...good, ...fields })

    expect(refused.status).toBe(400)
    expect(refused.body.error).toEqual({ code: 'INVALID_INPUT', message: says, retryable: false })
    expect((await world.api('GET', '/api/sites')).body['sites']).toEqual([])
    expect(JSON.stringify([refused, world.logs])).not.toContain(KEY)
  })
}

scenario('X08', 'a body that is no JSON, and one with a field too many', async () => {
  const world = await openWorld()
  await world.addSite()

  const list = await world.api('POST', '/api/sites', [1, 2])
  const typo = await world.api('POST', '/api/urls', { url: [world.site.url('/a')] })
  const wrong = await world.api('POST', '/api/urls', { urls: [1, null] })

  expect([list, typo, wrong].map(({ status }) => status)).toEqual([400, 400, 400])
  expect(list.body.error?.message).toBe(
    'The body should be a JSON object with the fields of a site, at least sitemapUrl and apiKey.',
  )
  expect(typo.body.error?.message).toContain('url')
  expect(wrong.body.error?.message).toContain('urls[0]')
})
