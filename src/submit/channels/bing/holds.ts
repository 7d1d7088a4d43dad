import type { Clock } from '../../../core/clock.ts'
import type { Secret } from '../../../core/secret.ts'
import type { QuotaHold, QuotaStore } from '../../../stores/quota-store.ts'
import type { StopReason } from '../channel.ts'
import type { BingApi } from './api.ts'
import { COOL_DOWN_MS } from './limits.ts'
import { type BingFailure, describeBingFailure, meaningOf } from './replies.ts'

export interface Held {
  readonly stops: Extract<StopReason, 'refused' | 'rate-limited'>
  /** For people. */
  readonly message: string
}

/** Whether calls with a site's API key rest: for a while, or for as long as the key is the same. */
export interface BingHolds {
  current(): Promise<Held | undefined>
  /** Lets the key rest where that is what the failure means. */
  learnFrom(failure: BingFailure): Promise<void>
}

export interface BingHoldsOptions {
  readonly siteId: string
  readonly apiKey: Secret
  readonly api: BingApi
  readonly store: QuotaStore
  readonly clock: Clock
}

const CHANNEL = 'bing'
const FOR_GOOD = Number.MAX_SAFE_INTEGER

export function openBingHolds(options: BingHoldsOptions): BingHolds {
  const { siteId, apiKey, api, store, clock } = options
  const credentials = bingCredentials(siteId, apiKey)
  let listed: Promise<boolean> | undefined

  // A site that was missing is added to the account without a new key: the account's own list tells when.
  const isListedNow = () =>
    (listed ??= api
      .sites()
      .then(({ result }) => result.ok && result.value.some(({ origin }) => origin === api.siteUrl)))

  return {
    async current() {
      const { site } = await credentials
      const { ofKey, ofSite } = await storedHolds(store, await credentials)
      if (ofKey) return heldBy(ofKey)
      if (!ofSite) return undefined
      if (!(await isListedNow())) return heldBy(ofSite)
      await store.release(CHANNEL, site)
      return undefined
    },
    async learnFrom(failure) {
      const { rests } = meaningOf(failure)
      if (!rests) return
      const { key, site } = await credentials
      await store.hold({
        channel: CHANNEL,
        credential: rests === 'site' ? site : key,
        until: rests === 'cool-down' ? clock.now() + COOL_DOWN_MS : FOR_GOOD,
        reason: describeBingFailure(failure),
      })
    },
  }
}

/** As of the last call: nobody is asked whether it is still so. */
export async function lastKnownHold(
  store: QuotaStore,
  credentials: BingCredentials,
): Promise<Held | undefined> {
  const { ofKey, ofSite } = await storedHolds(store, credentials)
  const hold = ofKey ?? ofSite
  return hold && heldBy(hold)
}

/** The names under which holds are kept: they tell nothing of the key. */
export interface BingCredentials {
  readonly key: string
  /** The key at this site alone. */
  readonly site: string
}

export async function bingCredentials(siteId: string, apiKey: Secret): Promise<BingCredentials> {
  const key = await fingerprint(apiKey)
  return { key, site: `${key}:${siteId}` }
}

async function storedHolds(store: QuotaStore, { key, site }: BingCredentials) {
  const ofKey = await store.heldUntil(CHANNEL, key)
  return { ofKey, ofSite: await store.heldUntil(CHANNEL, site) }
}

function heldBy({ until, reason }: QuotaHold): Held {
  if (until === FOR_GOOD) {
    return { stops: 'refused', message: `Bing is switched off, nothing was sent. ${reason}` }
  }
  const when = new Date(until).toISOString()
  return {
    stops: 'rate-limited',
    message: `Bing is left alone until ${when}, nothing was sent. ${reason}`,
  }
}

/** Tells keys apart where they are counted, and tells nothing of them. */
async function fingerprint(apiKey: Secret): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey.reveal()))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, 16)
}
