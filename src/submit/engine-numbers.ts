import type { Site } from './site.ts'
import type { SiteLedger } from './site-ledger.ts'
import { BING_ENGINE } from './site-run.ts'

/** The site's engines by name, with their numbers in its ledger. */
export type EngineNumbers = ReadonlyMap<string, number>

/** Engines that were never seen before get a number now. */
export async function numberEngines(site: Site, ledger: SiteLedger): Promise<EngineNumbers> {
  const own = [...site.searchEngines, ...(site.bing ? [BING_ENGINE] : [])]
  const names = await ledger.numberEngines(own)
  return new Map(names.map((name, number) => [name, number]))
}

export function numberOf(engine: string, engines: EngineNumbers): number {
  const number = engines.get(engine)
  if (number === undefined) throw new Error(`the ledger has no number for ${engine}`)
  return number
}
