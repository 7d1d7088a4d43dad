import type { Bing, BingOptions } from '../support/stand-ins/bing.ts'
import { openWorld, type World, type WorldOptions } from '../support/world.ts'
import { bingOf } from './support.ts'

/** Must never be seen anywhere but in a request to Bing. */
export const BING_KEY = 'c4n4ry0f4p1k3y5a1b2c3d4e5f6a7b8c9'
export const WITH_BING = { bingEnabled: true, bingApiKey: BING_KEY }

interface BingWorldOptions extends WorldOptions {
  readonly bing?: Partial<BingOptions>
  readonly dailyQuota?: number
}

export async function openBingWorld({ bing, dailyQuota = 500, ...options }: BingWorldOptions = {}) {
  const world = await openWorld(options)
  const { clock, site } = world
  const sites = [{ url: site.origin, dailyQuota }]
  const standIn = await bingOf({ clock, apiKey: BING_KEY, sites, ...bing })
  await world.restart({ BING_API_URL: standIn.apiUrl })
  return { world, bing: standIn }
}

export const bingStatus = async ({ api }: World) => (await api('GET', '/status')).body['bing']

export const pathsAt = ({ accepted }: Bing) => accepted.map(({ url }) => new URL(url).pathname)

export const messagesOf = ({ logs }: World) => logs.map(({ msg }) => msg)
