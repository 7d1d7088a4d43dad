import type { ErrorCode } from '../http/error-codes.ts'
import type { CookieExists } from '../stores/cookie-store.ts'
import type { ExecutionTaken, LockLost } from '../stores/execution-store.ts'
import { describePlatformFailure, type PlatformFailure, TREATMENTS } from './platforms/failures.ts'
import { PLATFORM_NAMES } from './platforms/platform.ts'

export type ExecutionUnknown = { readonly kind: 'execution-unknown'; readonly executionId: string }
/** Nobody's fault but a bug's or an earlier execution's: the fence is not the execution's own. */
export type FenceOld = { readonly kind: 'fence-old'; readonly executionId: string }
export type PlatformUnknown = { readonly kind: 'platform-unknown'; readonly platform: string }
export type PlatformOff = { readonly kind: 'platform-off'; readonly platform: string }
/** An address that the platform would not ask. `item` says which one. */
export type UrlNotAccepted = {
  readonly kind: 'url-not-accepted'
  readonly item: string
  readonly platform: string
}
export type NoteIdDiffers = {
  readonly kind: 'note-id-differs'
  readonly item: string
  readonly named: string
}
export type CookiesExhausted = { readonly kind: 'cookies-exhausted'; readonly platform: string }
/** The deadline of the whole request had passed before its turn came. */
export type NotStarted = { readonly kind: 'not-started' }
/** The host asked to be left alone, and is. */
export type HostResting = { readonly kind: 'host-resting'; readonly forMs: number }
export type CookieUnknown = { readonly kind: 'cookie-unknown'; readonly cookieName: string }
/** The execution does not hold this candidate any more: another may have it by now. */
export type NotHeld = { readonly kind: 'not-held' }

/** Everything that collecting can come to, other than what was asked for. */
export type CollectFailure =
  | PlatformFailure
  | ExecutionTaken
  | LockLost
  | ExecutionUnknown
  | FenceOld
  | PlatformUnknown
  | PlatformOff
  | UrlNotAccepted
  | NoteIdDiffers
  | CookiesExhausted
  | NotStarted
  | HostResting
  | CookieExists
  | CookieUnknown
  | NotHeld

/** What nobody tried costs no attempt: such candidates are held to the end, and the execution's end frees them. */
export const NOT_TRIED: ReadonlySet<CollectFailure['kind']> = new Set([
  'platform-off',
  'cookies-exhausted',
  'cookie-missing',
  'not-started',
  'host-resting',
  'stopped',
])

/** SPEC C13: what each failure is called on the wire; one without a line does not compile. */
export const CODE_OF = {
  'cookie-missing': 'COOKIE_EXHAUSTED',
  'cookie-rejected': 'COOKIE_INVALID',
  challenged: 'PLATFORM_ERROR',
  'rate-limited': 'PLATFORM_ERROR',
  gone: 'NOT_FOUND',
  'not-found': 'NOT_FOUND',
  unreadable: 'PLATFORM_ERROR',
  'too-large': 'UNSUPPORTED_OPERATION',
  'platform-down': 'PLATFORM_ERROR',
  refused: 'UNSUPPORTED_OPERATION',
  'led-away': 'UNSUPPORTED_OPERATION',
  network: 'NETWORK_ERROR',
  'timed-out': 'TIMEOUT_ERROR',
  stopped: 'TIMEOUT_ERROR',
  'private-address': 'INVALID_INPUT',
  'disallowed-by-robots': 'UNSUPPORTED_OPERATION',
  'foreign-url': 'INVALID_INPUT',
  'wrong-url': 'INVALID_INPUT',
  unsupported: 'UNSUPPORTED_OPERATION',
  'execution-taken': 'LOCKED',
  'lock-lost': 'LOCK_LOST',
  'execution-unknown': 'NOT_FOUND',
  'fence-old': 'LOCK_LOST',
  'platform-unknown': 'INVALID_INPUT',
  'platform-off': 'UNSUPPORTED_OPERATION',
  'url-not-accepted': 'INVALID_INPUT',
  'note-id-differs': 'INVALID_INPUT',
  'cookies-exhausted': 'COOKIE_EXHAUSTED',
  'not-started': 'TIMEOUT_ERROR',
  'host-resting': 'PLATFORM_ERROR',
  'cookie-exists': 'ALREADY_EXISTS',
  'cookie-unknown': 'NOT_FOUND',
  'not-held': 'LOCK_LOST',
} as const satisfies Record<CollectFailure['kind'], ErrorCode>

/** Where people look in vain first. */
const WHERE_NOTES_ARE: Readonly<Record<string, string>> = {
  feed: 'POST /v1/search with the address of a feed as source_url lists its notes, with their addresses',
  import: 'Notes of an import come whole, with "sluice collect import"',
}

/** For people: what happened, why, what to do next. */
export function describeFailure(failure: CollectFailure): string {
  return isPlatformFailure(failure) ? describePlatformFailure(failure) : describeOwn(failure)
}

export function isPlatformFailure(failure: CollectFailure): failure is PlatformFailure {
  return failure.kind in TREATMENTS
}

function describeOwn(failure: Exclude<CollectFailure, PlatformFailure>): string {
  switch (failure.kind) {
    case 'execution-taken':
      return `${failure.holder} runs this workflow; it was last heard of at ${new Date(failure.heartbeatAt).toISOString()}. Wait for its end, or for the time-out.`
    case 'lock-lost':
      return `The execution ${failure.executionId} has ended or was timed out: nothing it writes is taken any more. Start another one.`
    case 'execution-unknown':
      return `There is no execution ${failure.executionId}. Start one with POST /v1/executions and use its execution_id.`
    case 'fence-old':
      return `The fence is not the one of ${failure.executionId}: it is from another execution. Start another one.`
    case 'platform-unknown':
      return `There is no platform "${failure.platform}". Known are ${PLATFORM_NAMES.join(', ')}; GET /v1/adapters shows what each can do.`
    case 'platform-off':
      return `The platform ${failure.platform} is off on this server. Name it in COLLECT_PLATFORMS to switch it on.`
    case 'url-not-accepted':
      return `${failure.item} is not the address of a note on ${failure.platform}. ${WHERE_NOTES_ARE[failure.platform] ?? 'Check the platform and the address'}; nothing was done.`
    case 'note-id-differs':
      return `${failure.item} names another note: its address is that of ${failure.named}. Nothing was done.`
    case 'cookies-exhausted':
      return `No cookie for ${failure.platform} can be used now: none is active and below its daily limit. GET /v1/cookies shows why; add one, or reactivate one.`
    case 'not-started':
      return 'Its turn did not come within the time of the request. Ask for it again, with fewer others.'
    case 'host-resting':
      return `The host asked to be left alone, and is for ${Math.ceil(failure.forMs / 1_000)} more seconds. Ask again after that.`
    case 'cookie-exists':
      return `There is a cookie "${failure.cookieName}" already. Choose another name.`
    case 'cookie-unknown':
      return `There is no cookie "${failure.cookieName}". GET /v1/cookies lists those there are.`
    case 'not-held':
      return 'The execution does not hold this candidate: it was never claimed, or another execution has it by now. Nothing was written.'
  }
}
