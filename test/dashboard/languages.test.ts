import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/dashboard/language.ts'
import { EN } from '../../src/dashboard/words/en.ts'
import { ZH } from '../../src/dashboard/words/zh.ts'
import { scenario } from '../support/scenario.ts'
import { openWorld } from '../support/world.ts'
import { ADMIN, openPages, textOf } from './support.ts'

describe('languages', () => {
  scenario(
    'X06',
    'both dictionaries have the same entries, and no Chinese one is still English',
    () => {
      const entries = (words: object, before = ''): string[] =>
        Object.entries(words).flatMap(([name, value]) =>
          typeof value === 'object' ? entries(value, `${before}${name}.`) : [`${before}${name}`],
        )
      const names = (words: object) => entries(words).toSorted((a, b) => a.localeCompare(b))

      const untranslated = Object.entries(ZH).filter(
        ([name, value]) =>
          typeof value === 'string' &&
          value === EN[name as keyof typeof EN] &&
          !/^[A-Z]/.test(value),
      )

      expect(names(ZH)).toEqual(names(EN))
      expect(untranslated).toEqual([])
    },
  )

  scenario('X06', "a page speaks the browser's language, until another is chosen", async () => {
    const visitor = await openPages(await openWorld()).loggedIn(ADMIN)
    const chinese = { 'accept-language': 'zh-TW,zh;q=0.9,en;q=0.8' }

    const asked = await textOf(visitor.get('/', chinese))
    const other = await textOf(visitor.get('/', { 'accept-language': 'fr, en;q=0.5, zh;q=0.1' }))
    const chosen = await visitor.get('/alerts?lang=en', chinese)
    const after = await textOf(visitor.get('/', chinese))

    expect(asked).toContain('<html lang="zh-CN">')
    expect(asked).toContain(ZH.noSites)
    expect(other).toContain(EN.noSites)
    expect(chosen.headers.get('location')).toBe('/alerts')
    expect(after).toContain(EN.noSites)
  })

  it('numbers, times and durations are written as the language does', () => {
    const { en, zh } = LANGUAGES
    const midnight = Date.parse('2026-11-16T00:00:00Z')

    expect([en.number(12_345), en.percent(0.9999), en.time(midnight)]).toEqual([
      '12,345',
      '99.9%',
      '16 Nov 2026, 00:00 UTC',
    ])
    expect([zh.time(midnight), zh.duration(7_500_000)]).toEqual([
      '2026年11月16日 00:00 UTC',
      '2小时 5分钟',
    ])
    expect([en.duration(950), en.duration(65_000), en.duration(0)]).toEqual(['1s', '1m 5s', '0s'])
  })
})
