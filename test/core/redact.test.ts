import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printableUrl, redactText, redactValue } from '../../src/core/redact.ts'
import { REDACTED, Secret } from '../../src/core/secret.ts'
import { scenario } from '../support/scenario.ts'

const CANARY = 'cAnArY0123456789abcdef'

/** As a library has them: not an instance of the global class, but known by the same name. */
class OtherHeaders {
  readonly #headers = new Headers()
  readonly [Symbol.toStringTag] = 'Headers'

  set(name: string, value: string): this {
    this.#headers.set(name, value)
    return this
  }

  entries(): Iterable<[string, string]> {
    return this.#headers.entries()
  }
}

/** Ways in which text that somebody wrote may hold a secret. */
const CARRIERS: Record<string, (secret: string) => string> = {
  'a query': (s) => `https://ssl.bing.com/webmaster/api.svc/json/SubmitUrlbatch?apikey=${s}`,
  'a query among others': (s) => `GET https://a.example/x?url=y&key=${s}&z=1 failed`,
  'a query after a quote': (s) => `https://a.example/?q=it's${s}`,
  'a query without a path': (s) => `https://a.example?k=${s}`,
  'a fragment': (s) => `see https://a.example/cb#access=${s}.`,
  'a bare fragment': (s) => `https://a.example/#${s}`,
  'a relative address': (s) => `path: '/indexnow?url=a&key=${s}'`,
  'a port and a query': (s) => `http://127.0.0.1:8787/x?t=${s}`,
  'an address of another scheme': (s) => `wss://a.example/socket?t=${s}`,
  userinfo: (s) => `postgres://sluice:${s}@db.example:5432/sluice`,
  'userinfo with an @': (s) => `postgres://sluice:x@${s}@db.example/sluice`,
  'userinfo with a ?': (s) => `postgres://sluice:${s}?x@db.example/sluice`,
  'a name alone': (s) => `https://${s}@a.example/`,
  'an address in JSON': (s) => JSON.stringify({ url: `https://a.example/?k=${s}`, n: 1 }),
  'an address in JSON in JSON': (s) =>
    JSON.stringify({ body: JSON.stringify({ url: `https://a.example/?k=${s}` }) }),
  'escaped slashes': (s) => String.raw`{"url":"https:\/\/a.example\/x\/?k=${s}"}`,
  'escaped slashes in a query': (s) => String.raw`{"url":"https:\/\/a.example\/?to=\/x\/${s}"}`,
  'an escaped ampersand': (s) => String.raw`{"url":"https://a.example/?a=1\u0026z=${s}"}`,
  'a Slack webhook': (s) => `POST https://hooks.slack.com/services/T00/B00/${s} failed`,
  'a Slack trigger': (s) => `https://hooks.slack-gov.com/triggers/T00/1/${s}`,
  'a signing secret': (s) => `signed with whsec_${s}`,
  'a Discord webhook': (s) => `https://discord.com/api/webhooks/1234/${s}`,
  'a bot webhook': (s) => `https://open.example.cn/open-apis/bot/v2/hook/${s}`,
  'a cookie header': (s) => `> Cookie: theme=dark; sid=${s}; lang=en`,
  'a cookie header in quotes': (s) => `curl -H "cookie: theme=dark; sid=${s}" https://a.example`,
  'a cookie with quotes': (s) => `cookie: theme="dark mode"; sid=${s}`,
  'a cookie of another name': (s) => `Set-Cookie: x=${s}; Path=/; HttpOnly`,
  'a cookie in JSON': (s) => JSON.stringify({ cookie: `theme="d"; sid=${s}`, next: 1 }),
  'a cookie in JSON in JSON': (s) =>
    JSON.stringify({ body: JSON.stringify({ cookie: `theme="d"; sid=${s}` }) }),
  'a cookie in JSON thrice': (s) =>
    JSON.stringify([JSON.stringify([JSON.stringify({ cookie: `a="b"; sid=${s}` })])]),
  'a cookie inspected': (s) => `{ cookie: 'theme=dark; sid=${s}' }`,
  'a session cookie': (s) => `web_session=${s}`,
  'a session cookie, short': (s) => `got web_session=${s.slice(0, 22)}; done`,
  'a session cookie, encoded': (s) => `web_session%3D${s}`,
  'a1 of a cookie': (s) => `a1=${s}; webId=1`,
  'SUB of a cookie': (s) => `SUB=_2A25${s}; SUBP=0033${s}`,
  'cookie_value in JSON': (s) => `{"cookie_value": "${s}"}`,
  'cookie_value in JSON in JSON': (s) => String.raw`{\"cookie_value\": \"a=1; b=${s}\"}`,
  'cookie_value cut off': (s) => `{"cookie_value": "a=1; b=${s}`,
  'cookie_value in a line': (s) => `cookie_value=a=1; b=${s}`,
  cookie_encrypted: (s) => `cookie_encrypted: gAAAA${s}`,
  'a bearer token': (s) => `authorization: Bearer ${s}`,
  'a bearer token alone': (s) => `sent bearer ${s} to it`,
  'basic credentials': (s) => `Authorization: Basic ${btoa(`user:${s}`)}`.replace(btoa(s), s),
  'another scheme': (s) => `"Authorization":"Token ${s}"`,
  'an api key in JSON': (s) => JSON.stringify({ bingApiKey: s }),
  'an api key in a line': (s) => `INDEXNOW_API_KEY=${s}`,
  'an api key in a sentence': (s) => `The api key: ${s} was refused`,
  'an app secret': (s) => `app_secret=${s}`,
  'a password': (s) => `{ password: 'p ${s}' }`,
  'a token in a shell line': (s) => `ADMIN_TOKEN='${s}' npm start`,
  'a token among fields': (s) => `level=info x-admin-token=${s},other`,
  'a master key': (s) => `COOKIE_MASTER_KEY=${s}`,
  'a tenant token': (s) => `{"code":0,"tenant_access_token":"t-${s}","expire":7200}`,
}

const carried = fc.constantFrom(...Object.values(CARRIERS))
const canaries = fc
  .stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.~-]{14,60}[A-Za-z0-9]$/)
  .map((random) => `7c4n${random}`)
const prose = fc.constantFrom('', 'failed: ', 'line one\nline two ', '[warn] ', 'x = 1, ')

describe('redactText', () => {
  it.each(Object.entries(CARRIERS))('hides a secret in %s', (_, carry) => {
    expect(redactText(carry(CANARY))).not.toContain(CANARY)
    expect(redactText(carry(CANARY))).toContain(REDACTED)
  })

  scenario('C07', 'web_session=… and "cookie_value": "…" are written as ***REDACTED***', () => {
    expect(redactText('web_session=040069b2; path=/')).toBe('web_session=***REDACTED***; path=/')
    expect(redactText('{"cookie_value": "a1=x; b=y", "n": 1}')).toBe(
      '{"cookie_value": "***REDACTED***", "n": 1}',
    )
    expect(redactText(String.raw`{\"cookie_value\":\"a=\\\"x\\\"; b=y\",\"n\":1}`)).toBe(
      String.raw`{\"cookie_value\":\"***REDACTED***\",\"n\":1}`,
    )
  })

  it('hides any secret in any carrier, in the midst of anything, two of them side by side', () => {
    fc.assert(
      fc.property(canaries, carried, carried, prose, (secret, one, other, text) => {
        const safe = redactText(`${text}${one(secret)}\n${text}${other(secret)}`)
        expect(safe).not.toContain(secret)
      }),
      { numRuns: 2_000 },
    )
  })

  it('hides a secret in a carrier that was made JSON, however often', () => {
    fc.assert(
      fc.property(canaries, carried, fc.integer({ min: 1, max: 3 }), (secret, carry, times) => {
        let text = carry(secret)
        for (let i = 0; i < times; i++) text = JSON.stringify({ text })
        expect(redactText(text)).not.toContain(secret)
      }),
      { numRuns: 2_000 },
    )
  })

  it('changes nothing more the second time', () => {
    fc.assert(
      fc.property(canaries, carried, carried, (secret, one, other) => {
        const safe = redactText(`${one(secret)} ${other(secret)}`)
        expect(redactText(safe)).toBe(safe)
      }),
    )
  })

  it('leaves what stands around a secret', () => {
    expect(redactText(`GET https://a.example/x?k=${CANARY} failed after 3 ms`)).toBe(
      'GET https://a.example/x?***REDACTED*** failed after 3 ms',
    )
    expect(redactText(`postgres://u:${CANARY}@db.example/sluice is down`)).toBe(
      'postgres://***REDACTED***@db.example/sluice is down',
    )
    expect(redactText(JSON.stringify({ cookie: `a=${CANARY}`, count: 3 }))).toBe(
      '{"cookie":"***REDACTED***","count":3}',
    )
  })

  it.each([
    'Basic settings are fine; basic authentication is not used',
    'Send the header `Authorization: Bearer <ADMIN_TOKEN>`.',
    'The bearer token is missing or wrong.',
    'Unexpected token < in JSON at position 0',
    'Unexpected token \'<\', "<html>" is not valid JSON',
    'invalid token: expired',
    'apiKey: must be 8 to 128 of [A-Za-z0-9-]',
    'bingApiKey is required when bingEnabled is true',
    'password: required',
    'cookie: xhs-1 is cooling until 12:30',
    'cookie=xhs-main status=cooling daily_used=3',
    'cookie xhs-1: 3 errors, active → cooling',
    'No active cookie: add one with `sluice cookies add`.',
    'a1=5, sub=3, sub: 12 items; A1: total',
    'subscribe to sub-a1=x',
    'secret: nobody knows',
    'tokens=500 max_tokens=1000',
    'https://example.com/services/search-engine-optimisation',
    'https://medium.com/@user/a-story',
    'Did you mean https://example.com/sitemap.xml?',
    'Is 2 > 1? Yes & no = maybe',
    'retry 1/3 in 1000 ms: HTTP 503 from api.indexnow.org (batch 2, 100 URLs)',
    'run 01J8 of example.com: total=150 new=20 cached=130 submitted=20 failed=0',
    '{"event":"run.finished","engine":"api.indexnow.org","averageMs":12.5}',
    'C:\\Users\\me\\sluice\\data',
    'user@example.com wrote to https://example.com/contact',
    '2025-01-15T00:00:00.000Z',
    'at run (file:///srv/sluice/src/submit/run-site.ts:12:34)',
    'key abcd… is not at https://example.com/abcd….txt',
    '采集完成：共 12 条，失败 0 条。cookie：xhs-1 冷却中',
  ])('leaves %j as it is', (harmless) => expect(redactText(harmless)).toBe(harmless))

  it('leaves ordinary words and numbers alone', () => {
    const words = fc.array(fc.stringMatching(/^[A-Za-z0-9.,()_-]{1,12}$/), { maxLength: 20 })
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.filter((part) => !/^bearer$/i.test(part)).join(' ')
        expect(redactText(text)).toBe(text)
      }),
    )
  })

  it.each([
    'a.',
    'a:',
    'a://',
    'a://b@',
    '?a=',
    '&',
    'cookie',
    'cookie:',
    'token=',
    'token="',
    '\\',
    '\\"',
    "it's",
  ])('takes no time out of proportion on %j a hundred thousand times', (piece) => {
    const began = performance.now()
    redactText(piece.repeat(100_000 / piece.length))
    expect(performance.now() - began).toBeLessThan(1_500)
  })
})

/** JSON of everything a reader of the log could see. */
const seen = (value: unknown) => JSON.stringify(redactValue(value)) ?? ''

describe('redactValue', () => {
  it.each([
    ['a field of a secret name', { user: { bingApiKey: CANARY } }],
    ['a header', { headers: { Authorization: CANARY, 'Set-Cookie': `x=${CANARY}` } }],
    ['a Headers object', new Headers({ cookie: `a=${CANARY}`, authorization: CANARY })],
    ['the Headers of a library', new OtherHeaders().set('cookie', `a=${CANARY}`)],
    ['a list under a secret name', { cookie: [CANARY, { deep: CANARY }] }],
    ['a number under a secret name', { app_secret: 1234567890123456 }],
    [
      'a Map',
      new Map<unknown, unknown>([
        ['adminToken', CANARY],
        [1, `web_session=${CANARY}`],
      ]),
    ],
    ['a Set', new Set([`token=${CANARY}`])],
    ['a Secret', { key: new Secret(CANARY), list: [new Secret(CANARY)] }],
    ['a URL', new URL(`https://u:${CANARY}@a.example/?k=${CANARY}#${CANARY}`)],
    ['URLSearchParams', new URLSearchParams({ k: CANARY })],
    ['bytes', { body: new TextEncoder().encode(CANARY) }],
    ['an error', new Error(`GET https://a.example/?k=${CANARY}`)],
    ['a cause', new Error('failed', { cause: new Error('deeper', { cause: `token=${CANARY}` }) })],
    ['many errors', new AggregateError([new Error(`web_session=${CANARY}`)], 'all failed')],
    ['a field of an error', Object.assign(new Error('failed'), { path: `/x?key=${CANARY}` })],
    ['the name of a field', { [`https://a.example/?k=${CANARY}`]: 1 }],
    ['a function', { f: () => CANARY, s: Symbol(CANARY) }],
  ])('hides a secret in %s', (_, value) => {
    expect(seen(value)).not.toMatch(new RegExp(`${CANARY}|1234567890123456`))
  })

  it('hides a canary wherever it is in a tree of things', () => {
    const leaf = fc.tuple(carried, canaries).map(([carry, secret]) => carry(secret))
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'error', 'fields', 'cookie'), tie('tree')),
        fc.tuple(leaf, tie('tree')).map(([text, cause]) => new Error(text, { cause })),
        tie('tree').map((value) => new Map([['value', value]])),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(seen(value)).not.toContain('7c4n')
      }),
    )
  })

  it('keeps what is harmless, in its shape', () => {
    const harmless = {
      count: 3,
      ok: true,
      nothing: null,
      list: ['a', { b: 1.5 }],
      hasToken: true,
      token: null,
      password: '',
      encryption_key_id: 'k1',
      cookie_name: 'xhs-1',
      cookie_used: 'xhs-1',
    }
    expect(redactValue(harmless)).toEqual(harmless)
  })

  it('writes what JSON cannot', () => {
    const at = new Date('2025-01-15T00:00:00Z')
    expect(
      redactValue({
        big: 12n,
        at,
        never: new Date(Number.NaN),
        map: new Map([[1, 2]]),
        set: new Set([1]),
      }),
    ).toEqual({ big: '12', at: at.toISOString(), never: null, map: { 1: 2 }, set: [1] })
    expect(redactValue(new URL('https://a.example/x?y=1'))).toBe('https://a.example/x?…')
    expect(redactValue(new Uint8Array(3))).toBe('[3 bytes]')
    expect(redactValue([new Secret('x')])).toEqual([REDACTED])
    for (const headers of [new Headers(), new OtherHeaders()]) {
      headers.set('x-kind', 'a')
      headers.set('cookie', 'b')
      expect(redactValue(headers)).toEqual({ 'x-kind': 'a', cookie: REDACTED })
    }
  })

  it('tells of an error its name, message, code and causes', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const told = redactValue(new TypeError('fetch failed', { cause }))
    expect(told).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      stack: expect.stringContaining('redact.test.ts'),
      cause: { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
    })
    expect(redactValue(new AggregateError([cause], 'all failed'))).toMatchObject({
      message: 'all failed',
      errors: [{ code: 'ECONNREFUSED' }],
    })
  })

  it('ends on a circle, but shows one thing in two places twice', () => {
    const shared = { a: 1 }
    const circle: Record<string, unknown> = { one: shared, two: shared }
    circle['self'] = circle
    expect(redactValue(circle)).toEqual({ one: { a: 1 }, two: { a: 1 }, self: '[circular]' })
  })

  it('ends in a pit', () => {
    let deep: unknown = 'bottom'
    for (let i = 0; i < 100_000; i++) deep = { deep }
    expect(seen(deep)).toContain('[deeper]')
  })
})

describe('printableUrl', () => {
  it.each([
    ['https://a.example/x?k=v#f', 'https://a.example/x?…'],
    ['https://a.example/x#f', 'https://a.example/x'],
    ['https://u:p@a.example:8443/', 'https://a.example:8443/'],
    ['https://hooks.slack.com/services/T0/B0/x', 'https://hooks.slack.com/services/***REDACTED***'],
    ['postgres://u:p@db.example/sluice', 'postgres://db.example/sluice'],
    ['data:text/plain,secret', 'data:…'],
    ['javascript:secret()', 'javascript:…'],
    ['not a url?k=v', '[not a URL]'],
  ])('shows %s as %s', (url, shown) => {
    expect(printableUrl(url)).toBe(shown)
    expect(redactText(shown)).toBe(shown)
  })
})
