import { describeHttpFailure, type HttpClient, type HttpFailure } from '../../../core/http.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import type { Secret } from '../../../core/secret.ts'
import { MAX_KEY_FILE_BYTES } from './limits.ts'

/** https://www.indexnow.org/documentation: 8 to 128 of these characters. */
const KEY = /^[A-Za-z0-9-]{8,128}$/

export function isIndexNowKey(text: string): boolean {
  return KEY.test(text)
}

/** A text that may name the key, such as the key file's address, as it may be printed (SPEC S21). */
export function hideKey(text: string, key: Secret): string {
  return text.replaceAll(key.reveal(), key.hint())
}

export type KeyFileProblem = {
  readonly kind: 'unreachable' | 'redirected' | 'missing' | 'wrong-content'
  /** For people: what is wrong, where, what to do. */
  readonly message: string
}

export interface KeyFileAsk {
  readonly key: Secret
  readonly keyLocation: string
  readonly http: HttpClient
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** SPEC S21: engines fetch this file too, and take nothing from us while it is missing or wrong. */
export async function checkKeyFile(ask: KeyFileAsk): Promise<Result<void, KeyFileProblem>> {
  const problem = await lookAtKeyFile(ask)
  if (!problem) return ok(undefined)
  const where = `The key file ${ask.keyLocation}`
  const next =
    'Engines refuse submissions until it holds exactly the key: open it in a browser to see.'
  return fail({
    kind: problem.kind,
    message: hideKey(`${where} ${problem.what} ${next}`, ask.key),
  })
}

interface Found {
  readonly kind: KeyFileProblem['kind']
  readonly what: string
}

async function lookAtKeyFile(ask: KeyFileAsk): Promise<Found | undefined> {
  const { key, keyLocation, http, timeoutMs, signal } = ask
  const sent = await http.send({
    url: keyLocation,
    timeoutMs,
    maxBytes: MAX_KEY_FILE_BYTES,
    ...(signal && { signal }),
  })
  if (!sent.ok) return unreadable(sent.failure)
  const { status } = sent.value
  const body = await sent.value.text()
  if (status >= 300 && status < 400) {
    return { kind: 'redirected', what: `answers with a redirect (${status}).` }
  }
  if (status >= 500) return { kind: 'unreachable', what: `answers ${status}.` }
  if (status !== 200) return { kind: 'missing', what: `answers ${status}.` }
  if (!body.ok && body.failure.kind !== 'too-large') return unreadable(body.failure)
  // Editors end a file with a line break and may begin it with a byte order mark; both count as white space.
  if (body.ok && body.value.trim() === key.reveal()) return undefined
  const isPage = !body.ok || /^\s*</.test(body.value)
  const held = isPage
    ? 'holds a web page instead of the key.'
    : 'holds something else than the key.'
  return { kind: 'wrong-content', what: held }
}

function unreadable(failure: HttpFailure): Found {
  return { kind: 'unreachable', what: `could not be read: ${describeHttpFailure(failure)}` }
}
