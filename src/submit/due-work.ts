import { BING_ENGINE } from '../stores/ledger-store.ts'
import { dueAtEngine } from './due-urls.ts'
import { type EngineNumbers, numberOf } from './engine-numbers.ts'
import type { SiteReading } from './read-site.ts'
import type { EngineWork } from './send-indexnow.ts'
import type { SiteRun } from './site-run.ts'

/** What the reading found to be due at each engine. */
export async function dueWork(
  { site, ledger }: SiteRun,
  engines: EngineNumbers,
): Promise<EngineWork[]> {
  return Promise.all(
    site.searchEngines.map(async (engine) => {
      const number = numberOf(engine, engines)
      return { engine, number, ...(await dueAtEngine(ledger, number)) }
    }),
  )
}

/** What was chosen of what is due at Bing. */
export function bingWork({ bing }: SiteReading, engines: EngineNumbers) {
  return { ...bing, number: numberOf(BING_ENGINE, engines) }
}

/** The site's IndexNow engines as bits. */
export function indexNowBits({ site }: SiteRun, engines: EngineNumbers): number {
  return site.searchEngines.reduce((bits, engine) => bits | (1 << numberOf(engine, engines)), 0)
}
