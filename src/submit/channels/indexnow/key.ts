import { describeHttpFailure, type HttpFailure } from '../../../core/http.ts'
import type { Random } from '../../../core/random.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import type { Secret } from '../../../core/secret.ts'
import { type KeyFileAsk, type KeyFileLook, lookAtKeyFile } from './key-file.ts'

/** https://www.indexnow.org/documentation: 8 to 128 of these characters. */
const KEY = /^[A-Za-z0-9-]{8,128}$/

export function isIndexNowKey(text: string): boolean {
  return KEY.test(text)
}

const KEY_BYTES = 16

/** As engines make them: 32 hexadecimal digits. */
export function newIndexNowKey(random: Random): string {
  return Array.from(random.bytes(KEY_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function isUsableKey(key: Secret): boolean {
  return isIndexNowKey(key.reveal())
}

/** A text that may name the key, such as the key file's address, as it may be printed (SPEC S21). */
export function hideKey(text: string, key: Secret): string {
  return text.replaceAll(key.reveal(), () => key.hint())
}

export type KeyFileProblem = {
  readonly kind: 'unreachable' | 'redirected' | 'missing' | 'wrong-content'
  /** For people: what is wrong, where, what to do. */
  readonly message: string
}

/** SPEC S21: engines fetch this file too, and take nothing from us while it is missing or wrong. */
export async function checkKeyFile(ask: KeyFileAsk): Promise<Result<void, KeyFileProblem>> {
  const problem = problemWith(await lookAtKeyFile(ask))
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

function problemWith(look: KeyFileLook): Found | undefined {
  if (look.kind === 'unreadable') return unreadable(look.failure)
  const { status, content } = look
  if (status >= 300 && status < 400) {
    return { kind: 'redirected', what: `answers with a redirect (${status}).` }
  }
  if (status >= 500) return { kind: 'unreachable', what: `answers ${status}.` }
  if (status !== 200) return { kind: 'missing', what: `answers ${status}.` }
  // Engines forgive what an editor adds to a file; the doctor tells of it.
  if (content === 'exact' || content === 'marked' || content === 'padded') return undefined
  const held =
    content === 'page'
      ? 'holds a web page instead of the key.'
      : 'holds something else than the key.'
  return { kind: 'wrong-content', what: held }
}

function unreadable(failure: HttpFailure): Found {
  return { kind: 'unreachable', what: `could not be read: ${describeHttpFailure(failure)}` }
}
