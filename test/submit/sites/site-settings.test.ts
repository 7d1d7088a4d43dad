import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../../src/core/secret.ts'
import { SEARCH_ENGINES } from '../../../src/submit/search-engines.ts'
import { readSettings, SITE_FIELDS } from '../../../src/submit/site-settings.ts'
import { createSite } from '../../../src/submit/sites.ts'
import { scenario } from '../../support/scenario.ts'
import { BING_KEY, KEY, MINIMAL, openSites, WEBHOOK } from './support.ts'

function problemsOf(given: object): readonly string[] {
  const read = readSettings({ ...MINIMAL, ...given })
  return read.ok ? [] : read.failure.problems
}

function read(given: object) {
  const settings = readSettings({ ...MINIMAL, ...given })
  if (!settings.ok) throw new Error(settings.failure.problems.join(' '))
  return settings.value
}

describe('the IndexNow key', () => {
  scenario('S21', 'a key is 8 to 128 of A-Z, a-z, 0-9 and -', () => {
    const keys = fc.stringMatching(/^[A-Za-z0-9-]{8,128}$/)
    fc.assert(
      fc.property(keys, (apiKey) => {
        expect(problemsOf({ apiKey })).toEqual([])
      }),
    )
  })

  scenario('S21', 'any other key is refused, and never repeated in the refusal', () => {
    const wrong = [
      'short',
      'x'.repeat(129),
      'with space 123',
      'line-break-123\n',
      '\nline-break-123',
      'ümlaut-1234',
      'under_score',
      '',
    ]
    for (const apiKey of wrong) {
      const [problem, ...others] = problemsOf({ apiKey })
      expect(problem).toMatch(/^apiKey is not usable: it should be .*8 to 128 characters/)
      expect(others).toEqual([])
    }
    expect(problemsOf({ apiKey: 'secret_key_with_underscores' }).join()).not.toContain('secret_key')
    expect(problemsOf({ apiKey: 12_345_678 })).toHaveLength(1)
    expect(problemsOf({ apiKey: undefined })).toEqual([
      expect.stringMatching(/^apiKey is missing: it should be the site's IndexNow key/),
    ])
  })

  scenario('S20', 'the key file is at the root of the host, unless the site says otherwise', () => {
    expect(read({}).keyLocation).toBeUndefined()
    expect(read({ keyLocation: `https://example.com/keys/${KEY}.txt` }).keyLocation).toBe(
      'https://example.com/keys/{key}.txt',
    )
    expect(problemsOf({ keyLocation: `https://www.example.com/${KEY}.txt` })).toEqual([
      expect.stringMatching(/^keyLocation is not on example\.com: .*https:\/\/example\.com\/<key>/),
    ])
  })
})

describe('search engines', () => {
  it('are named, or given as hosts or addresses', () => {
    const { searchEngines } = read({
      searchEngines: [
        'bing',
        'Yandex',
        'api.indexnow.org',
        'www.bing.com/indexnow',
        'http://127.0.0.1:9000',
        'https://engine.example/custom/path',
        'engine.example:8443',
      ],
    })
    expect(searchEngines).toEqual([
      SEARCH_ENGINES.bing,
      SEARCH_ENGINES.yandex,
      SEARCH_ENGINES.indexnow,
      'http://127.0.0.1:9000/indexnow',
      'https://engine.example/custom/path',
      'https://engine.example:8443/indexnow',
    ])
  })

  it('are read the same when they are read again', () => {
    const names = fc.constantFrom(...Object.keys(SEARCH_ENGINES), 'a.example', 'http://b.example/x')
    fc.assert(
      fc.property(fc.array(names, { minLength: 1 }), (searchEngines) => {
        const once = read({ searchEngines })
        expect(read({ ...once }).searchEngines).toEqual(once.searchEngines)
        expect(new Set(once.searchEngines).size).toBe(once.searchEngines?.length)
      }),
    )
  })

  it('are refused when they cannot be one, each by its place', () => {
    for (const wrong of [
      'bong',
      'ftp://x.example',
      'https://u:p@x.example',
      'x.example/?a=1',
      ' ',
    ]) {
      const [problem] = problemsOf({ searchEngines: ['bing', wrong] })
      expect(problem, wrong).toMatch(/^searchEngines\[1\] is ".*": it should be one of indexnow/)
    }
    expect(problemsOf({ searchEngines: [] })).toHaveLength(1)
    expect(problemsOf({ searchEngines: 'bing' })).toHaveLength(1)
    const hosts = (count: number) => Array.from({ length: count }, (_, i) => `e${i}.example`)
    expect(problemsOf({ searchEngines: hosts(30) })).toEqual([])
    expect(problemsOf({ searchEngines: hosts(31) })).toEqual([
      expect.stringContaining('a list of 1 to 30 search engines'),
    ])
  })
})

describe('Bing', () => {
  scenario('B08', 'bingEnabled without a key is refused in the very words of the seed', () => {
    const words = 'bingApiKey is required when bingEnabled is true'
    expect(problemsOf({ bingEnabled: true })).toEqual([words])
    expect(problemsOf({ bingEnabled: true, bingApiKey: BING_KEY })).toEqual([])
    expect(problemsOf({ bingEnabled: false })).toEqual([])
  })

  scenario('B08', 'the daily quota is 1 to 500, or what Bing says', () => {
    for (const bingDailyQuota of [1, 500, 'auto'])
      expect(problemsOf({ bingDailyQuota })).toEqual([])
    for (const bingDailyQuota of [0, 501, -1, 1.5, '100', 'AUTO', true]) {
      const [problem] = problemsOf({ bingDailyQuota })
      expect(problem).toBe(
        `bingDailyQuota is ${JSON.stringify(bingDailyQuota)}: it should be a whole number from 1 to 500, or "auto" to ask Bing for it.`,
      )
    }
  })

  it('has a key without line breaks, and a mask is none', () => {
    for (const bingApiKey of ['', 'a\nb', 'a b', '****']) {
      expect(problemsOf({ bingApiKey })).toEqual([
        expect.stringMatching(/^bingApiKey is not usable/),
      ])
    }
  })
})

describe('settings', () => {
  it('take addresses without a name and password', () => {
    const wrong = [
      'ftp://x.example/a',
      'example.com',
      'https://u:p@example.com/',
      '',
      'https://',
      7,
    ]
    for (const field of ['sitemapUrl', 'backupSitemapUrl']) {
      for (const value of wrong) {
        const [problem] = problemsOf({ [field]: value })
        expect(problem).toMatch(new RegExp(`^${field} is .*: it should be an http`))
      }
    }
    expect(problemsOf({ sitemapUrl: 'https://u:hunter2@example.com/' }).join()).not.toContain(
      'hunter2',
    )
    expect(problemsOf({ sitemapUrls: ['https://example.com/a.xml', 'nope'] })).toEqual([
      expect.stringMatching(/^sitemapUrls\[1\] is "nope"/),
    ])
  })

  it('take hosts for sitemaps as hosts are compared', () => {
    expect(read({ allowedSitemapHosts: ['CDN.Example.com', 'x.example:8080'] })).toMatchObject({
      allowedSitemapHosts: ['cdn.example.com', 'x.example:8080'],
    })
    for (const host of ['https://cdn.example.com', 'a/b', 'a b', 'u@h', '']) {
      expect(problemsOf({ allowedSitemapHosts: [host] })).toHaveLength(1)
    }
  })

  it('take a webhook with its signing secret after the #', () => {
    expect(read({ webhookUrl: WEBHOOK }).webhookUrl).toBeInstanceOf(Secret)
    expect(problemsOf({ webhookUrl: `https://x.example/#whsec_${'A'.repeat(32)}` })).toEqual([])
    for (const webhookUrl of ['slack', 'ftp://x.example', 'https://x.example/#guess', '****']) {
      const [problem] = problemsOf({ webhookUrl })
      expect(problem).toMatch(/^webhookUrl is not usable: it should be an http/)
    }
    const [short] = problemsOf({ webhookUrl: 'https://x.example/#whsec_abc' })
    expect(short).toContain('whsec_ and 32 to 88 characters of base64')
  })

  it('keep numbers within their limits', () => {
    const limits = {
      maxConcurrentRequests: [1, 100],
      requestIntervalMs: [0, 2 ** 31 - 1],
      maxRetries: [0, 10],
      cacheTtlDays: [0, 3_650],
    }
    for (const [field, [from = 0, to = 0]] of Object.entries(limits)) {
      expect(problemsOf({ [field]: from })).toEqual([])
      expect(problemsOf({ [field]: to })).toEqual([])
      for (const wrong of [from - 1, to + 1, 1.5, '3']) {
        expect(problemsOf({ [field]: wrong })).toEqual([
          `${field} is ${JSON.stringify(wrong)}: it should be a whole number from ${from} to ${to}.`,
        ])
      }
    }
  })

  it('keep ids fit for a path', () => {
    for (const id of ['example.com', '127.0.0.1:8080', 'My_Blog-2', '::1:80'])
      expect(problemsOf({ id })).toEqual([])
    for (const id of ['', '..', '.', 'a/b', 'a b', 'ä', 'a\n', 'x'.repeat(256), '%2e']) {
      expect(problemsOf({ id })).toHaveLength(1)
    }
  })

  it('tell everything that is wrong at once', () => {
    const problems = problemsOf({ maxRetries: 99, submitMode: 'fast', enabled: 'yes' })
    expect(problems).toEqual([
      'submitMode is "fast": it should be one of auto, get, post.',
      'enabled is "yes": it should be true or false.',
      'maxRetries is 99: it should be a whole number from 0 to 10.',
    ])
  })

  it('refuse what is not a field, and guess what was meant', async () => {
    const { options } = await openSites()
    const messageFor = async (given: object) => {
      const made = await createSite(options, { ...MINIMAL, ...given })
      if (made.ok || made.failure.kind !== 'invalid-settings') throw new Error('was taken')
      return made.failure.problems.join(' ')
    }

    const meant = { sitemapUrl: '', bingDailyQuota: '', searchEngines: '', webhookUrl: '' }
    const typos = ['sitemap_url', 'bingDailyQuotas', 'searchEngine', 'webHookURL']
    for (const [i, field] of Object.keys(meant).entries()) {
      expect(await messageFor({ [typos[i] ?? '']: 1 })).toBe(
        `"${typos[i]}" is not a field of a site. Did you mean ${field}?`,
      )
    }
    expect(await messageFor({ colour: 'red' })).toBe(
      `"colour" is not a field of a site. Leave it out. The fields are ${SITE_FIELDS.join(', ')}.`,
    )
    expect(problemsOf({ colour: 'red' })).toEqual([await messageFor({ colour: 'red' })])
    expect(await messageFor({ host: 'example.com' })).toContain('"host" is not a field')
    expect(await messageFor({ toString: 1, maxRetries: 99 })).toMatch(/toString.*maxRetries is 99/)
  })

  it('never throw, whatever is given', async () => {
    const { options } = await openSites()
    const field = fc.constantFrom<string>(...SITE_FIELDS, 'host', '__proto__', 'other')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, fc.jsonValue()), fc.jsonValue(), async (body, any) => {
        for (const given of [body, any, { ...MINIMAL, ...body }]) {
          const made = await createSite(options, given)
          expect([undefined, 'invalid-settings', 'site-exists']).toContain(
            made.ok ? undefined : made.failure.kind,
          )
        }
      }),
    )
  })
})
