import { describe, expect, it } from 'vitest'
import { describeProblems, readConfig } from '../../src/apps/read-config.ts'
import { SETTINGS } from '../../src/apps/settings.ts'
import { REDACTED, Secret } from '../../src/core/secret.ts'
import { scenario } from '../support/scenario.ts'

const around = { version: '1.2.3', isTerminal: false }

function configOf(env: Record<string, unknown>) {
  const read = readConfig(env, around)
  if (!read.ok) throw new Error(describeProblems(read.failure))
  return read.value
}

function problemsOf(env: Record<string, string>) {
  const read = readConfig(env, around)
  return read.ok ? [] : read.failure
}

const TOKEN = 'a-token-of-0123456789'

describe('settings', () => {
  scenario('X01', 'with no variable at all everything has its default', () => {
    const { config, warnings } = configOf({})

    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      sluiceData: './data',
      cronSchedule: '0 0 * * *',
      maxConcurrentRequests: 3,
      requestIntervalMs: 100,
      cacheTtlDays: 30,
      maxRetries: 3,
      runBudgetMs: 300_000,
      rateLimitWaitMs: 60_000,
      retryBaseMs: 1_000,
      sitemapRetryMs: 2_000,
      sitemapTimeoutMs: 30_000,
      bingApiUrl: 'https://ssl.bing.com/webmaster/api.svc/json',
      userAgent: 'Sluice/1.2.3',
      alertWebhookFormat: 'json',
      cookieKeyId: 'k1',
      cookieCipher: 'aes-256-gcm',
      collectPlatforms: ['page', 'feed', 'import'],
      collectHostIntervalMs: 5_000,
      lockTimeoutMinutes: 30,
      recoveryIntervalMinutes: 15,
      coolingDurationMinutes: 30,
      sluiceAllowPrivate: false,
      logLevel: 'info',
      logFormat: 'json',
    })
    expect(config.adminToken).toBeUndefined()
    expect(config.collectSchedule).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it('takes an empty or blank variable for an absent one', () => {
    const { config } = configOf({ PORT: '', ADMIN_TOKEN: '  ', HOST: '', SITEMAP_URL: '' })

    expect(config.port).toBe(8787)
    expect(config.adminToken).toBeUndefined()
  })

  it('prints logs for people on a terminal, unless told otherwise', () => {
    const onTerminal = { ...around, isTerminal: true }

    expect(readConfig({}, onTerminal)).toMatchObject({ value: { config: { logFormat: 'pretty' } } })
    expect(readConfig({ LOG_FORMAT: 'json' }, onTerminal)).toMatchObject({
      value: { config: { logFormat: 'json' } },
    })
  })

  it('ignores what is not text: the bindings of a Worker', () => {
    expect(configOf({ PORT: { get: () => 1 }, SLUICE_SITE_RUNNER: {} })).toMatchObject({
      config: { port: 8787 },
      warnings: [],
    })
  })

  it.each([
    [
      'INDEXNOW_SEARCH_ENGINES',
      'api.indexnow.org, https://www.bing.com/indexnow',
      ['api.indexnow.org', 'https://www.bing.com/indexnow'],
    ],
    [
      'INDEXNOW_SEARCH_ENGINES',
      '["api.indexnow.org", "www.bing.com/indexnow"]',
      ['api.indexnow.org', 'www.bing.com/indexnow'],
    ],
    ['INDEXNOW_SEARCH_ENGINES', 'localhost:9000/indexnow', ['localhost:9000/indexnow']],
    ['LOCK_TIMEOUT_MINUTES', '0.05', 0.05],
    ['PORT', '0', 0],
    ['CRON_SCHEDULE', '*/15  0-6,12 1 * 1-5', '*/15 0-6,12 1 * 1-5'],
    ['COLLECT_PLATFORMS', 'page, xhs,page', ['page', 'xhs']],
    ['SLUICE_ALLOW_PRIVATE', '1', true],
    ['HOST', '[::1]', '::1'],
    ['HOST', 'localhost', 'localhost'],
    ['SITE_HOST', 'Example.COM', 'example.com'],
    ['LOG_LEVEL', 'debug', 'debug'],
  ])('reads %s=%s', (name, given, expected) => {
    expect(Object.values(configOf({ [name]: given }).config)).toContainEqual(expected)
  })

  it.each([
    ['PORT', '65536', 'from 0 to 65535'],
    ['PORT', '-1', 'from 0 to 65535'],
    ['PORT', '80a', 'from 0 to 65535'],
    ['PORT', '0x50', 'from 0 to 65535'],
    ['HOST', 'http://127.0.0.1', 'without http://'],
    ['HOST', '127.0.0.1:80', 'without a port'],
    ['SITEMAP_URL', 'example.com/sitemap.xml', 'http:// or https://'],
    ['SITEMAP_URL', 'ftp://example.com/sitemap.xml', 'http:// or https://'],
    ['SITEMAP_URL', 'https:example.com', 'http:// or https://'],
    ['SITE_HOST', 'https://example.com', 'a host name'],
    ['INDEXNOW_SEARCH_ENGINES', '[1, 2]', 'JSON array'],
    ['INDEXNOW_SEARCH_ENGINES', '["api.indexnow.org"', 'JSON array'],
    ['INDEXNOW_SEARCH_ENGINES', 'ftp://api.indexnow.org', 'http(s)'],
    ['INDEXNOW_SEARCH_ENGINES', ',', 'comma list'],
    ['CRON_SCHEDULE', '0 0 * *', 'five cron fields'],
    ['CRON_SCHEDULE', '0 0 0 * * *', 'five cron fields'],
    ['CRON_SCHEDULE', '60 0 * * *', 'five cron fields'],
    ['CRON_SCHEDULE', '0 24 * * *', 'five cron fields'],
    ['CRON_SCHEDULE', '*/0 * * * *', 'five cron fields'],
    ['CRON_SCHEDULE', '5-1 * * * *', 'five cron fields'],
    ['COLLECT_SCHEDULE', 'daily', 'five cron fields'],
    ['MAX_CONCURRENT_REQUESTS', '0', 'from 1'],
    ['MAX_RETRIES', '1.5', 'whole number'],
    ['RUN_BUDGET_MS', '99999999999', 'to 2147483647'],
    ['LOCK_TIMEOUT_MINUTES', '0', 'above 0'],
    ['LOCK_TIMEOUT_MINUTES', '-1', 'above 0'],
    ['LOCK_TIMEOUT_MINUTES', '1e3', 'above 0'],
    ['ALERT_WEBHOOK_FORMAT', 'teams', 'json, slack, discord, feishu'],
    ['COLLECT_PLATFORMS', 'page,twitter', 'page, feed, import, xhs, weibo'],
    ['COOKIE_CIPHER', 'des', 'aes-256-gcm, fernet'],
    ['COOKIE_KEY_ID', 'k 1', 'letters, digits'],
    ['SLUICE_ALLOW_PRIVATE', 'yes', '1 (on) or 0 (off)'],
    ['LOG_LEVEL', 'verbose', 'debug, info, warn, error'],
    ['LOG_FORMAT', 'xml', 'pretty, json'],
    ['USER_AGENT', 'Slüice', 'ASCII'],
    ['BING_API_URL', 'ssl.bing.com', 'http:// or https://'],
  ])(
    'X08 — %s=%s is refused by name, with what it should be and an example',
    (name, given, why) => {
      const problems = problemsOf({ [name]: given }).filter((problem) => problem.name === name)

      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatchObject({ given: JSON.stringify(given) })
      expect(problems[0]?.shouldBe).toContain(why)
      const text = describeProblems(problems)
      expect(text.replaceAll('"', '')).toContain(`${name}=${problems[0]?.example}`)
      expect(problemsOf({ [name]: problems[0]?.example ?? '' }).map((p) => p.name)).not.toContain(
        name,
      )
    },
  )

  it.each([
    ['ADMIN_TOKEN', 'short-canary'],
    ['READ_TOKEN', 'with space canary 0123456789'],
    ['COLLECT_TOKEN', 'ünicode-canary-0123456789'],
    ['DATABASE_URL', 'mysql://root:canary@db/sluice'],
    ['INDEXNOW_API_KEY', 'canary_with_underscore'],
    ['INDEXNOW_API_KEY', 'canary7'],
    ['COOKIE_MASTER_KEY', 'canary'],
    ['COOKIE_KEYS_OLD', 'canary-without-an-id-0123456789'],
    ['ALERT_WEBHOOK_URL', 'hooks.example.com/canary'],
  ])('X08 — a wrong %s is named and its value is not shown', (name, given) => {
    const problems = problemsOf({ [name]: given })

    expect(problems.map((problem) => problem.name)).toEqual([name])
    expect(JSON.stringify(problems) + describeProblems(problems)).not.toContain('canary')
  })

  scenario('X08', 'a password inside an address is not shown either', () => {
    const problems = problemsOf({ BING_API_URL: 'https://user:canary@bing.example/' })

    expect(problems).toHaveLength(1)
    expect(describeProblems(problems)).not.toContain('canary')
  })

  scenario('X08', 'everything that is wrong is told at once', () => {
    const problems = problemsOf({ PORT: 'x', LOG_LEVEL: 'x', CRON_SCHEDULE: 'x', READ_TOKEN: 'x' })

    expect(problems.map((problem) => problem.name)).toEqual([
      'PORT',
      'READ_TOKEN',
      'CRON_SCHEDULE',
      'LOG_LEVEL',
    ])
    expect(describeProblems(problems)).toMatch(/^Sluice cannot start: 4 settings are wrong/)
  })

  scenario('X03', 'an address others can reach needs a token of the operator', () => {
    for (const HOST of ['0.0.0.0', '::', '192.168.1.5', '::ffff:10.0.0.1', 'example.com']) {
      const [problem] = problemsOf({ HOST })
      expect(problem?.name).toBe('ADMIN_TOKEN')
      expect(problem?.shouldBe).toContain(`HOST=${HOST}`)
      expect(problemsOf({ HOST, ADMIN_TOKEN: TOKEN })).toEqual([])
    }
    for (const HOST of ['127.0.0.1', '127.9.9.9', '::1', 'localhost', '::ffff:127.0.0.1']) {
      expect(problemsOf({ HOST })).toEqual([])
    }
  })

  scenario('C07', 'two master keys cannot have one name', () => {
    const older = Buffer.alloc(32, 'a').toString('base64')
    const newer = Buffer.alloc(32, 'b').toString('base64')

    const clash = { COOKIE_MASTER_KEY: newer, COOKIE_KEYS_OLD: `k1:${older}` }

    expect(problemsOf(clash)).toMatchObject([{ name: 'COOKIE_KEY_ID', given: '"k1"' }])
    expect(JSON.stringify(problemsOf(clash))).not.toContain(older)
    expect(problemsOf({ ...clash, COOKIE_KEY_ID: 'k2' })).toEqual([])
    expect(problemsOf({ ...clash, COOKIE_KEYS_OLD: `k1:${newer}` })).toEqual([])
  })

  scenario('X03', 'two scopes cannot share one token', () => {
    expect(problemsOf({ ADMIN_TOKEN: TOKEN, READ_TOKEN: TOKEN })).toMatchObject([
      { name: 'READ_TOKEN', given: '(not shown)' },
    ])
    expect(problemsOf({ READ_TOKEN: TOKEN, COLLECT_TOKEN: TOKEN })).toMatchObject([
      { name: 'COLLECT_TOKEN' },
    ])
  })

  scenario('X08', 'a sitemap without a key cannot be submitted, and the start says so', () => {
    expect(problemsOf({ SITEMAP_URL: 'https://example.com/sitemap.xml' })).toMatchObject([
      { name: 'INDEXNOW_API_KEY', shouldBe: expect.stringContaining('SITEMAP_URL') },
    ])
  })

  it.each([
    ['SLUICE_DATE', 'Did you mean SLUICE_DATA?'],
    ['SLUICE_PORT', 'Did you mean PORT?'],
    ['LOGLEVEL', 'Did you mean LOG_LEVEL?'],
    ['ADMIN_TOKENS', 'Did you mean ADMIN_TOKEN?'],
    ['INDEXNOW_APIKEY', 'Did you mean INDEXNOW_API_KEY?'],
    ['COLLECT_SHEDULE', 'Did you mean COLLECT_SCHEDULE?'],
    ['BING_QUOTA', 'has no effect'],
  ])('X08 — an unknown %s is warned of', (name, advice) => {
    const { warnings } = configOf({ [name]: 'canary' })

    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(name)
    expect(warnings[0]).toContain(advice)
    expect(warnings[0]).not.toContain('canary')
  })

  it('says nothing of the variables every machine has', () => {
    const names = ['HOME', 'PATH', 'PWD', 'SHELL', 'USER', 'LANG', 'TERM', 'HOSTNAME', 'LOGNAME']
    const usual = Object.fromEntries(
      [...names, 'NODE_ENV', 'TZ', 'SHLVL', '_'].map((n) => [n, 'x']),
    )

    expect(configOf(usual).warnings).toEqual([])
  })

  it('warns of a setting that another one must turn on', () => {
    expect(configOf({ SITE_HOST: 'example.com' }).warnings).toEqual([
      'SITE_HOST has no effect without SITEMAP_URL. Set both, or neither.',
    ])
  })

  it('shows an example that a shell takes', () => {
    const text = describeProblems(problemsOf({ CRON_SCHEDULE: 'x', SLUICE_ALLOW_PRIVATE: 'x' }))

    expect(text).toContain('CRON_SCHEDULE="0 0 * * *"')
    expect(text).toContain('SLUICE_ALLOW_PRIVATE=1')
  })

  it('makes every secret a Secret', () => {
    const { config } = configOf({
      ADMIN_TOKEN: TOKEN,
      READ_TOKEN: `read-${TOKEN}`,
      COLLECT_TOKEN: `collect-${TOKEN}`,
      INDEXNOW_API_KEY: '0123456789abcdef',
      ALERT_WEBHOOK_URL: 'https://hooks.example.com/T0/B0/x',
      COOKIE_MASTER_KEY: `master-${TOKEN}`,
      COOKIE_KEYS_OLD: `k0:${TOKEN},k00:${TOKEN}`,
    })

    const secrets = Object.values(config).filter((value) => value instanceof Secret)
    expect(secrets).toHaveLength(7)
    expect(JSON.stringify(config)).not.toContain(TOKEN)
    expect(String(config.adminToken)).toBe(REDACTED)
  })

  it('explains each variable in one line', () => {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      expect(setting.meaning, name).toMatch(/^[^\n]{5,80}$/)
      expect('default' in setting || 'whenAbsent' in setting, name).toBe(true)
    }
  })
})
