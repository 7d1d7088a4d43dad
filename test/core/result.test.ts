import { expect, it } from 'vitest'
import { fail, ok, type Result } from '../../src/core/result.ts'

it('is told apart by ok', () => {
  const parse = (text: string): Result<number, 'not-a-number'> =>
    /^\d+$/.test(text) ? ok(Number(text)) : fail('not-a-number')

  expect(parse('12')).toEqual({ ok: true, value: 12 })
  expect(parse('twelve')).toEqual({ ok: false, failure: 'not-a-number' })
})
