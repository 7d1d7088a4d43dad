import { MAX_ENGINES } from '../core/ledger/due.ts'
import { BING_ENGINE } from '../stores/ledger-store.ts'
import type { Site } from './site.ts'
import type { SiteLedger } from './site-ledger.ts'

/** The site's engines by name, with their numbers in its ledger. */
export type EngineNumbers = ReadonlyMap<string, number>

/** A number is never given twice, so that a site can outgrow its ledger by changing engines over and over. */
export class TooManyEngines extends Error {
  override readonly name = 'TooManyEngines'

  constructor(siteId: string) {
    super(
      `${siteId} has had more than ${MAX_ENGINES} engines in its life, and its ledger has room for no more. ` +
        'Remove the site and add it again; with firstRun "baseline" nothing is submitted twice.',
    )
  }
}

/** Engines that were never seen before get a number now. */
export async function numberEngines(site: Site, ledger: SiteLedger): Promise<EngineNumbers> {
  const own = [...site.searchEngines, ...(site.bing ? [BING_ENGINE] : [])]
  const names = await ledger.numberEngines(own)
  if (names.length > MAX_ENGINES) throw new TooManyEngines(site.id)
  return new Map(names.map((name, number) => [name, number]))
}

export function numberOf(engine: string, engines: EngineNumbers): number {
  const number = engines.get(engine)
  if (number === undefined) throw new Error(`the ledger has no number for ${engine}`)
  return number
}
