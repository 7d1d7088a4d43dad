import type { Clock } from '../../../src/core/clock.ts'
import { minutes } from '../../../src/core/duration.ts'
import type { Reply } from './faults.ts'
import {
  answers,
  type Decision,
  json,
  openStandIn,
  type SeenRequest,
  type StandIn,
  type Step,
} from './stand-in.ts'

export interface IndexNowEngineOptions {
  readonly clock: Clock
  readonly port?: number
  /**
   * `off`: any well-formed key is believed. `later`: taken with 202 until the key file has been fetched, which
   * happens right after the first answer. `before`: the key file is fetched first, and 403 says what is wrong with it.
   */
  readonly keyCheck?: 'off' | 'later' | 'before'
  /** A request that holds one of these is refused as a whole, with the given status. */
  readonly badUrls?: ReadonlyMap<string, 400 | 422>
}

export interface Received {
  readonly count: number
  /** When, first to last. */
  readonly times: readonly number[]
}

export interface IndexNowEngine extends StandIn {
  readonly endpoint: string
  /** Every URL taken with 200 or 202. */
  readonly received: ReadonlyMap<string, Received>
  /** Taken twice within ten minutes, which the protocol asks not to do. */
  sentAgainTooSoon(): string[]
}

/** The codes of a 403 as they are seen in production; the misspelling is theirs. */
export type ForbiddenCode =
  | 'SiteVerificationNotCompleted'
  | 'UserForbiddedToAccessSite'
  | 'KeyNotFound'
  | 'InvalidKey'

export const forbids = (errorCode?: ForbiddenCode): Step =>
  errorCode ? { reply: refusal(403, errorCode) } : answers(403)

/** `Retry-After` in any form: seconds, an HTTP date, nonsense, or none. */
export const limitsRate = (retryAfter?: string): Step =>
  answers(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter })

const MAX_URLS = 10_000
const TOO_SOON_MS = minutes(10)
const KEY = /^[A-Za-z0-9-]{8,128}$/
const CONTENT_TYPE = 'application/json; charset=utf-8'

/** An IndexNow endpoint that takes nothing on trust but the key, and that only if told to. */
export async function openIndexNowEngine({
  clock,
  port = 0,
  keyCheck = 'off',
  badUrls = new Map(),
}: IndexNowEngineOptions): Promise<IndexNowEngine> {
  const received = new Map<string, { count: number; times: number[] }>()
  const keyFiles = new Map<string, ForbiddenCode | 'right'>()

  const decide = async (
    request: SeenRequest,
    complain: (what: string) => void,
  ): Promise<Decision> => {
    // Nothing is asked for: how one learns that an endpoint is there.
    if (request.method === 'GET' && request.target === '/indexnow') {
      return { reply: refusal(400, 'InvalidRequestParameters') }
    }
    const asked = request.method === 'POST' ? readPost(request) : readGet(request)
    const wrong = 'wrong' in asked ? asked : wrongWith(asked)
    if (wrong) {
      complain(wrong.wrong)
      return { reply: refusal(wrong.status, 'InvalidRequestParameters', wrong.wrong) }
    }
    const ask = asked as Ask
    const bad = ask.urls.find((url) => badUrls.has(url))
    if (bad !== undefined) {
      return { reply: refusal(badUrls.get(bad) ?? 400, 'InvalidUrl', `${bad} is not valid`) }
    }
    const status = await verdictOnKey(ask)
    if (typeof status !== 'number') return { reply: refusal(403, status) }
    return { reply: { status }, commit: () => receive(ask, request.at) }
  }

  const receive = (ask: Ask, at: number) => {
    for (const url of ask.urls) {
      const known = received.get(url) ?? { count: 0, times: [] }
      received.set(url, { count: known.count + 1, times: [...known.times, at] })
    }
    if (keyCheck === 'later' && !keyFiles.has(ask.keyLocation)) void look(ask)
  }
  const look = async (ask: Ask) => {
    const found = await checkKeyFile(ask)
    keyFiles.set(ask.keyLocation, found)
    return found
  }
  const verdictOnKey = async (ask: Ask): Promise<number | ForbiddenCode> => {
    if (keyCheck === 'off') return 200
    const known = keyFiles.get(ask.keyLocation)
    const found = known ?? (keyCheck === 'before' ? await look(ask) : undefined)
    if (found === undefined) return 202
    return found === 'right' ? 200 : found
  }

  const standIn = await openStandIn({ clock, port, decide })
  return Object.assign(standIn, {
    endpoint: `${standIn.origin}/indexnow`,
    received,
    sentAgainTooSoon: () =>
      [...received]
        .filter(([, { times }]) =>
          times.some((at, i) => i > 0 && at - (times[i - 1] ?? 0) < TOO_SOON_MS),
        )
        .map(([url]) => url),
  })
}

interface Ask {
  readonly host: string
  readonly key: string
  readonly keyLocation: string
  readonly urls: readonly string[]
}

interface Wrong {
  readonly status: 400 | 422
  readonly wrong: string
}

const malformed = (wrong: string): Wrong => ({ status: 400, wrong })
const mismatched = (wrong: string): Wrong => ({ status: 422, wrong })

function readGet({ method, target }: SeenRequest): Ask | Wrong {
  if (method !== 'GET') return malformed(`${method} is neither GET nor POST`)
  const [path, query, ...more] = target.split('?')
  if (path !== '/indexnow' || query === undefined || more.length > 0) {
    return malformed('not /indexnow with one query')
  }
  const pairs = query.split('&').map((pair) => pair.split('='))
  if (pairs.map(([name]) => name).join() !== 'url,key,keyLocation') {
    return malformed('the parameters are not url, key, keyLocation in this order')
  }
  const values: string[] = []
  for (const [name = '', encoded = '', ...rest] of pairs) {
    const value = decoded(encoded)
    if (rest.length > 0 || value === undefined || encodeURIComponent(value) !== encoded) {
      return malformed(`${name} is not encoded as encodeURIComponent does`)
    }
    values.push(value)
  }
  const [url = '', key = '', keyLocation = ''] = values
  const host = URL.parse(url)?.host
  if (host === undefined) return malformed('url is not a URL')
  return { host, key, keyLocation, urls: [url] }
}

function readPost({ target, headers, body }: SeenRequest): Ask | Wrong {
  if (target !== '/indexnow') return malformed('not /indexnow without a query')
  if (headers['content-type']?.toLowerCase() !== CONTENT_TYPE) {
    return malformed(`the content type is not ${CONTENT_TYPE}`)
  }
  const value = parsed(body)
  if (typeof value !== 'object' || value === null) return malformed('the body is not a JSON object')
  const { host, key, keyLocation, urlList, ...unknown } = value as Record<string, unknown>
  if (Object.keys(unknown).length > 0) return malformed(`unknown: ${Object.keys(unknown).join()}`)
  if (typeof host !== 'string' || URL.parse(`https://${host}/`)?.host !== host) {
    return malformed('host is not a bare host')
  }
  if (typeof key !== 'string') return malformed('key is not a string')
  if (!isStrings(urlList) || urlList.length === 0) return malformed('urlList is not a list of URLs')
  if (urlList.length > MAX_URLS) return malformed(`urlList is longer than ${MAX_URLS}`)
  const scheme = URL.parse(urlList[0] ?? '')?.protocol ?? 'https:'
  const location = keyLocation ?? `${scheme}//${host}/${key}.txt`
  if (typeof location !== 'string') return malformed('keyLocation is not a string')
  return { host, key, keyLocation: location, urls: urlList }
}

function wrongWith({ host, key, keyLocation, urls }: Ask): Wrong | undefined {
  if (!KEY.test(key)) return mismatched('the key is not 8 to 128 of A-Z, a-z, 0-9 and -')
  const location = URL.parse(keyLocation)
  if (!location || !/^https?:$/.test(location.protocol)) {
    return mismatched('keyLocation is not an http(s) URL')
  }
  if (location.host !== host) return mismatched('keyLocation is not on the host')
  const covered = location.pathname.slice(0, location.pathname.lastIndexOf('/') + 1)
  for (const url of urls) {
    const page = URL.parse(url)
    if (!page || !/^https?:$/.test(page.protocol)) return malformed(`${url} is not an http(s) URL`)
    if (page.host !== host) return mismatched(`${url} is not on ${host}`)
    if (!page.pathname.startsWith(covered)) return mismatched(`${url} is not under ${covered}`)
  }
  return undefined
}

/** Served directly with 200, and holding exactly the key. */
async function checkKeyFile({ key, keyLocation }: Ask): Promise<ForbiddenCode | 'right'> {
  const response = await fetch(keyLocation, { redirect: 'manual' }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (response?.status !== 200 || text === undefined) return 'KeyNotFound'
  return text === key ? 'right' : 'InvalidKey'
}

function refusal(status: number, errorCode: string, message = errorCode): Reply {
  return json(status, { errorCode, message })
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
