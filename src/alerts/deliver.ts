import type { Clock } from '../core/clock.ts'
import { hours, minutes } from '../core/duration.ts'
import type { HttpClient } from '../core/http.ts'
import type { Log } from '../core/log.ts'
import type { Secret } from '../core/secret.ts'
import type { AlertMessage, AlertStore } from '../stores/alert-store.ts'
import { holdLease } from '../stores/hold-lease.ts'
import type { LeaseStore } from '../stores/lease-store.ts'
import { type WebhookTarget, webhookTarget } from './webhook-target.ts'
import { type NotTaken, sendToWebhook } from './webhook.ts'

export interface DeliveryOptions {
  readonly alerts: AlertStore
  readonly leases: LeaseStore
  /** Names this process among those that share the store. */
  readonly holder: string
  readonly http: HttpClient
  readonly clock: Clock
  readonly log: Log
  /** The server's own receiver: gets every message, also those that are about no site. */
  readonly everybody: WebhookTarget | undefined
  /** The site an alert is about, by its key; undefined for one that is about no site. */
  readonly siteOf: (key: string) => string | undefined
  /** A site's `webhookUrl`; undefined where it has none, or there is no such site. */
  readonly webhookOf: (siteId: string) => Promise<Secret | undefined>
}

export interface Delivered {
  readonly delivered: number
  /** Stay undelivered until their receivers take them. */
  readonly waiting: number
  /** When the first of the receivers that rest can be asked again. */
  readonly nextTryAt: number | undefined
}

export interface AlertDelivery {
  /**
   * Sends what nobody was told yet, to each receiver in order. Never waits: a receiver that does not take a message
   * rests, and a later call tries again. Does nothing while another server delivers.
   * At least once: one that took a message may get it again after a restart.
   */
  deliver(signal?: AbortSignal): Promise<Delivered>
}

const DELIVERY_LEASE = 'alert-delivery'
const FIRST_REST_MS = minutes(1)
const LONGEST_REST_MS = hours(1)

interface Rest {
  readonly failures: number
  readonly until: number
}

export function openAlertDelivery(options: DeliveryOptions): AlertDelivery {
  const { alerts, clock } = options
  const rests = new Map<string, Rest>()
  /** Who took a message that others have not taken yet. */
  const takenBy = new Map<number, Set<string>>()
  let underWay: Promise<Delivered> | undefined

  const round = async (signal: AbortSignal | undefined): Promise<Delivered> => {
    const messages = await alerts.undelivered()
    const told = new Set<number>()
    // A receiver that fails once gets nothing more in this round: what comes later must not overtake.
    const resting = new Set(
      [...rests].filter(([, { until }]) => until > clock.now()).map(([key]) => key),
    )
    for (const message of messages) {
      if (signal?.aborted) break
      if (newerOf(message, messages)) continue
      const waiting = await waitingFor(message)
      for (const target of waiting) {
        if (resting.has(target.key)) continue
        if (!(await tell(target, message, signal))) resting.add(target.key)
      }
      const taken = takenBy.get(message.id) ?? new Set()
      if (!waiting.every(({ key }) => taken.has(key))) continue
      for (const { id } of [...olderOf(message, messages), message]) {
        await alerts.delivered(id, clock.now())
        takenBy.delete(id)
        told.add(id)
      }
    }
    const ends = [...rests.values()].map(({ until }) => until).filter((end) => end > clock.now())
    return {
      delivered: told.size,
      waiting: messages.length - told.size,
      nextTryAt: ends.length === 0 ? undefined : Math.min(...ends),
    }
  }

  /** Those that have yet to take it. None at all: the log and the list of alerts are where people look. */
  const waitingFor = async ({ id, alert }: AlertMessage): Promise<readonly WebhookTarget[]> => {
    const siteId = options.siteOf(alert.key)
    const own = siteId === undefined ? undefined : await ownTarget(siteId, options)
    const targets = [options.everybody, own].filter((target) => target !== undefined)
    const distinct = [...new Map(targets.map((target) => [target.key, target])).values()]
    return distinct.filter(({ key }) => !takenBy.get(id)?.has(key))
  }

  const tell = async (
    target: WebhookTarget,
    message: AlertMessage,
    signal: AbortSignal | undefined,
  ): Promise<boolean> => {
    const { http, log } = options
    const now = clock.now()
    const news = { ...message, site: options.siteOf(message.alert.key) }
    const sent = await sendToWebhook(target, news, { http, now, ...(signal && { signal }) })
    if (sent.ok) {
      rests.delete(target.key)
      takenBy.set(message.id, (takenBy.get(message.id) ?? new Set()).add(target.key))
      return true
    }
    // A shutdown is nothing the receiver is to blame for.
    if (!signal?.aborted) {
      const rest = restAfter(rests.get(target.key), sent.failure, now)
      rests.set(target.key, rest)
      log.warn('alert.undelivered', `An alert was not delivered. ${sent.failure.what}`, {
        alert: message.alert.key,
        receiver: target.host,
        failures: rest.failures,
        nextTryAt: new Date(rest.until).toISOString(),
      })
    }
    return false
  }

  /** Of servers that share a store one delivers at a time: nobody is told twice. */
  const roundAlone = async (signal: AbortSignal | undefined): Promise<Delivered> => {
    const { leases, holder } = options
    const own = signal ?? new AbortController().signal
    const held = await holdLease({ name: DELIVERY_LEASE, holder, leases, clock, signal: own })
    if (!held.ok) return { delivered: 0, waiting: 0, nextTryAt: held.failure.expiresAt }
    try {
      return await round(held.value.signal)
    } finally {
      await held.value.release()
    }
  }

  return {
    deliver: (signal) =>
      (underWay ??= roundAlone(signal).finally(() => {
        underWay = undefined
      })),
  }
}

/** A reminder is no news once something newer is to be said of the same alert: nobody gets a heap of them. */
function newerOf(message: AlertMessage, messages: readonly AlertMessage[]): boolean {
  return message.notice === 'repeated' && messages.some((other) => follows(other, message))
}

function olderOf(message: AlertMessage, messages: readonly AlertMessage[]): AlertMessage[] {
  return messages.filter((other) => other.notice === 'repeated' && follows(message, other))
}

function follows(later: AlertMessage, earlier: AlertMessage): boolean {
  return later.alert.key === earlier.alert.key && later.id > earlier.id
}

async function ownTarget(
  siteId: string,
  { webhookOf, log }: DeliveryOptions,
): Promise<WebhookTarget | undefined> {
  const address = await webhookOf(siteId)
  if (!address) return undefined
  const target = webhookTarget(address)
  if (target.ok) return target.value
  log.warn('alert.undeliverable', `The webhookUrl of ${siteId} is not used. ${target.failure}`)
  return undefined
}

function restAfter(before: Rest | undefined, { retryAfterMs }: NotTaken, now: number): Rest {
  const failures = (before?.failures ?? 0) + 1
  const usualMs = Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS)
  return { failures, until: now + Math.max(retryAfterMs ?? 0, usualMs) }
}
