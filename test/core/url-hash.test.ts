import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalUrl } from '../../src/core/canonical-url.ts'
import {
  hashesInText,
  hashPlainText,
  hashUrl,
  hashUrlBytes,
  plainOrigin,
  urlHashHex,
} from '../../src/core/url-hash.ts'

const utf8 = new TextEncoder()

describe('the hash of a URL', () => {
  // Every ledger is written with these: another value forgets them all.
  it.each([
    ['', '1c2a167e4a0e2144'],
    ['a', '5ac1c7e655efe300'],
    ['abc', '2dbce8cbfe97da61'],
    ['abcd', 'd519d534bf590385'],
    ['https://example.com/', '5b2794475238f71d'],
    ['https://example.com/a', '4be555fcb875865d'],
    ['https://example.com/b', '4ae3e40f52e2365b'],
    ['https://example.com/catalogue/section-7/article-123456.html?page=2', 'eff37fac6265ccd4'],
    ['https://example.com/café/中文', '7f20fef9fa1309af'],
  ])('of %j is %s for ever', (url, hex) => {
    expect(urlHashHex(url)).toBe(hex)
  })

  it('is the same for a string and for its bytes, wherever they lie', () => {
    const long = fc.nat(9_000).map((length) => 'a中'.repeat(length))
    const text = fc.oneof(fc.webUrl(), fc.string(), fc.string({ unit: 'binary' }), long)
    fc.assert(
      fc.property(text, fc.nat(5), fc.nat(5), (url, before, after) => {
        const bytes = utf8.encode(url)
        const room = new Uint8Array(before + bytes.length + after).fill(0x41)
        room.set(bytes, before)
        const out = new Uint32Array(4)

        hashUrl(url, out)
        hashUrlBytes(room, { out, at: 2, start: before, end: before + bytes.length })

        expect(out.slice(2)).toEqual(out.slice(0, 2))
      }),
    )
  })

  it('spreads URLs that differ in a digit evenly, and tells them all apart', () => {
    const count = 200_000
    const seen = new BigUint64Array(count)
    const halves = new Uint32Array(seen.buffer)
    const buckets = new Uint32Array(2 ** 12)
    for (let n = 0; n < count; n++) {
      hashUrl(`https://www.example.com/catalogue/article-${n}.html`, halves, n * 2)
      const bucket = (halves[n * 2] as number) >>> 20
      buckets[bucket] = (buckets[bucket] as number) + 1
    }

    seen.sort()
    const collisions = seen.filter((hash, n) => n > 0 && hash === seen[n - 1]).length
    const expected = count / buckets.length
    const chiSquare = buckets.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0)

    expect(collisions).toBe(0)
    // 4095 degrees of freedom: mean 4095, standard deviation 90. The ledger's search relies on evenness.
    expect(Math.abs(chiSquare - 4_095)).toBeLessThan(5 * 90)
  })
})

describe('the hash of a plain URL', () => {
  const ORIGIN = 'https://example.com/'
  const origins = ['http://example.com/', ORIGIN].map(plainOrigin)
  const halves = (write: (out: Uint32Array) => unknown) => {
    const out = new Uint32Array(2)
    write(out)
    return [...out]
  }

  it('is taken only of what is canonical already, and is then the same', () => {
    const alphabet = fc.constantFrom(
      ...'ab/.?=&%#A:~-_ \'"<[]{}|\\^`\u00e9\u4e2d\ud800\t'.split(''),
    )
    const path = fc.oneof(fc.string({ unit: alphabet }), fc.webPath(), fc.string())
    fc.assert(
      fc.property(path, (rest) => {
        const url = ORIGIN + rest
        const out = new Uint32Array(2)
        if (!hashPlainText(url, hashesInText(origins, out))) return

        expect(canonicalUrl(url)).toEqual({ ok: true, value: url })
        expect([...out]).toEqual(halves((plain) => hashUrl(url, plain)))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each(['', 'a', 'a/b.html', 'a.b/c', 'catalogue/7/article-1~x_y.html?page=2&q=(a+b)*,;!$@'])(
    'is taken of %j, wherever its words end',
    (rest) => {
      for (const more of ['', 'x', 'xy', 'xyz']) {
        expect(hashPlainText(ORIGIN + rest + more, hashesInText(origins, new Uint32Array(2)))).toBe(
          true,
        )
      }
    },
  )

  it.each(['.', './a', '../a', 'a/./b', 'a/..', 'a/.b', '%41', 'a#b', 'é', "it's", 'a b', 'a|b'])(
    'is not taken of %j, wherever its words end',
    (rest) => {
      for (const before of ['', 'x/', 'xy/', 'xyz/']) {
        expect(
          hashPlainText(ORIGIN + before + rest, hashesInText(origins, new Uint32Array(2))),
        ).toBe(false)
      }
    },
  )

  it.each(['a.io', 'ab.io', 'abc.io', 'abcd.io'])(
    'is taken behind an origin of any length: %s',
    (host) => {
      const origin = `https://${host}/`
      const own = plainOrigin(origin)
      for (const rest of ['', 'x', 'xy', 'xyz/a.html', 'a/b/c']) {
        const out = new Uint32Array(2)
        expect(hashPlainText(origin + rest, hashesInText([own], out))).toBe(true)
        expect([...out]).toEqual(halves((plain) => hashUrl(origin + rest, plain)))
      }
      expect(hashPlainText(`${origin}.x`, hashesInText([own], new Uint32Array(2)))).toBe(false)
    },
  )

  it.each(['https://example.com', 'https://example.org/a', 'ftp://example.com/a', ''])(
    'is not taken of %j, of another origin',
    (url) => {
      hashPlainText('https://example.com/earlier', hashesInText(origins, new Uint32Array(2)))
      expect(hashPlainText(url, hashesInText(origins, new Uint32Array(2)))).toBe(false)
    },
  )

  it('is not taken of what is too long to be one', () => {
    expect(
      hashPlainText(ORIGIN + 'a'.repeat(9_000), hashesInText(origins, new Uint32Array(2))),
    ).toBe(false)
  })
})
