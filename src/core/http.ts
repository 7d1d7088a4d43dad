import { isPrivateHost, PRIVATE_ADDRESS_CODE } from './address.ts'
import type { Clock } from './clock.ts'
import { locationOf } from './location.ts'
import { printableUrl } from './redact.ts'
import { fail, ok, type Result } from './result.ts'

/** Everything a request can come to, other than an answer. None of it holds a query string. */
export type HttpFailure =
  | { readonly kind: 'invalid-url'; readonly where: string }
  | { readonly kind: 'private-address'; readonly where: string }
  | { readonly kind: 'timed-out'; readonly where: string; readonly afterMs: number }
  | { readonly kind: 'too-large'; readonly where: string; readonly maxBytes: number }
  | { readonly kind: 'too-many-redirects'; readonly where: string; readonly followed: number }
  | { readonly kind: 'aborted'; readonly where: string }
  | { readonly kind: 'network'; readonly where: string; readonly code: string }

export interface HttpRequest {
  readonly url: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** From the start to the last byte of the answer, redirects included. */
  readonly timeoutMs: number
  /** Of the answer's body, after decompression. */
  readonly maxBytes: number
  /** How many redirects are followed; past none at all, the redirect itself is the answer. Default 0. */
  readonly maxRedirects?: number
  readonly signal?: AbortSignal
}

export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** Hands over the body as it arrives; a broken or overlong one ends as a failure. */
  each(take: (chunk: Uint8Array) => void | Promise<void>): Promise<Result<void, HttpFailure>>
  text(): Promise<Result<string, HttpFailure>>
  /** Ends the exchange without reading on. Every reply is read or discarded. */
  discard(): Promise<void>
}

export interface HttpClient {
  send(request: HttpRequest): Promise<Result<HttpReply, HttpFailure>>
}

/** What the client asks of `fetch`; the platform's own will do. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchReply>

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  /** Redirects are followed here, not there. */
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

export type FetchReply = Pick<Response, 'status' | 'headers' | 'body'>

export interface HttpClientOptions {
  /** Where names are resolved to addresses, private ones must be refused here, with PRIVATE_ADDRESS_CODE. */
  readonly fetch: Fetch
  readonly clock: Clock
  readonly userAgent: string
  readonly allowPrivate: boolean
}

/** A client that cannot hang, flood the memory, reach into the private network or print a query string. */
export function httpClient({
  fetch,
  clock,
  userAgent,
  allowPrivate,
}: HttpClientOptions): HttpClient {
  return {
    async send(request) {
      const exchange = openExchange(request, clock)
      const result = await follow(exchange).catch((error) => fail(exchange.failureOf(error)))
      if (!result.ok) exchange.close()
      return result
    },
  }

  async function follow(exchange: Exchange): Promise<Result<HttpReply, HttpFailure>> {
    const { request, signal } = exchange
    const { maxRedirects = 0 } = request
    let hop: Hop = {
      url: request.url,
      method: request.method ?? 'GET',
      headers: request.headers ?? {},
      body: request.body,
    }
    for (let followed = 0; ; followed++) {
      const refused = exchange.visit(hop.url, allowPrivate)
      if (refused) return fail(refused)
      const response = await fetch(hop.url, {
        method: hop.method,
        headers: { 'user-agent': userAgent, ...hop.headers },
        redirect: 'manual',
        signal,
        ...(hop.body !== undefined && { body: hop.body }),
      })
      const target = maxRedirects > 0 ? redirectTarget(response, hop.url) : undefined
      if (!target) return ok(replyOf(response, hop.url, exchange))
      await response.body?.cancel()
      if (followed === maxRedirects) {
        return fail({ kind: 'too-many-redirects', where: exchange.where(), followed })
      }
      hop = nextHop(hop, target, response.status)
    }
  }
}

interface Hop {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

interface Exchange {
  readonly request: HttpRequest
  readonly signal: AbortSignal
  /** Where the exchange is now, fit to be printed. */
  where(): string
  visit(url: string, allowPrivate: boolean): HttpFailure | undefined
  /** The end of it, by itself: nothing is left waiting. */
  close(): void
  /** The end of it, at once. */
  abort(): void
  failureOf(error: unknown): HttpFailure
}

/** One request with its redirects and its body: one deadline, one way to end it. */
function openExchange(request: HttpRequest, clock: Clock): Exchange {
  const controller = new AbortController()
  const { timeoutMs, signal: outer } = request
  let where = ''
  let timedOut = false
  const abort = () => {
    close()
    controller.abort()
  }
  const stopTimer = clock.after(timeoutMs, () => {
    timedOut = true
    abort()
  })
  const close = () => {
    stopTimer()
    outer?.removeEventListener('abort', abort)
  }
  if (outer?.aborted) abort()
  else outer?.addEventListener('abort', abort)
  return {
    request,
    signal: controller.signal,
    where: () => where,
    visit(url, allowPrivate) {
      where = printableUrl(url)
      const parsed = URL.parse(url)
      if (!parsed || !isRequestable(parsed)) return { kind: 'invalid-url', where }
      if (!allowPrivate && isPrivateHost(parsed.hostname)) return { kind: 'private-address', where }
      return undefined
    },
    close,
    abort,
    failureOf(error) {
      if (timedOut) return { kind: 'timed-out', where, afterMs: timeoutMs }
      if (controller.signal.aborted) return { kind: 'aborted', where }
      const code = errorCode(error)
      if (code === PRIVATE_ADDRESS_CODE) return { kind: 'private-address', where }
      return { kind: 'network', where, code }
    },
  }
}

/** `fetch` throws on a name and password in the URL; here they are told apart from a broken network. */
function isRequestable({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && !username && !password
}

function redirectTarget(response: FetchReply, from: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined
  const location = locationOf(response.headers)
  return location === undefined ? undefined : URL.parse(location, from)?.href
}

const FOR_ONE_ORIGIN = /^(authorization|proxy-authorization|cookie)$/i
const OF_BODY = /^content-/i

function nextHop({ url, method, headers, body }: Hop, target: string, status: number): Hop {
  const becomesGet = status === 303 || ((status === 301 || status === 302) && method === 'POST')
  const sameOrigin = URL.parse(url)?.origin === URL.parse(target)?.origin
  const kept = Object.entries(headers).filter(
    ([name]) => (sameOrigin || !FOR_ONE_ORIGIN.test(name)) && !(becomesGet && OF_BODY.test(name)),
  )
  return {
    url: target,
    method: becomesGet && method !== 'HEAD' ? 'GET' : method,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : body,
  }
}

function replyOf(response: FetchReply, url: string, exchange: Exchange): HttpReply {
  const { maxBytes } = exchange.request
  const each: HttpReply['each'] = async (take) => {
    const reader = response.body?.getReader()
    let bytes = 0
    try {
      for (;;) {
        const read = await nextChunk(reader, exchange)
        if (!read.ok || read.value === undefined) return read as Result<undefined, HttpFailure>
        bytes += read.value.byteLength
        if (bytes > maxBytes) {
          return fail({ kind: 'too-large', where: exchange.where(), maxBytes })
        }
        await take(read.value)
      }
    } finally {
      exchange.close()
      await reader?.cancel().catch(() => undefined)
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    url,
    each,
    async text() {
      const decoder = new TextDecoder()
      let text = ''
      const read = await each((chunk) => {
        text += decoder.decode(chunk, { stream: true })
      })
      return read.ok ? ok(text + decoder.decode()) : read
    },
    async discard() {
      exchange.abort()
    },
  }
}

/** Only the reading is caught: what the taker throws is a bug of its own and passes through. */
async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  exchange: Exchange,
): Promise<Result<Uint8Array | undefined, HttpFailure>> {
  try {
    return ok((await reader?.read())?.value)
  } catch (error) {
    return fail(exchange.failureOf(error))
  }
}

const MAX_CAUSES = 8

/** The most telling code in an error and its causes: `ECONNREFUSED` rather than "fetch failed". */
function errorCode(error: unknown): string {
  let code: string | undefined
  let name = 'UNKNOWN'
  let at = error
  for (let depth = 0; at instanceof Error && depth < MAX_CAUSES; depth++, at = at.cause) {
    if ('code' in at && typeof at.code === 'string') code = at.code
    name = at.name
  }
  return code ?? name
}

/** For people: what happened, why, what to do next. */
export function describeHttpFailure(failure: HttpFailure): string {
  const { where } = failure
  switch (failure.kind) {
    case 'invalid-url':
      return `${where} is not an http(s) address without name and password. Check the spelling.`
    case 'private-address':
      return `${where} is a private address and was not requested. Set SLUICE_ALLOW_PRIVATE=1 if that is meant.`
    case 'timed-out':
      return `${where} did not finish within ${failure.afterMs} ms. Check that it is up, or allow more time.`
    case 'too-large':
      return `${where} is larger than ${failure.maxBytes} bytes and was not read further.`
    case 'too-many-redirects':
      return `${where} still redirects after ${failure.followed} redirects. Give its final address.`
    case 'aborted':
      return `The request to ${where} was stopped.`
    case 'network':
      return `${where} could not be reached (${failure.code}). Check the address and the network.`
  }
}
