import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DamagedLedger } from '../../../src/core/ledger/damaged-ledger.ts'
import { packUrls, unpackUrls } from '../../../src/core/ledger/url-list.ts'

it('gives back any strings without line breaks, in order', async () => {
  const line = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary' }),
    // Halves of surrogate pairs, byte order marks, the escape itself.
    fc
      .array(fc.constantFrom('\ud800', '\udc00', '\ufeff', '\0', '"', '\\', '\r', 'é', '中'))
      .map((c) => c.join('')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line.map((text) => text.replaceAll('\n', ''))), async (urls) => {
      expect(await unpackUrls(await packUrls(urls))).toEqual(urls)
    }),
  )
})

it('keeps a byte order mark, which is a part of the URL', async () => {
  expect(await unpackUrls(await packUrls(['\ufeffhttps://example.com/']))).toEqual([
    '\ufeffhttps://example.com/',
  ])
})

it('tells an empty list from a list of nothing', async () => {
  expect(await unpackUrls(await packUrls([]))).toEqual([])
  expect(await unpackUrls(await packUrls(['']))).toEqual([''])
})

it('is small, also for more URLs than one chunk holds', async () => {
  const urls = Array.from(
    { length: 2_500 },
    (_, n) => `https://example.com/catalogue/article-${n}.html`,
  )
  const packed = await packUrls(urls)
  expect(packed.length / urls.length).toBeLessThan(6)
  expect(await unpackUrls(packed)).toEqual(urls)
})

it('refuses a line break, and bytes that are no list', async () => {
  await expect(packUrls(['https://example.com/\n'])).rejects.toThrow(TypeError)
  const packed = await packUrls(['https://example.com/'])
  await expect(unpackUrls(packed.slice(0, -3))).rejects.toThrow(DamagedLedger)
  await expect(unpackUrls(new Uint8Array([7, 7, 7]))).rejects.toThrow(DamagedLedger)
})
