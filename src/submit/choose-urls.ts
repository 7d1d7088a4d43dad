import type { Random } from '../core/random.ts'
import type { BingPriority } from './site.ts'

export interface UrlChoice {
  /** Offers a URL that is due; `lastmod` in seconds, 0 for none. */
  offer(url: string, lastmod: number, failedBefore: boolean): void
  /** How many were offered. */
  offered(): number
  /** The best `limit` of them, in the order to be sent. */
  chosen(): string[]
  /** To go on with in another invocation. */
  saved(): SavedChoice
}

export interface SavedChoice {
  readonly offered: number
  readonly kept: readonly Offer[]
}

interface Offer {
  readonly url: string
  /** Greater goes first. Chance decides between equals, so no URL is passed over for ever. */
  readonly rank: readonly [failedBefore: number, lastmod: number, chance: number]
}

/**
 * SPEC B06: chooses as the URLs come by, holding no more than twice what can be sent.
 * Failed ones first; then `newest` by lastmod, those without one last and at random; or all at `random`.
 */
export function chooseUrls(options: {
  readonly priority: BingPriority
  readonly limit: number
  readonly random: Random
  readonly saved?: SavedChoice | undefined
}): UrlChoice {
  const { priority, limit, random, saved } = options
  let kept: Offer[] = [...(saved?.kept ?? [])]
  let offered = saved?.offered ?? 0
  const keepBest = () => {
    kept = kept.sort(byRank).slice(0, limit)
  }
  return {
    offer(url, lastmod, failedBefore) {
      offered++
      const age = priority === 'newest' ? lastmod : 0
      kept.push({ url, rank: [failedBefore ? 1 : 0, age, random.fraction()] })
      if (kept.length >= 2 * limit) keepBest()
    },
    offered: () => offered,
    chosen() {
      keepBest()
      return kept.map(({ url }) => url)
    },
    saved() {
      keepBest()
      return { offered, kept }
    },
  }
}

function byRank({ rank: a }: Offer, { rank: b }: Offer): number {
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2]
}
