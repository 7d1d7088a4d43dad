import type { HttpClient, HttpFailure } from '../../../core/http.ts'
import { locationOf } from '../../../core/location.ts'
import type { Secret } from '../../../core/secret.ts'
import { MAX_KEY_FILE_BYTES } from './limits.ts'

export interface KeyFileAsk {
  readonly key: Secret
  readonly keyLocation: string
  readonly http: HttpClient
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/**
 * `marked`: the key behind a byte order mark. `padded`: the key with white space around it, such as the line break
 * with which editors end a file. `page`: markup, as a site answers that has a page for every address.
 */
export type KeyFileContent = 'exact' | 'marked' | 'padded' | 'page' | 'empty' | 'other'

export type KeyFileLook =
  | { readonly kind: 'unreadable'; readonly failure: HttpFailure }
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly contentType: string | undefined
      /** Where a redirect leads. */
      readonly location: string | undefined
      readonly content: KeyFileContent
    }

/** Fetches the key file as engines do: redirects are not followed. What it holds is told in one word. */
export async function lookAtKeyFile(ask: KeyFileAsk): Promise<KeyFileLook> {
  const { key, keyLocation, http, timeoutMs, signal } = ask
  const sent = await http.send({
    url: keyLocation,
    timeoutMs,
    maxBytes: MAX_KEY_FILE_BYTES,
    ...(signal && { signal }),
  })
  if (!sent.ok) return { kind: 'unreadable', failure: sent.failure }
  const { status, headers } = sent.value
  // Not `text()`, which would hide a byte order mark.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  const read = await sent.value.each((chunk) => {
    text += decoder.decode(chunk, { stream: true })
  })
  const isTooLong = !read.ok && read.failure.kind === 'too-large'
  if (!read.ok && !isTooLong && status === 200) return { kind: 'unreadable', failure: read.failure }
  return {
    kind: 'answered',
    status,
    contentType: headers.get('content-type') ?? undefined,
    location: locationOf(headers),
    content: isTooLong ? 'page' : contentOf(text + decoder.decode(), key.reveal()),
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

function contentOf(text: string, key: string): KeyFileContent {
  if (text === key) return 'exact'
  // White space for `trim` includes the mark.
  if (text.trim() === key) return text.startsWith(BYTE_ORDER_MARK) ? 'marked' : 'padded'
  if (text.trim() === '') return 'empty'
  return /^\s*</.test(text) ? 'page' : 'other'
}
