import type { HttpFailure } from '../../../core/http.ts'
import { describeHttpFailure } from '../../../core/http.ts'
import { retryAfterMs } from '../../../core/retry.ts'

/** Everything an IndexNow endpoint can come to, and what follows from it. Decided here and nowhere else. */
export type Verdict =
  | { readonly kind: 'accepted' | 'pending' }
  /** Something in what was sent is wrong: the URL if it was one, at least one of them if it was a batch. */
  | { readonly kind: 'rejected' }
  /** Nothing from us will be taken: the rest of the run is spared. */
  | { readonly kind: 'refused' }
  /** The key is still being checked: not a failure, but no use to go on now. */
  | { readonly kind: 'unverified' }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'unavailable' }
  /** The run ended before an answer came: nothing is known. */
  | { readonly kind: 'interrupted' }

export interface Reply {
  readonly verdict: Verdict
  /** 0 where no answer came. */
  readonly statusCode: number
  /** For people: what happened, why, what to do next. Undefined when all is well. */
  readonly advice: string | undefined
}

export const INTERRUPTED = {
  verdict: { kind: 'interrupted' },
  statusCode: 0,
  advice: undefined,
} as const satisfies Reply

export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: string
}

export interface ReplyContext {
  readonly engine: string
  /** As it may be printed. */
  readonly keyLocation: string
  readonly now: number
}

export function replyOfAnswer({ status, retryAfter, body }: Answer, context: ReplyContext): Reply {
  const { engine, keyLocation, now } = context
  const reply = (verdict: Verdict, advice?: string): Reply => ({
    verdict,
    statusCode: status,
    advice,
  })
  const says = `${engine} answered ${status}`
  if (status === 200) return reply({ kind: 'accepted' })
  if (status === 202) return reply({ kind: 'pending' })
  if (status === 400) {
    return reply(
      { kind: 'rejected' },
      `${says}: it takes the request for malformed. Look at the URLs that were rejected: the log names them.`,
    )
  }
  if (status === 413 || status === 414) {
    return reply(
      { kind: 'rejected' },
      `${says}: the request was too long for it. Look at the URLs that were rejected: the log names them.`,
    )
  }
  if (status === 422) {
    return reply(
      { kind: 'rejected' },
      `${says}: a URL is not on the site's host or not covered by the key file ${keyLocation}. Check the sitemap's URLs and the key's location.`,
    )
  }
  if (status === 403 && errorCodeOf(body) === 'SiteVerificationNotCompleted') {
    return reply(
      { kind: 'unverified' },
      `${says}: it has not finished checking the key yet. Nothing to do; the next run sends again.`,
    )
  }
  if (status === 401 || status === 403) {
    const code = errorCodeOf(body)
    const because = code ? ` (${code})` : ''
    return reply(
      { kind: 'refused' },
      `${says}${because}: it does not accept the key. Open ${keyLocation}: it must show exactly the key, without a redirect. If it does, make a new key.`,
    )
  }
  if (status === 429) {
    return reply(
      { kind: 'rate-limited', retryAfterMs: retryAfterMs(retryAfter, now) },
      `${says}: too many requests from this address. The rest waits for the next run; send fewer or use submitMode "post".`,
    )
  }
  if (status >= 500 || status === 408) {
    return reply(
      { kind: 'unavailable' },
      `${says}: it has a problem of its own. The next run sends again.`,
    )
  }
  return reply(
    { kind: 'refused' },
    `${says}, which no IndexNow endpoint does. Check the engine's address.`,
  )
}

export function replyOfFailure(failure: HttpFailure): Reply {
  const advice = describeHttpFailure(failure)
  switch (failure.kind) {
    case 'aborted':
      return INTERRUPTED
    case 'invalid-url':
    case 'private-address':
    case 'too-many-redirects':
      return { verdict: { kind: 'refused' }, statusCode: 0, advice }
    case 'timed-out':
    case 'too-large':
    case 'network':
      return { verdict: { kind: 'unavailable' }, statusCode: 0, advice }
  }
}

/** The body is JSON from some engines, empty or text from others. */
function errorCodeOf(body: string): string | undefined {
  return /"errorCode"\s*:\s*"(\w{1,64})"/.exec(body)?.[1]
}
