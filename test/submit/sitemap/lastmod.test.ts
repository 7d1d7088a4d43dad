import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dateSeconds, lastmodSeconds } from '../../../src/submit/sitemap/lastmod.ts'
import { bytesOf } from './scan-document.ts'

const secondsOf = (text: string) => {
  const { buffer, byteLength } = Uint8Array.from(bytesOf(text))
  return lastmodSeconds(new DataView(buffer), 0, byteLength)
}

it.each([
  ['2024', '2024-01-01T00:00:00Z'],
  ['2024-05', '2024-05-01T00:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2024-05-06T07:08Z', '2024-05-06T07:08:00Z'],
  ['2024-05-06T07:08+02:00', '2024-05-06T05:08:00Z'],
  ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09Z'],
  ['2024-05-06T07:08:09-05:30', '2024-05-06T12:38:09Z'],
  ['2024-05-06T07:08:09.123456+00:00', '2024-05-06T07:08:09Z'],
  ['2024-05-06T07:08:09.9Z', '2024-05-06T07:08:09Z'],
  // Not the W3C's, but meant in one way only.
  ['2024-05-06T07:08:09', '2024-05-06T07:08:09Z'],
  ['2024-05-06 07:08:09', '2024-05-06T07:08:09Z'],
  ['2024-05-06T07:08:09+0200', '2024-05-06T05:08:09Z'],
  ['2024-05-06T07:08:09+02', '2024-05-06T05:08:09Z'],
  ['2024-05-06t07:08:09z', '2024-05-06T07:08:09Z'],
])('%s is %s', (text, meant) => {
  expect(secondsOf(text)).toBe(Date.parse(meant) / 1_000)
})

it.each([
  '',
  '2',
  '24',
  '202',
  '2024-',
  '2024-1',
  '2024-1-1',
  '2024-00-10',
  '2024-13-10',
  '2024-01-00',
  '2024-01-32',
  '2023-02-29',
  '2100-02-29',
  '2024-04-31',
  '2024/05/06',
  '20240506',
  '2024-05-06T',
  '2024-05-06T07',
  '2024-05-06T0708',
  '2024-05-06T24:00:00Z',
  '2024-05-06T07:60:00Z',
  '2024-05-06T07:08:60Z',
  '2024-05-06T07:08:09ZZ',
  '2024-05-06T07:08:09+',
  '2024-05-06T07:08:09+2:00',
  '2024-05-06T07:08:09+02:0',
  '2024-05-06T07:08:09+15:00',
  '2024-05-06T07:08:09 +02:00',
  '2024-05-06x07:08:09',
  '1969-12-31',
  '1970-01-01',
  '2107-01-01',
  '9999-12-31',
  '0000-00-00',
  'today',
  '١٩٩٩-01-01',
])('%j is no date', (text) => {
  expect(secondsOf(text)).toBe(0)
  expect(dateSeconds(text)).toBe(0)
})

it('agrees with Date on every day there is', () => {
  for (let day = 1; day < 49_000; day++) {
    const text = new Date(day * 86_400_000).toISOString()
    expect(secondsOf(text.slice(0, 10))).toBe(day * 86_400)
  }
})

it('agrees with Date on every second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 0xffff_ffff }), (seconds) => {
      expect(secondsOf(new Date(seconds * 1_000).toISOString())).toBe(seconds)
    }),
  )
})

it.each([
  ['Mon, 15 Jan 2024 10:00:00 +0100', '2024-01-15T09:00:00Z'],
  ['15 Jan 2024 10:00 GMT', '2024-01-15T10:00:00Z'],
  ['Monday, 15 January 2024 10:00:00 EST', '2024-01-15T15:00:00Z'],
  ['Mon, 15 Jan 2024 10:00:00', '2024-01-15T10:00:00Z'],
  ['2024-01-15T10:00:00Z', '2024-01-15T10:00:00Z'],
])('a feed writes %s and means %s', (text, meant) => {
  expect(dateSeconds(text)).toBe(Date.parse(meant) / 1_000)
})

it.each([
  'Mon, 99 Jan 2024 10:00:00 GMT',
  'Mon Jan 15 2024',
  '15 Smarch 2024 10:00:00 GMT',
  `2024-01-01${' '.repeat(99)}`,
])('a feed writes %j and means no date', (text) => {
  expect(dateSeconds(text)).toBe(0)
})
