import { describe, expect, it } from 'vitest'
import { hashesOf } from '../../src/submit/settle-outcomes.ts'
import { openUrlTally } from '../../src/submit/url-tally.ts'
import { scenario } from '../support/scenario.ts'

const urls = (from: number, to: number) =>
  hashesOf(Array.from({ length: to - from }, (_, n) => `https://example.com/${from + n}`))

describe("a run's numbers over all engines", () => {
  scenario('R04', 'a URL that several engines accept is submitted once', () => {
    const tally = openUrlTally(2)
    tally.settled(urls(0, 1_000), true)
    tally.settled(urls(500, 1_500), true)

    expect(tally.submitted()).toBe(1_500)
    expect(tally.failed()).toBe(0)
  })

  scenario('R04', 'a URL that one engine takes and another refuses counts in both', () => {
    const tally = openUrlTally(2)
    tally.settled(urls(0, 10), true)
    tally.settled(urls(0, 10), false)
    tally.settled(urls(5, 15), false)
    tally.settled(urls(0, 10), true)

    expect([tally.submitted(), tally.failed()]).toEqual([10, 15])
  })

  it('tells URLs apart by both halves of their hash', () => {
    const tally = openUrlTally(2)
    tally.settled(
      Uint32Array.of(1, 0x8000_0000, 2, 0x8000_0000, 1, 0, 0xffff_ffff, 0xffff_ffff),
      true,
    )

    expect(tally.submitted()).toBe(4)
  })

  it('simply adds up where there is only one engine', () => {
    const tally = openUrlTally(1)

    tally.settled(hashesOf(['https://example.com/a', 'https://example.com/b']), true)
    tally.settled(hashesOf(['https://example.com/c']), false)

    expect([tally.submitted(), tally.failed()]).toEqual([2, 1])
  })
})
