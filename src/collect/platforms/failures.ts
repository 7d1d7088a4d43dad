/** Everything that asking a platform can come to, other than a note. None of it holds a query string or a cookie. */
export type PlatformFailure =
  /** It wants a cookie, and none was handed in. */
  | { readonly kind: 'cookie-missing' }
  /** The platform shows its login to the one who has this cookie. */
  | { readonly kind: 'cookie-rejected'; readonly sign: string }
  /** A captcha or another check for people. Not to be answered, not to be gone around. */
  | { readonly kind: 'challenged'; readonly sign: string }
  | { readonly kind: 'rate-limited'; readonly status: number; readonly retryAfterMs?: number }
  /** The platform says that the note was taken down, hidden or deleted. */
  | { readonly kind: 'gone'; readonly sign: string }
  | { readonly kind: 'not-found'; readonly sign: string }
  /** An answer in which no note was found: another page than expected, or a new way to write it. */
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  /** The platform itself is in trouble: 5xx. */
  | { readonly kind: 'platform-down'; readonly status: number }
  /** It does not let us in, and says no more than that: 401, 403 or another 4xx. */
  | { readonly kind: 'refused'; readonly status: number }
  /** It sends us to another host, where its cookie must not follow. */
  | { readonly kind: 'led-away'; readonly where: string }
  | { readonly kind: 'network'; readonly where: string; readonly code: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  /** By the caller's signal. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'private-address'; readonly where: string }
  | { readonly kind: 'disallowed-by-robots'; readonly where: string }
  /** A URL of another host or of no note. */
  | { readonly kind: 'foreign-url'; readonly where: string; readonly wanted: string }
  /** A URL of this platform that cannot be asked: without its token, of another note. */
  | { readonly kind: 'wrong-url'; readonly where: string; readonly why: string }
  | {
      readonly kind: 'unsupported'
      readonly operation: 'detail' | 'search'
      readonly why: string
    }

export interface Treatment {
  /** SPEC C10: whether the error counts against the cookie, and another cookie may do better. */
  readonly cookieToBlame: boolean
  /** Whether the same request may succeed later, with nothing changed. */
  readonly mayPass: boolean
  /**
   * SPEC C20: whether the platform is to be left alone for a while, by every cookie. To come back at once with
   * another account would be a way around the check.
   */
  readonly restsPlatform: boolean
}

const FINAL: Treatment = { cookieToBlame: false, mayPass: false, restsPlatform: false }
const PASSING: Treatment = { ...FINAL, mayPass: true }
const RESTING: Treatment = { ...PASSING, restsPlatform: true }

/** Decided here and nowhere else; a failure without a line does not compile. */
export const TREATMENTS = {
  'cookie-missing': FINAL,
  'cookie-rejected': { ...PASSING, cookieToBlame: true },
  challenged: RESTING,
  'rate-limited': RESTING,
  gone: FINAL,
  'not-found': FINAL,
  unreadable: PASSING,
  'too-large': FINAL,
  'platform-down': PASSING,
  refused: FINAL,
  'led-away': FINAL,
  network: PASSING,
  'timed-out': PASSING,
  stopped: PASSING,
  'private-address': FINAL,
  'disallowed-by-robots': FINAL,
  'foreign-url': FINAL,
  'wrong-url': FINAL,
  unsupported: FINAL,
} as const satisfies Record<PlatformFailure['kind'], Treatment>

/** For people: what happened, why, what to do next. */
export function describePlatformFailure(failure: PlatformFailure): string {
  switch (failure.kind) {
    case 'cookie-missing':
      return 'The platform is only asked with a cookie of your own, and none was given. Add one with "sluice cookies add".'
    case 'cookie-rejected':
      return `The platform asks to log in (${failure.sign}): the cookie is no longer good. Log in with a browser and add the new cookie.`
    case 'challenged':
      return `The platform wants to see a person (${failure.sign}). Sluice stops here: open the platform with a browser, answer it there, and collect more slowly.`
    case 'rate-limited':
      return `The platform answered ${failure.status}: too many requests${failure.retryAfterMs === undefined ? '' : `, come back in ${Math.ceil(failure.retryAfterMs / 1_000)} seconds`}. Collect more slowly (COLLECT_HOST_INTERVAL_MS).`
    case 'gone':
      return `The note is no longer there (${failure.sign}). There is nothing to collect.`
    case 'not-found':
      return `There is no such note (${failure.sign}). Check the address.`
    case 'unreadable':
      return `The answer holds no note that Sluice can read: ${failure.why}. Open the address to see it; if it looks right, the platform has changed.`
    case 'too-large':
      return `The answer is larger than ${failure.maxBytes} bytes and was not read further.`
    case 'platform-down':
      return `The platform answered ${failure.status}. Try again later.`
    case 'refused':
      return `The platform answered ${failure.status} and does not say why. Open the address with a browser to see whether it is public.`
    case 'led-away':
      return `The platform redirects to ${failure.where}, another host, and was not followed. Give the final address.`
    case 'network':
      return `${failure.where} could not be reached (${failure.code}). Check the address and the network.`
    case 'timed-out':
      return `The platform did not finish within ${failure.afterMs} ms. Try again later.`
    case 'stopped':
      return 'The request was stopped before it was answered.'
    case 'private-address':
      return `${failure.where} is a private address and was not requested. Set SLUICE_ALLOW_PRIVATE=1 if that is meant.`
    case 'disallowed-by-robots':
      return `The robots.txt of the site does not allow ${failure.where} to be fetched. Ask the site, or leave the page out.`
    case 'foreign-url':
      return `${failure.where} is not ${failure.wanted}. Check the platform and the address.`
    case 'wrong-url':
      return `${failure.where} cannot be asked for: ${failure.why}.`
    case 'unsupported':
      return `This platform cannot ${failure.operation}: ${failure.why}.`
  }
}
