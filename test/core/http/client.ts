import type { RequestListener, ServerResponse } from 'node:http'
import { guardedFetch } from '../../../src/apps/node/guarded-fetch.ts'
import { seconds } from '../../../src/core/duration.ts'
import {
  describeHttpFailure,
  type Fetch,
  httpClient,
  type HttpFailure,
  type HttpReply,
  type HttpRequest,
} from '../../../src/core/http.ts'
import type { Result } from '../../../src/core/result.ts'
import { FakeClock } from '../../support/fake-clock.ts'

export const TIMEOUT_MS = seconds(30)

/** A client on the given `fetch`, with time that stands still until moved. */
export function clientOn(fetch: Fetch, allowPrivate = true) {
  const clock = new FakeClock()
  const client = httpClient({ fetch, clock, userAgent: 'Sluice/test', allowPrivate })
  const ask = (url: string, more: Partial<HttpRequest> = {}) =>
    client.send({ url, timeoutMs: TIMEOUT_MS, maxBytes: 1_000_000, ...more })
  return { clock, ask }
}

export function replyOf(result: Result<HttpReply, HttpFailure>): HttpReply {
  if (!result.ok) throw new Error(`no reply: ${describeHttpFailure(result.failure)}`)
  return result.value
}

export async function textOf(result: Result<HttpReply, HttpFailure>): Promise<string> {
  const text = await replyOf(result).text()
  if (!text.ok) throw new Error(`no text: ${describeHttpFailure(text.failure)}`)
  return text.value
}

export const hang: RequestListener = () => undefined

/** Sends as much as the other side takes, for ever. */
export function endlessly(response: ServerResponse, chunk: Uint8Array) {
  while (!response.destroyed && response.write(chunk));
  response.once('drain', () => endlessly(response, chunk))
}

export const FETCHES = [
  ['the platform’s fetch', fetch],
  ['the guarded fetch', guardedFetch({ allowPrivate: true })],
] as const
