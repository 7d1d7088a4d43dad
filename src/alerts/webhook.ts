import { z } from 'zod'
import { describeHttpFailure, type HttpClient, type HttpReply } from '../core/http.ts'
import { redactText } from '../core/redact.ts'
import { fail, ok, type Result } from '../core/result.ts'
import { retryAfterMs } from '../core/retry.ts'
import { type AlertNews, webhookBody } from './webhook-body.ts'
import { type WebhookTarget, webhookRequest } from './webhook-target.ts'

/** Why a receiver did not take a message. `what` is for people and names no more of its address than the host. */
export interface NotTaken {
  readonly what: string
  /** How long the receiver asked to be left alone. */
  readonly retryAfterMs?: number
}

export interface WebhookSending {
  readonly http: HttpClient
  readonly now: number
  readonly signal?: AbortSignal
}

/** Tells one receiver one message. Only a receiver that says so has taken it. */
export async function sendToWebhook(
  target: WebhookTarget,
  news: AlertNews,
  { http, now, signal }: WebhookSending,
): Promise<Result<void, NotTaken>> {
  const { host, format } = target
  const request = await webhookRequest(target, {
    id: `alert_${news.at}_${news.id}`,
    body: webhookBody(format, news),
    sentAt: now,
  })
  const sent = await http.send({ ...request, ...(signal && { signal }) })
  // The failure's own `where` shows the path, and a webhook's path is its password.
  if (!sent.ok) return fail({ what: describeHttpFailure({ ...sent.failure, where: host }) })
  const text = await sent.value.text()
  if (isRefusal(sent.value))
    return fail(refusal(sent.value, text.ok ? text.value : '', target, now))
  return format === 'feishu' ? feishuVerdict(text.ok ? text.value : '', host) : ok(undefined)
}

const isRefusal = ({ status }: HttpReply) => status < 200 || status > 299

function refusal(
  { status, headers }: HttpReply,
  text: string,
  { host }: WebhookTarget,
  now: number,
): NotTaken {
  const waitMs = retryAfterMs(headers.get('retry-after'), now)
  const words = plainWords(text)
  return {
    what: `${host} answered ${status}${words ? ` (${words})` : ''}. ${adviceFor(status)}`,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  }
}

/**
 * What the receiver said, if it is no more than a few words (`invalid_payload`, `Unknown Webhook`): many repeat the
 * address they were asked at, and that is a secret.
 */
function plainWords(text: string): string | undefined {
  const said = z.object({ message: z.string() }).safeParse(jsonFrom(text)).data?.message ?? text
  return /^[A-Za-z_ ]{1,60}$/.test(said.trim()) ? said.trim() : undefined
}

function adviceFor(status: number): string {
  if (status === 429) return 'It is asked more slowly.'
  if (status >= 500) return 'It is tried again later.'
  if (status >= 300 && status <= 399) return 'Give the address it redirects to.'
  return 'Check that the webhook still exists and that its address is whole.'
}

const feishuReply = z.object({
  code: z.number().optional(),
  StatusCode: z.number().optional(),
  msg: z.string().optional(),
})

/** It answers 200 also when it took nothing: only a code of 0 is a success. */
function feishuVerdict(text: string, host: string): Result<void, NotTaken> {
  const reply = feishuReply.safeParse(jsonFrom(text)).data
  const code = reply?.code ?? reply?.StatusCode
  if (code === 0) return ok(undefined)
  const said = code === undefined ? 'something that is no answer of a bot' : `code ${code}`
  const why = reply?.msg ? `: ${excerpt(reply.msg)}` : ''
  return fail({
    what: `${host} answered 200 with ${said}${why}. Check the bot's address, its signing secret (after the #) and its keywords.`,
  })
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function excerpt(text: string): string {
  const line = redactText(text).replaceAll(/\s+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
