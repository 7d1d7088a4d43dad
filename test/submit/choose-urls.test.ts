import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Random } from '../../src/core/random.ts'
import { chooseUrls } from '../../src/submit/choose-urls.ts'
import type { BingPriority } from '../../src/submit/site.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'

interface Page {
  readonly url: string
  /** Seconds; 0 for none. */
  readonly lastmod: number
  readonly failed?: boolean
}

function choose(
  pages: readonly Page[],
  { priority, limit, random = countingRandom() }: Choice,
): string[] {
  const choice = chooseUrls({ priority, limit, random })
  for (const { url, lastmod, failed = false } of pages) choice.offer(url, lastmod, failed)
  expect(choice.offered()).toBe(pages.length)
  return choice.chosen()
}

interface Choice {
  readonly priority: BingPriority
  readonly limit: number
  readonly random?: Random
}

const dated = (count: number): Page[] =>
  Array.from({ length: count }, (_, n) => ({ url: `day-${n + 1}`, lastmod: n + 1 }))
const undated = (count: number): Page[] =>
  Array.from({ length: count }, (_, n) => ({ url: `undated-${n + 1}`, lastmod: 0 }))

/** Chance that falls as it is told to. */
function fallingAs(...fractions: readonly number[]): Random {
  const left = [...fractions]
  return { ...countingRandom(), fraction: () => left.shift() ?? 0 }
}

describe('more URLs than quota', () => {
  scenario('B06', 'newest: the latest lastmod goes first', () => {
    const pages = dated(5).toReversed().concat(dated(9).slice(5))

    const chosen = choose(pages, { priority: 'newest', limit: 3 })

    expect(chosen).toEqual(['day-9', 'day-8', 'day-7'])
  })

  scenario('B06', 'newest: those without a lastmod come last, and at random', () => {
    const pages = [...undated(3), ...dated(2)]

    const one = choose(pages, { priority: 'newest', limit: 4, random: fallingAs(0.1, 0.5, 0.9) })
    const other = choose(pages, { priority: 'newest', limit: 4, random: fallingAs(0.9, 0.1, 0.5) })

    expect(one).toEqual(['day-2', 'day-1', 'undated-3', 'undated-2'])
    expect(other).toEqual(['day-2', 'day-1', 'undated-1', 'undated-3'])
  })

  scenario('B06', 'random: chance alone decides, whatever the lastmod', () => {
    const random = fallingAs(0.2, 0.9, 0.4, 0.7)

    const chosen = choose(dated(4), { priority: 'random', limit: 2, random })

    expect(chosen).toEqual(['day-2', 'day-4'])
  })

  scenario('S12', 'those that failed before go first, the newest of them before the others', () => {
    const pages: Page[] = [
      ...dated(4),
      { url: 'failed-old', lastmod: 1, failed: true },
      { url: 'failed-new', lastmod: 2, failed: true },
      { url: 'failed-undated', lastmod: 0, failed: true },
    ]

    expect(choose(pages, { priority: 'newest', limit: 5 })).toEqual([
      'failed-new',
      'failed-old',
      'failed-undated',
      'day-4',
      'day-3',
    ])
    const chosen = choose(pages, { priority: 'random', limit: 3 })
    expect(chosen.every((url) => url.startsWith('failed'))).toBe(true)
  })

  it('takes all when the quota reaches, and none without one', () => {
    expect(choose(dated(3), { priority: 'newest', limit: 500 })).toEqual([
      'day-3',
      'day-2',
      'day-1',
    ])
    expect(choose([], { priority: 'newest', limit: 500 })).toEqual([])
    expect(choose(dated(3), { priority: 'newest', limit: 0 })).toEqual([])
  })

  it('chooses as a sort of all would, in whatever order they come by', () => {
    const pages = fc.array(
      fc.record({
        lastmod: fc.nat({ max: 20 }),
        failed: fc.boolean(),
        chance: fc.nat({ max: 99 }),
      }),
      { maxLength: 60 },
    )
    const limits = fc.integer({ min: 0, max: 15 })
    fc.assert(
      fc.property(pages, limits, fc.constantFrom('newest', 'random'), (told, limit, priority) => {
        const all = told.map((page, n) => ({
          ...page,
          url: `u${n}`,
          chance: page.chance + n / 1e3,
        }))
        const random = fallingAs(...all.map(({ chance }) => chance))
        const chosen = choose(all, { priority, limit, random })

        const age = ({ lastmod }: Page) => (priority === 'newest' ? lastmod : 0)
        const expected = all.toSorted(
          (a, b) => Number(b.failed) - Number(a.failed) || age(b) - age(a) || b.chance - a.chance,
        )
        expect(chosen).toEqual(expected.slice(0, limit).map(({ url }) => url))
      }),
    )
  })
})
