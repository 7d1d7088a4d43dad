import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalUrl, MAX_URL_LENGTH } from '../../src/core/canonical-url.ts'
import { fail, ok } from '../../src/core/result.ts'

describe('canonicalUrl', () => {
  it.each([
    ['scheme and host in capitals', 'HTTPS://Example.COM/A', 'https://example.com/A'],
    ['no path', 'https://example.com', 'https://example.com/'],
    ['a default port', 'https://example.com:443/', 'https://example.com/'],
    ['another port', 'http://example.com:8080/', 'http://example.com:8080/'],
    ['dot segments', 'https://example.com/a/./b/../c', 'https://example.com/a/c'],
    ['dot segments, escaped', 'https://example.com/a/%2E%2e/c', 'https://example.com/c'],
    ['a fragment', 'https://example.com/a?b=1#c', 'https://example.com/a?b=1'],
    ['white space around', ' \n https://example.com/a \t', 'https://example.com/a'],
    ['a needless escape', 'https://example.com/%7Euser/%61', 'https://example.com/~user/a'],
    ['a needed escape', 'https://example.com/a%2fb', 'https://example.com/a%2Fb'],
    ['a lone %', 'https://example.com/100%', 'https://example.com/100%25'],
    ['an escaped escape', 'https://example.com/%2541', 'https://example.com/%2541'],
    ['an escape in the making', 'https://example.com/%%341', 'https://example.com/%2541'],
    ['non-ASCII', 'https://example.com/日本', 'https://example.com/%E6%97%A5%E6%9C%AC'],
    ['a name beyond ASCII', 'https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['a space', 'https://example.com/a b', 'https://example.com/a%20b'],
    ['a bent address', 'http://0x7f.1/', 'http://127.0.0.1/'],
    ['double hyphens', 'https://a--b.example.com/c--d', 'https://a--b.example.com/c--d'],
  ])('makes %s one with its plain spelling', (_, written, canonical) =>
    expect(canonicalUrl(written)).toEqual(ok(canonical)),
  )

  it('keeps apart what may be two pages', () => {
    const pages = ['/a', '/a/', '/A', '/a?', '/a?b', '/a?b=1&c=2', '/a?c=2&b=1', '/a%2Fb', '/a/b']
    const urls = pages.map((page) => canonicalUrl(`https://example.com${page}`))
    expect(new Set(urls.map((url) => url.ok && url.value)).size).toBe(pages.length)
  })

  it.each([
    ['', 'not-a-url'],
    ['/relative', 'not-a-url'],
    ['https://', 'not-a-url'],
    ['https://exa mple.com/', 'not-a-url'],
    ['https://1.2.3.256/', 'not-a-url'],
    ['ftp://example.com/', 'not-http'],
    ['mailto:a@example.com', 'not-http'],
    ['javascript:alert(1)', 'not-http'],
    ['https://user@example.com/', 'has-credentials'],
    ['https://user:pass@example.com/', 'has-credentials'],
  ])('refuses %j: %s', (text, problem) => expect(canonicalUrl(text)).toEqual(fail(problem)))

  it('refuses what is too long, also when only its canonical form is', () => {
    const base = 'https://example.com/'
    const longest = base + 'a'.repeat(MAX_URL_LENGTH - base.length)
    expect(canonicalUrl(longest)).toEqual(ok(longest))
    expect(canonicalUrl(`${longest}a`)).toEqual(fail('too-long'))
    expect(canonicalUrl(base + '日'.repeat(500))).toEqual(fail('too-long'))
  })
})

/** The same rule told another way, without a short cut: parse, then write each part anew. */
function slowly(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined
  const { protocol, username, password, host, href } = new URL(text)
  if (!/^https?:$/.test(protocol) || username || password) return undefined
  const rest = href.slice(`${protocol}//${host}`.length).split('#')[0] ?? ''
  let canonical = `${protocol}//${host}`
  for (let i = 0; i < rest.length; i++) {
    const digits = rest.slice(i + 1, i + 3)
    if (rest[i] !== '%') canonical += rest[i]
    else if (!/^[0-9a-f]{2}$/i.test(digits)) canonical += '%25'
    else {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      canonical += /[A-Za-z0-9._~-]/.test(character) ? character : `%${digits.toUpperCase()}`
      i += 2
    }
  }
  return canonical.length > MAX_URL_LENGTH ? undefined : canonical
}

// Pieces of which real and broken addresses are made; joined at random they come close to every rule.
const PIECES = [
  'http https HTTPS ftp :// : // / /. /.. /%2e . .. ? # % %4 %41 %2F %2f %7e %zz & = + ~ ! $',
  '\' ( ) * , ; @ [ ] | ^ ` { } \\ " - -- xn-- _ a Z 0 0x7f 127.0.0.1 1 example com co.uk',
  '日本 é \u00ad \u200b 。 :80 :443 :8080 user:pass@ localhost \ud800',
].flatMap((line) => line.split(' '))
const pieces = fc.constantFrom(...PIECES, ' ', '\t', '\n')
const labels = fc.stringMatching(/^[a-z0-9-]{1,12}$/)
const plausible = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.array(labels, { minLength: 1, maxLength: 4 }),
    fc.array(fc.oneof(fc.stringMatching(/^[\w.~!$&()*+,;=:@%-]{0,10}$/), pieces), { maxLength: 6 }),
    fc.option(fc.stringMatching(/^[\w.~!$&()*+,;=:@%/?'-]{0,20}$/)),
  )
  .map(([scheme, host, path, query]) => {
    const address = `${scheme}://${host.join('.')}/${path.join('/')}`
    return query === null ? address : `${address}?${query}`
  })
const anyUrl = fc.oneof(
  plausible,
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 10 }).map((parts) => `https://example.com/${parts.join('')}`),
  fc.array(pieces, { maxLength: 6 }).map((parts) => `https://${parts.join('')}.com/`),
)

describe('the short cut', () => {
  it('never differs from parsing', () => {
    fc.assert(
      fc.property(anyUrl, (text) => {
        const canonical = canonicalUrl(text)
        expect(canonical.ok ? canonical.value : undefined).toBe(slowly(text))
      }),
      { numRuns: 20_000 },
    )
  })

  it('never differs from parsing on any single character, anywhere', () => {
    for (let code = 0; code < 0x180; code++) {
      const c = String.fromCharCode(code)
      for (const text of [
        `https://www.example.com/a${c}b?c=d`,
        `https://www.example.com/${c}`,
        `https://www.example.com/a?b${c}c`,
        `https://www.exam${c}ple.com/`,
        `https://www.${c}.com/`,
        `https://www.example.com${c}/`,
        `${c}https://www.example.com/`,
        `https://www.example.com/a?b${c}`,
      ]) {
        const canonical = canonicalUrl(text)
        expect([text, canonical.ok ? canonical.value : undefined]).toEqual([text, slowly(text)])
      }
    }
  })
})

it('is the canonical URL of itself, in ASCII', () => {
  fc.assert(
    fc.property(anyUrl, (text) => {
      const once = canonicalUrl(text)
      if (!once.ok) return
      expect(canonicalUrl(once.value)).toEqual(once)
      expect(once.value).toMatch(/^[\x21-\x7e]+$/)
      expect(new URL(once.value).host).toBe(new URL(text).host)
    }),
    { numRuns: 20_000 },
  )
})

it('takes no time out of proportion on a hostile URL', () => {
  const hostile = [
    'https://' + 'a'.repeat(2_000),
    'https://' + 'a.'.repeat(1_000),
    'https://' + 'a-'.repeat(1_000),
  ]
  const began = performance.now()
  for (let round = 0; round < 200; round++) hostile.forEach((text) => canonicalUrl(text))
  expect(performance.now() - began).toBeLessThan(2_000)
})
