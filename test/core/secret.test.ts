import { format, inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalInConstantTime, REDACTED, Secret } from '../../src/core/secret.ts'
import { scenario } from '../support/scenario.ts'

describe('Secret', () => {
  it('prints as redacted however it is printed', () => {
    const key = new Secret('abcd1234efgh5678')
    const printed = [
      String(key),
      // oxlint-disable-next-line typescript/restrict-template-expressions -- somebody will
      `${key}`,
      JSON.stringify({ key }),
      inspect({ key }),
      inspect([[{ key }]], { depth: 9, showHidden: true }),
      format('%s %o %O %j', key, key, key, key),
      JSON.stringify(structuredClone({ key })),
      JSON.stringify(Object.assign({}, key)),
      Object.values(key).join(),
    ]
    for (const text of printed) expect(text).not.toMatch(/1234|abcd/)
    expect(String(key)).toBe(REDACTED)
  })

  it('shows itself only when asked', () => {
    expect(new Secret('abcd1234').reveal()).toBe('abcd1234')
  })

  scenario('S21', 'a key is never printed beyond its first 4 characters', () => {
    expect(new Secret('abcd1234efgh5678').hint()).toBe('abcd…')
    expect(new Secret('abcd12345').hint()).toBe('abcd…')
    expect(new Secret('abcd1234').hint()).toBe('…')
    expect(new Secret('').hint()).toBe('…')
  })
})

scenario('X03', 'tokens are compared whole, not up to the first difference', () => {
  expect(equalInConstantTime('token-1', 'token-1')).toBe(true)
  expect(equalInConstantTime('token-1', 'token-2')).toBe(false)
  expect(equalInConstantTime('token-1', 'token-11')).toBe(false)
  expect(equalInConstantTime('', '')).toBe(true)
  expect(equalInConstantTime('', 'x')).toBe(false)
})

it('finds strings equal exactly when they are', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 20 })
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      const sameBytes = Buffer.from(left).equals(Buffer.from(right))
      expect(equalInConstantTime(left, right)).toBe(sameBytes)
      expect(equalInConstantTime(left, left)).toBe(true)
    }),
  )
})
