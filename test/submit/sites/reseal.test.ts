import { describe, expect } from 'vitest'
import { type MasterKey, openSealer } from '../../../src/core/seal.ts'
import { Secret } from '../../../src/core/secret.ts'
import { resealSites } from '../../../src/submit/reseal.ts'
import { createSite, getSite, type SitesOptions } from '../../../src/submit/sites.ts'
import { countingRandom } from '../../support/counting-random.ts'
import { scenario } from '../../support/scenario.ts'
import { BING_KEY, KEY, MINIMAL, openSites, WEBHOOK } from './support.ts'

const OLD = { keyId: 'k1', masterKey: new Secret('a-master-key-of-some-length') }
const NEW = { keyId: 'k2', masterKey: new Secret('another-key-of-some-length') }

const withKeys = (options: SitesOptions, current: MasterKey, ...oldKeys: readonly MasterKey[]) => ({
  ...options,
  sealer: openSealer({ ...current, oldKeys, random: countingRandom() }),
})

async function openSealedSites() {
  const { options, stores } = await openSites()
  const secrets = { bingEnabled: true, bingApiKey: BING_KEY, webhookUrl: WEBHOOK }
  await createSite(options, { ...MINIMAL, ...secrets })
  await createSite(options, { ...MINIMAL, id: 'plain' })
  return { options, stores }
}

describe('the secrets of sites, when the master key changes', () => {
  scenario('C07', 'are sealed anew, and then need the new key alone', async () => {
    const { options } = await openSealedSites()

    const first = await resealSites(withKeys(options, NEW, OLD))
    const again = await resealSites(withKeys(options, NEW, OLD))
    const site = await getSite(withKeys(options, NEW), 'example.com')

    expect(first).toEqual({ resealed: 2, stuck: [] })
    expect(again).toEqual({ resealed: 0, stuck: [] })
    if (!site.ok) throw new Error(JSON.stringify(site.failure))
    const { apiKey, bing, webhookUrl } = site.value
    const opened = [apiKey, bing?.apiKey, webhookUrl].map((secret) => secret?.reveal())
    expect(opened).toEqual([KEY, BING_KEY, WEBHOOK])
  })

  scenario('C07', 'stay as they are and are named where the old key is missing', async () => {
    const { options, stores } = await openSealedSites()
    const before = await stores.sites.list()

    const { resealed, stuck } = await resealSites(withKeys(options, NEW))

    expect(resealed).toBe(0)
    expect(stuck.map(({ name }) => name)).toEqual(['site example.com', 'site plain'])
    for (const { reason } of stuck) expect(reason).toContain('k1')
    expect(await stores.sites.list()).toEqual(before)
  })

  scenario('C07', 'a site that somebody changes meanwhile is taken up again', async () => {
    const { options } = await openSealedSites()
    const rotating = withKeys(options, NEW, OLD)
    let disturbances = 0
    const disturbed = {
      ...rotating,
      sites: {
        ...rotating.sites,
        replace: async (...ask: Parameters<typeof rotating.sites.replace>) => {
          if (disturbances++ > 0) return rotating.sites.replace(...ask)
          // Somebody else is quicker, with settings of their own.
          const record = await rotating.sites.get(ask[0].id)
          if (record) await rotating.sites.replace(record, record.settings)
          return rotating.sites.replace(...ask)
        },
      },
    }

    const outcome = await resealSites(disturbed)

    expect(outcome).toEqual({ resealed: 2, stuck: [] })
    expect(disturbances).toBe(3)
  })
})
