import type { Clock } from '../src/core/clock.ts'
import { type Bing, openBing } from '../test/support/stand-ins/bing.ts'
import {
  type IndexNowEngine,
  limitsRate,
  openIndexNowEngine,
} from '../test/support/stand-ins/indexnow-engine.ts'
import { answers, USUAL } from '../test/support/stand-ins/stand-in.ts'
import type { GeneratedSite } from './generated-site.ts'

export const BING_QUOTA = 250

/** Pages that the unfriendly engine will not have. */
const UNLOVED = [4_321, 7_777, 13_013]

export interface Engines {
  readonly friendly: IndexNowEngine
  /** Takes everything, but looks at the key file in its own time. */
  readonly careful: IndexNowEngine
  readonly unfriendly: IndexNowEngine
  readonly bing: Bing
  /** What a person calls them, by endpoint. */
  readonly names: ReadonlyMap<string, string>
  close(): Promise<void>
}

export async function openEngines(options: {
  readonly clock: Clock
  readonly site: GeneratedSite
  readonly bingKey: string
}): Promise<Engines> {
  const { clock, site, bingKey } = options
  const friendly = await openIndexNowEngine({ clock })
  const careful = await openIndexNowEngine({ clock, keyCheck: 'later' })
  const badUrls = new Map(UNLOVED.map((number) => [site.page(number), 422] as const))
  const unfriendly = await openIndexNowEngine({ clock, badUrls })
  unfriendly.script(limitsRate('2'), answers(503), answers(502), USUAL, limitsRate('1'))
  const bing = await openBing({
    clock,
    apiKey: bingKey,
    sites: [{ url: site.origin, dailyQuota: BING_QUOTA }],
  })
  return {
    friendly,
    careful,
    unfriendly,
    bing,
    names: new Map([
      [friendly.endpoint, 'Friendly'],
      [careful.endpoint, 'Careful'],
      [unfriendly.endpoint, 'Unfriendly'],
    ]),
    async close() {
      await Promise.all([friendly, careful, unfriendly, bing].map((each) => each.close()))
    },
  }
}
