import { Webhook } from 'standardwebhooks'
import { seconds } from '../core/duration.ts'
import type { HttpRequest } from '../core/http.ts'
import type { JsonObject } from '../core/json.ts'
import { fail, ok, type Result } from '../core/result.ts'
import { Secret } from '../core/secret.ts'
import { urlHashHex } from '../core/url-hash.ts'

export const WEBHOOK_FORMATS = ['json', 'slack', 'discord', 'feishu'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** Where an alert is sent, and what its receiver understands. */
export interface WebhookTarget {
  readonly url: Secret
  /** The same for the same address, and tells nothing of it. */
  readonly key: string
  /** All of the address that may be shown: a webhook's path is its password. */
  readonly host: string
  readonly format: WebhookFormat
  readonly signingSecret: Secret | undefined
}

/** The `whsec_` of Standard Webhooks: 24 to 64 bytes in base64. */
const STANDARD_SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/

/**
 * Reads a webhook's address. The secret with which messages are signed may follow after a `#`
 * (`https://hooks.example.com/sluice#whsec_…`, `https://open.feishu.cn/open-apis/bot/v2/hook/…#…`):
 * that part of an address never travels, so it can be given wherever the address can.
 */
export function webhookTarget(
  address: Secret,
  format: WebhookFormat = 'json',
): Result<WebhookTarget, string> {
  const [written, signing] = splitAtHash(address.reveal())
  const url = URL.parse(written)
  if (!url || !/^https?:$/.test(url.protocol)) return fail('The webhook is not an http(s) address.')
  // Chat services take nothing but their own format.
  const spoken = guessedFormat(url) ?? format
  if (spoken === 'json' && signing !== undefined && !STANDARD_SECRET.test(signing)) {
    return fail(
      'What follows the # of the webhook is not a signing secret: it should be whsec_ and 24 to 64 bytes in base64.',
    )
  }
  return ok({
    url: new Secret(written),
    key: urlHashHex(written),
    host: url.host,
    format: spoken,
    signingSecret: signing === undefined ? undefined : new Secret(signing),
  })
}

function guessedFormat({ hostname, pathname }: URL): WebhookFormat | undefined {
  if (hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com') return 'slack'
  if (/^(?:open\.feishu\.cn|open\.larksuite\.com)$/.test(hostname)) return 'feishu'
  if (!/^(?:\w+\.)?discord(?:app)?\.com$/.test(hostname)) return undefined
  if (!pathname.startsWith('/api/webhooks/')) return undefined
  // Discord also plays Slack, at an address of its own.
  return pathname.endsWith('/slack') ? 'slack' : 'discord'
}

function splitAtHash(address: string): [address: string, signing?: string] {
  const hash = address.indexOf('#')
  if (hash === -1 || hash === address.length - 1) return [address.replace(/#$/, '')]
  return [address.slice(0, hash), address.slice(hash + 1)]
}

/** What a webhook is sent. `id` is the same at every try, so that a receiver can tell a repetition. */
export interface WebhookPost {
  readonly id: string
  readonly body: JsonObject
  readonly sentAt: number
}

const TIMEOUT_MS = seconds(10)
const MAX_REPLY_BYTES = 64 * 1024

/** The request that tells a target, signed where it has a secret to sign with. */
export async function webhookRequest(
  { url, format, signingSecret }: WebhookTarget,
  { id, body, sentAt }: WebhookPost,
): Promise<HttpRequest> {
  const stamp =
    format === 'feishu' && signingSecret ? await feishuSignature(signingSecret, sentAt) : {}
  const payload = JSON.stringify({ ...stamp, ...body })
  const signed =
    format === 'json' && signingSecret
      ? standardSignature(signingSecret, { id, payload, sentAt })
      : {}
  return {
    url: url.reveal(),
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...signed },
    body: payload,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_REPLY_BYTES,
  }
}

function standardSignature(
  secret: Secret,
  { id, payload, sentAt }: { id: string; payload: string; sentAt: number },
): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt / 1_000)),
    'webhook-signature': new Webhook(secret.reveal()).sign(id, new Date(sentAt), payload),
  }
}

/** The bot's own way: nothing is signed, with the time and the secret as the key. */
async function feishuSignature(secret: Secret, sentAt: number) {
  const timestamp = String(Math.floor(sentAt / 1_000))
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(`${timestamp}\n${secret.reveal()}`),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, new Uint8Array()))
  return { timestamp, sign: btoa(String.fromCharCode(...signature)) }
}
