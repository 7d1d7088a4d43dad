import type { HttpReply } from '../../core/http.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { retryAfterMs } from '../../core/retry.ts'
import type { FileFailure } from './failures.ts'
import { LONGEST_RETRY_AFTER_MS, MAX_FILE_BYTES, MAX_REDIRECTS } from './limits.ts'
import type { Validators } from './file-report.ts'
import type { ReadOptions } from './read-options.ts'

export interface FileRequest {
  readonly url: string
  readonly validators?: Validators | undefined
  readonly acceptEncoding?: 'identity' | undefined
  readonly maxBytes?: number
  readonly signal: AbortSignal
}

/** One attempt, up to the headers. */
export async function fetchFile(
  { url, validators, acceptEncoding, maxBytes = MAX_FILE_BYTES, signal }: FileRequest,
  { http, clock, timeoutMs, budget }: ReadOptions,
): Promise<Result<HttpReply, FileFailure>> {
  if (budget?.take('subrequests') === false) return fail({ kind: 'stopped', by: 'subrequests' })
  const sent = await http.send({
    url,
    headers: {
      accept:
        'application/xml, text/xml, application/rss+xml, application/atom+xml, text/plain, */*;q=0.5',
      ...(validators?.etag && { 'if-none-match': validators.etag }),
      ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
      ...(acceptEncoding && { 'accept-encoding': acceptEncoding }),
    },
    timeoutMs,
    maxBytes,
    maxRedirects: MAX_REDIRECTS,
    signal,
  })
  if (!sent.ok) return fail({ kind: 'http', failure: sent.failure })
  const failure = failureOf(sent.value, clock.now())
  if (!failure) return ok(sent.value)
  await sent.value.discard()
  return fail(failure)
}

/** What the status alone decides; `failures.ts` knows what is tried again. */
function failureOf({ status, headers }: HttpReply, now: number): FileFailure | undefined {
  if ((status >= 200 && status < 300) || status === 304) return undefined
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'status', status }
  const asked = retryAfterMs(headers.get('retry-after'), now)
  if (asked === undefined) return { kind: 'busy', status }
  return asked > LONGEST_RETRY_AFTER_MS
    ? { kind: 'asked-to-wait', status, waitMs: asked }
    : { kind: 'busy', status, retryAfterMs: asked }
}

export function validatorsOf({ headers }: HttpReply): Validators {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
}
