import { ERROR_CODES } from '../http/error-codes.ts'
import { fail, type Result } from '../core/result.ts'
import type { Secret } from '../core/secret.ts'
import type { Caller } from './caller.ts'
import type { CookiePool, LentCookie } from './cookies/pool.ts'
import {
  type CookiesExhausted,
  type HostResting,
  isPlatformFailure,
  type NotStarted,
} from './failures.ts'
import type { HostPace } from './host-pace.ts'
import { HOST_REST_MS } from './limits.ts'
import { withoutCookieIn } from './platforms/ask-platform.ts'
import { type PlatformFailure, TREATMENTS } from './platforms/failures.ts'
import type { Platform } from './platforms/platform.ts'

export type AskFailure = PlatformFailure | CookiesExhausted | NotStarted | HostResting

export interface Asked<T> {
  readonly result: Result<T, AskFailure>
  /** The name of the cookie that was used last. */
  readonly cookieUsed: string | undefined
}

export interface AskingPlatform {
  readonly pool: CookiePool
  readonly pace: HostPace
}

export interface PlatformQuestion<T> {
  readonly platform: Platform
  /** Whose turn it is to wait for. */
  readonly host: string
  readonly signal: AbortSignal
  readonly caller: Caller
  ask(cookie: Secret | undefined): Promise<Result<T, PlatformFailure>>
}

/**
 * Asks a platform at its host's pace. A cookie that the platform does not take is changed for another, up to three
 * times (SPEC C14); a host that wants to be left alone is, by every cookie.
 */
export async function askPlatform<T>(
  { pool, pace }: AskingPlatform,
  { platform, host, signal, caller, ask }: PlatformQuestion<T>,
): Promise<Asked<T>> {
  const rejected = new Set<string>()
  let last: Asked<T> | undefined
  while (rejected.size <= ERROR_CODES.COOKIE_INVALID.mostRetries) {
    let lent: LentCookie | undefined
    const result = await pace.turn<T, AskFailure>(host, signal, async () => {
      if (platform.cookie !== 'none') lent = await pool.lend(platform.name, rejected, caller)
      // Nothing else is asked for once a cookie was refused: it was wanted.
      const mayGoWithout = platform.cookie !== 'required' && rejected.size === 0
      if (!lent && !mayGoWithout) {
        return fail({ kind: 'cookies-exhausted', platform: platform.name })
      }
      const answer = await ask(lent?.cookie)
      if (!lent) return answer
      await pool.giveBack(lent, useOf(answer), caller)
      return withoutCookieIn(answer, lent.cookie)
    })
    // What the cookies before came to tells more than that there is no other, or no time to ask with it.
    if (!result.ok && last && !isPlatformFailure(result.failure)) return last
    last = { result, cookieUsed: lent?.cookieName ?? last?.cookieUsed }
    if (result.ok) return last
    const { failure } = result
    restIfAsked(pace, host, failure)
    if (!lent || failure.kind !== 'cookie-rejected') return last
    rejected.add(lent.cookieName)
  }
  if (!last) throw new Error('A platform was not asked even once.')
  return last
}

/** Only an answer, or an error of the cookie's own, says anything about the cookie. */
function useOf(answer: Result<unknown, PlatformFailure>): 'worked' | 'refused' | 'inconclusive' {
  if (answer.ok) return 'worked'
  return TREATMENTS[answer.failure.kind].cookieToBlame ? 'refused' : 'inconclusive'
}

function restIfAsked(pace: HostPace, host: string, failure: AskFailure): void {
  if (!isPlatformFailure(failure) || !TREATMENTS[failure.kind].restsPlatform) return
  const asked = failure.kind === 'rate-limited' ? failure.retryAfterMs : undefined
  pace.rest(host, asked ?? HOST_REST_MS)
}
