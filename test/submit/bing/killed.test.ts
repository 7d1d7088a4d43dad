import { describe, expect } from 'vitest'
import type { HttpClient } from '../../../src/core/http.ts'
import type { QuotaStore } from '../../../src/stores/quota-store.ts'
import { scenario } from '../../support/scenario.ts'
import { bingError } from '../../support/stand-ins/bing.ts'
import { beginBing, pages, SITE } from './support.ts'

class Killed extends Error {}

/** Dies at the `step`th thing that touches the outside: half of the steps before it is done, half after. */
function mortal(step: number) {
  let left = step
  const die = () => {
    if (--left === 0) throw new Killed()
  }
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    die()
    const result = await work()
    die()
    return result
  }
  return {
    http: (http: HttpClient): HttpClient => ({
      send: (request) => around(() => http.send(request)),
    }),
    settle: () => around(async () => undefined),
    store: (store: QuotaStore): QuotaStore => ({
      ...store,
      spend: (...ask) => around(() => store.spend(...ask)),
      giveBack: (...ask) => around(() => store.giveBack(...ask)),
      close: (...ask) => around(() => store.close(...ask)),
    }),
  }
}

describe('a run that is killed', () => {
  scenario('B04', 'has never counted less than Bing, wherever it dies', async () => {
    let deaths = 0
    for (let step = 1; ; step++) {
      const world = await beginBing({
        sites: [{ url: SITE, dailyQuota: 130 }],
        badUrls: new Set([`${SITE}/page-5`]),
      })
      world.bing.script({}, {}, bingError(8, 'ERROR!!! InvalidParameter'))
      const death = mortal(step)

      const run = world.submit({
        urls: pages(250),
        dailyQuota: 250,
        http: death.http,
        settle: death.settle,
        store: death.store(world.quota),
      })
      const end = await run.catch((error: unknown) => error)

      expect((await world.used()).used).toBeGreaterThanOrEqual(world.bing.used(SITE))
      if (!(end instanceof Killed)) {
        expect(end).toMatchObject({ report: { stopped: 'quota' } })
        break
      }
      deaths++
    }
    expect(deaths).toBeGreaterThan(20)
  })
})
