import type { HttpRequest } from '../../../core/http.ts'
import type { Secret } from '../../../core/secret.ts'
import { MAX_ANSWER_BYTES } from './limits.ts'

export interface IndexNowTarget {
  /** The endpoint. */
  readonly engine: string
  readonly host: string
  readonly key: Secret
  readonly keyLocation: string
}

type Prepared = Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body' | 'maxBytes'>

/** SPEC S20: the three parameters in this order, each through encodeURIComponent. */
export function singleRequest({ engine, key, keyLocation }: IndexNowTarget, url: string): Prepared {
  const query = [
    // Half a surrogate pair cannot be encoded, and one such URL must not end the run.
    `url=${encodeURIComponent(url.replace(/\p{Surrogate}/gu, '\uFFFD'))}`,
    `key=${encodeURIComponent(key.reveal())}`,
    `keyLocation=${encodeURIComponent(keyLocation)}`,
  ].join('&')
  return { url: `${engine}?${query}`, method: 'GET', maxBytes: MAX_ANSWER_BYTES }
}

export function batchRequest(target: IndexNowTarget, urls: readonly string[]): Prepared {
  const { engine, host, key, keyLocation } = target
  return {
    url: engine,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ host, key: key.reveal(), keyLocation, urlList: urls }),
    maxBytes: MAX_ANSWER_BYTES,
  }
}
