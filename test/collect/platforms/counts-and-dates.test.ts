import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOf } from '../../../src/collect/platforms/counts.ts'
import { datedLine, readTime } from '../../../src/collect/platforms/dates.ts'
import { scenario } from '../../support/scenario.ts'

describe('a count', () => {
  it.each([
    ['1.2万', 12_000],
    ['3亿', 300_000_000],
    ['1.15亿', 115_000_000],
    ['10+', 10],
    ['10万+', 100_000],
    ['1,234', 1_234],
    ['12,345,678', 12_345_678],
    ['1.5k', 1_500],
    ['2.3w', 23_000],
    ['4M', 4_000_000],
    ['１２．３万＋', 123_000],
    ['0', 0],
    [' 7 ', 7],
    ['1.2 万', 12_000],
    ['赞', undefined],
    ['1,23', undefined],
    ['-5', undefined],
    ['1.2.3万', undefined],
    ['99999999999亿', undefined],
  ])('C21 — %s is %s, and keeps how it was written', (raw, value) => {
    expect(countOf(raw)).toEqual({ value, raw: raw.trim() })
  })

  it('is not there where nothing is written', () => {
    expect([
      countOf(''),
      countOf(' '),
      countOf(undefined),
      countOf({}),
      countOf(Number.NaN),
    ]).toEqual(Array.from({ length: 5 }))
    expect(countOf(1_234)).toEqual({ value: 1_234, raw: '1234' })
  })

  it('is a whole number or none, and short, whatever is written', () => {
    const pieces = fc.constantFrom('1', '9', ',', '.', '万', '亿', '+', ' ', 'k', '，', '１')
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(noise, (written) => {
        const count = countOf(written)
        expect(count?.raw.length ?? 0).toBeLessThanOrEqual(32)
        expect(Number.isSafeInteger(count?.value ?? 0)).toBe(true)
      }),
    )
    expect(countOf('1,'.repeat(1_000_000))?.value).toBeUndefined()
  })

  it('reads every number back that it could have written', () => {
    fc.assert(
      fc.property(fc.nat(), (number) => {
        expect(countOf(number.toLocaleString('en-US'))?.value).toBe(number)
        expect(countOf(`${number / 10}万`)?.value).toBe(number * 1_000)
      }),
    )
  })
})

describe('a date', () => {
  // Noon in Shanghai; there it is still the same day as in UTC.
  const now = Date.parse('2025-01-15T04:00:00Z')

  it.each([
    ['刚刚', '2025-01-15T04:00:00Z'],
    ['5分钟前', '2025-01-15T03:55:00Z'],
    ['3 小时前', '2025-01-15T01:00:00Z'],
    ['2天前 广东', '2025-01-13T04:00:00Z'],
    ['今天 08:05', '2025-01-15T00:05:00Z'],
    ['昨天 12:30', '2025-01-14T04:30:00Z'],
    ['昨天', '2025-01-13T16:00:00Z'],
    ['前天 00:10 上海', '2025-01-12T16:10:00Z'],
    ['01-10', '2025-01-09T16:00:00Z'],
    ['03-05', '2024-03-04T16:00:00Z'],
    ['03-05 18:00 北京', '2024-03-05T10:00:00Z'],
    ['02-29', '2024-02-28T16:00:00Z'],
    ['2023-03-05', '2023-03-04T16:00:00Z'],
    ['2023年3月5日 9:07', '2023-03-05T01:07:00Z'],
    ['3月5日', '2024-03-04T16:00:00Z'],
    ['2023-03-05T09:07:08Z', '2023-03-05T09:07:08Z'],
    ['2023-03-05T09:07:08+02:00', '2023-03-05T07:07:08Z'],
    ['2023-03-05 09:07:08', '2023-03-05T01:07:08Z'],
    ['Tue Feb 23 12:28:47 +0800 2021', '2021-02-23T04:28:47Z'],
    ['Sun, 06 Nov 2022 08:49:37 GMT', '2022-11-06T08:49:37Z'],
    ['6 Nov 2022 08:49', '2022-11-06T08:49:00Z'],
    ['1700000000', '2023-11-14T22:13:20Z'],
    ['1700000000000', '2023-11-14T22:13:20Z'],
  ])('C21 — %s is %s', (written, at) => {
    expect(readTime(written, now)).toBe(Date.parse(at))
  })

  it.each(['', '02-30', '2023-13-01', '昨天 25:00', 'soon', '9999-01-01', '编辑于', '1.5'])(
    'is none: %j',
    (written) => expect(readTime(written, now)).toBeUndefined(),
  )

  scenario('C21', 'an edited note says so, in the day of Shanghai', () => {
    // Half past midnight in Shanghai: yesterday there is still the day before yesterday in UTC.
    const night = Date.parse('2025-01-14T16:30:00Z')

    expect(datedLine('编辑于 昨天 12:30 广东', night)).toEqual({
      at: Date.parse('2025-01-14T04:30:00Z'),
      isEdit: true,
    })
    expect(datedLine('发布于 01-14', night)).toEqual({
      at: Date.parse('2025-01-13T16:00:00Z'),
      isEdit: false,
    })
  })

  it('is a time or none, whatever is written', () => {
    const pieces = fc.constantFrom(
      '昨天',
      '编辑于',
      '0',
      '12',
      '-',
      ':',
      '年',
      '月',
      ' ',
      'T',
      'Z',
      '前',
      '分钟',
      '+0800',
    )
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(noise, (written) => {
        const at = readTime(written, now) ?? now
        expect(new Date(at).toISOString()).toMatch(/^[12]\d{3}-/)
      }),
    )
  })
})
