import { expect } from 'vitest'
import { unpackUrls } from '../../src/core/ledger/url-list.ts'
import { urlChunks } from '../../src/submit/url-chunks.ts'
import { scenario } from '../support/scenario.ts'

/** Of a Durable Object. */
const MOST_BYTES_OF_A_ROW = 2_000_000

/** The longest there may be, of letters without any order. */
function longUrls(count: number): string[] {
  let state = 42
  const letter = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return ((state >>> 8) % 36).toString(36)
  }
  return Array.from(
    { length: count },
    () => `https://example.com/${Array.from({ length: 2_028 }, letter).join('')}`,
  )
}

scenario(
  'X02',
  'URLs that do not pack into one row are parted, in order, and none is lost',
  async () => {
    const urls = longUrls(3_000)

    const chunks = await urlChunks('due:1:0', urls)

    expect(chunks.length).toBeGreaterThan(1)
    expect(Math.max(...chunks.map((chunk) => chunk.urls.length))).toBeLessThan(MOST_BYTES_OF_A_ROW)
    expect(chunks.every(({ list }) => list === 'due:1:0')).toBe(true)
    const unpacked = await Promise.all(chunks.map((chunk) => unpackUrls(chunk.urls)))
    expect(unpacked.flat()).toEqual(urls)
    expect(chunks.map(({ count }) => count)).toEqual(unpacked.map(({ length }) => length))
  },
)

scenario('S01', 'a few URLs are one chunk', async () => {
  expect(
    await urlChunks('vanished', ['https://example.com/1', 'https://example.com/2']),
  ).toMatchObject([{ list: 'vanished', count: 2 }])
})
