import { fail, ok, type Result } from '../../../core/result.ts'
import { REDACTED, type Secret } from '../../../core/secret.ts'
import type { Sending } from '../channel.ts'
import { MAX_ANSWER_BYTES } from './limits.ts'
import { type BingFailure, readAnswer, readHttpFailure } from './replies.ts'

export interface BingApiOptions {
  /** `https://ssl.bing.com/webmaster/api.svc/json` */
  readonly apiUrl: string
  readonly apiKey: Secret
  /** The origin under which the account knows the site. */
  readonly siteUrl: string
}

/** What a call came to; `status` is 0 where no answer came, `ms` undefined where nothing was sent. */
export interface BingReply<T> {
  readonly result: Result<T, BingFailure>
  readonly status: number
  readonly ms: number | undefined
}

export interface QuotaLeft {
  readonly daily: number
  readonly monthly: number | undefined
}

export interface AccountSite {
  readonly origin: string
  readonly isVerified: boolean
}

/** One request per call, in the site's pace and within the run's budget; nothing is retried here. */
export interface BingApi {
  readonly siteUrl: string
  submit(urls: readonly string[]): Promise<BingReply<void>>
  quotaLeft(): Promise<BingReply<QuotaLeft>>
  sites(): Promise<BingReply<readonly AccountSite[]>>
}

export type BingSending = Pick<
  Sending,
  'http' | 'clock' | 'pace' | 'budget' | 'signal' | 'rules' | 'log'
>

export function openBingApi(
  { apiUrl, apiKey, siteUrl }: BingApiOptions,
  { http, clock, pace, budget, signal, rules }: BingSending,
): BingApi {
  // The key is in the query: this URL goes into the request and nowhere else.
  const addressOf = (method: string, query = '') =>
    `${apiUrl.replace(/\/+$/, '')}/${method}?${query}apikey=${encodeURIComponent(apiKey.reveal())}`

  const call = (url: string, body?: string): Promise<BingReply<unknown>> =>
    pace.run(async () => {
      if (signal.aborted || budget.exhausted() || !budget.take('subrequests')) return NOT_SENT
      const startedAt = clock.now()
      const sent = await http.send({
        url,
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: rules.requestTimeoutMs,
        signal,
        ...(body !== undefined && { method: 'POST', headers: JSON_BODY, body }),
      })
      const text = sent.ok ? await sent.value.text() : sent
      const ms = clock.now() - startedAt
      if (!sent.ok) return { result: fail(readHttpFailure(sent.failure)), status: 0, ms }
      const { status, headers } = sent.value
      const answer = {
        status,
        retryAfter: headers.get('retry-after'),
        body: text.ok ? withoutKey(text.value, apiKey) : undefined,
      }
      return { result: readAnswer(answer, clock.now()), status, ms }
    })

  return {
    siteUrl,
    async submit(urls) {
      const reply = await call(
        addressOf('SubmitUrlbatch'),
        JSON.stringify({ siteUrl, urlList: urls }),
      )
      return as(reply, () => undefined)
    },
    async quotaLeft() {
      const query = `siteUrl=${encodeURIComponent(siteUrl)}&`
      return as(await call(addressOf('GetUrlSubmissionQuota', query)), quotaOf)
    },
    sites: async () => as(await call(addressOf('GetUserSites')), sitesOf),
  }
}

const JSON_BODY = { 'content-type': 'application/json; charset=utf-8' }

const NOT_SENT: BingReply<never> = {
  result: fail({
    problem: 'not-sent',
    status: 0,
    errorCode: undefined,
    message: 'Nothing was sent.',
  }),
  status: 0,
  ms: undefined,
}

/** An answer may repeat what it was asked with. */
function withoutKey(text: string, apiKey: Secret): string {
  const key = apiKey.reveal()
  if (key === '') return text
  return text.replaceAll(key, REDACTED).replaceAll(encodeURIComponent(key), REDACTED)
}

function as<T>(
  reply: BingReply<unknown>,
  read: (payload: unknown) => T | Unreadable,
): BingReply<T> {
  const { result, status } = reply
  if (!result.ok) return { ...reply, result }
  const value = read(result.value)
  if (value !== UNREADABLE) return { ...reply, result: ok(value) }
  const message = 'the answer does not hold what was asked for'
  return {
    ...reply,
    result: fail({ problem: 'unexplained', status, errorCode: undefined, message }),
  }
}

const UNREADABLE = Symbol('unreadable')
type Unreadable = typeof UNREADABLE

function quotaOf(payload: unknown): QuotaLeft | Unreadable {
  if (typeof payload !== 'object' || payload === null) return UNREADABLE
  const { DailyQuota: daily, MonthlyQuota: monthly } = payload as Record<string, unknown>
  if (!isCount(daily)) return UNREADABLE
  return { daily, monthly: isCount(monthly) ? monthly : undefined }
}

function sitesOf(payload: unknown): readonly AccountSite[] | Unreadable {
  if (!Array.isArray(payload)) return UNREADABLE
  return payload.flatMap((site: { Url?: unknown; IsVerified?: unknown } | null) => {
    const origin = typeof site?.Url === 'string' ? URL.parse(site.Url)?.origin : undefined
    return origin === undefined ? [] : [{ origin, isVerified: site?.IsVerified !== false }]
  })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
