import { describeUnsealFailure } from '../core/seal.ts'
import { openFields, sealSettings, storedFields } from './sealed-settings.ts'
import { readSettings, SECRET_FIELDS } from './site-settings.ts'
import type { SitesOptions } from './sites.ts'

export interface ResealedSites {
  readonly resealed: number
  /** Did not open, or was changed by others again and again. */
  readonly stuck: readonly { readonly name: string; readonly reason: string }[]
}

/** Who else changes a site does so rarely. */
const ATTEMPTS = 3

/** Seals the secrets of every site anew that were not sealed with the current key. */
export async function resealSites(options: SitesOptions): Promise<ResealedSites> {
  const stuck: ResealedSites['stuck'][number][] = []
  let resealed = 0
  for (const { id } of await options.sites.list()) {
    const outcome = await resealSite(options, id)
    if (outcome === 'resealed') resealed++
    else if (outcome !== 'current') stuck.push({ name: `site ${id}`, reason: outcome.reason })
  }
  return { resealed, stuck }
}

async function resealSite(
  { sites, sealer }: SitesOptions,
  id: string,
): Promise<'resealed' | 'current' | { readonly reason: string }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const record = await sites.get(id)
    if (!record) return 'current'
    const stored = storedFields(record)
    const isOld = SECRET_FIELDS.some((field) => {
      const sealed = stored[field]
      return typeof sealed === 'string' && sealer.keyIdOf(sealed) !== sealer.keyId
    })
    if (!isOld) return 'current'
    const { fields, stuck } = await openFields(record, sealer)
    const [first] = stuck
    if (first) return { reason: describeUnsealFailure(first.why) }
    const read = readSettings(fields)
    if (!read.ok) return { reason: read.failure.problems.join(' ') }
    const settings = await sealSettings(id, read.value, sealer)
    if ((await sites.replace(record, settings)).ok) return 'resealed'
  }
  return { reason: 'It was changed by somebody else at the same time. Try again.' }
}
