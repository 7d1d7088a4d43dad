import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { seconds } from '../../core/duration.ts'
import type { Fetch, FetchInit, FetchReply } from '../../core/http.ts'
import { decodedBody, WANTED_CODINGS } from './decoded-body.ts'

export interface NodeFetchOptions {
  /** Called for every name but not for an address. */
  readonly lookup: LookupFunction
  /** How long a connection may take to be made, and how long it is kept for the next request. */
  readonly idleMs?: number
}

/**
 * `fetch` as far as the core needs it, on Node's own client: the global one compiles a parser as WebAssembly, and once
 * more when it is used much, which left a server 15 MB larger for good.
 */
export function nodeFetch({ lookup, idleMs = seconds(10) }: NodeFetchOptions): Fetch {
  const settings = { keepAlive: true, timeout: idleMs, lookup }
  const plain = { request: http.request, agent: new http.Agent(settings) }
  const secure = { request: https.request, agent: new https.Agent(settings) }
  const ask = (url: URL, init: FetchInit): Promise<FetchReply> =>
    new Promise((answer, refuse) => {
      const { request, agent } = url.protocol === 'https:' ? secure : plain
      const asking = request(url, {
        agent,
        method: init.method,
        headers: { accept: '*/*', 'accept-encoding': WANTED_CODINGS, ...init.headers },
        signal: init.signal,
      })
      let answered: IncomingMessage | undefined
      asking.once('response', (message) => {
        answered = message
        // Who has answered may never take the rest, and nobody would wait for that with a deadline.
        message.once('end', () => {
          if (!asking.writableFinished) asking.destroy()
        })
        answer(replyOf(message, init.method))
      })
      asking.on('timeout', () => {
        if (asking.socket?.connecting) asking.destroy(new ConnectTimeout())
      })
      // Also of an answered request, which breaks off when the server did not wait for all of it.
      asking.on('error', (error) => {
        const wasClosedMeanwhile = asking.reusedSocket && !answered && isReset(error)
        if (wasClosedMeanwhile && isRepeatable(init)) answer(ask(url, init))
        else refuse(error)
        if (answered && isCutShort(answered, init)) answered.destroy(error)
      })
      // The only sign of an answer that is none, such as one that changes the protocol.
      asking.once('close', () => refuse(new NoAnswer()))
      asking.end(init.body)
    })
  return async (url, init) => ask(new URL(url), init)
}

/** Of a connection that was kept, the server may have had enough just then. */
function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function isRepeatable({ method }: FetchInit): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Node would end the body as if it were whole: of a length that nobody named, at whatever ends the connection; and when
 * it is given up, without what has arrived and was not read.
 */
function isCutShort({ complete }: IncomingMessage, { signal }: FetchInit): boolean {
  return signal.aborted || !complete
}

function replyOf(message: IncomingMessage, method: string): FetchReply {
  const status = message.statusCode ?? 0
  const headers = new Headers()
  for (let i = 0; i + 1 < message.rawHeaders.length; i += 2) {
    headers.append(message.rawHeaders[i] as string, message.rawHeaders[i + 1] as string)
  }
  if (method === 'HEAD' || hasNoBody(status)) {
    message.resume()
    return { status, headers, body: null }
  }
  // Node's own type and the platform's differ in name only.
  const body = Readable.toWeb(decodedBody(message)) as FetchReply['body']
  return { status, headers, body }
}

/** What the parser reads none of. That of a 205 should be empty: whoever reads it makes sure that it ends. */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 304
}

/** Certainly not sent: that tells it from a server that does not answer. */
class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
  readonly code = 'CONNECT_TIMEOUT'

  constructor() {
    super('The connection was not made in time.')
  }
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code = 'NO_ANSWER'

  constructor() {
    super('The connection ended without an answer.')
  }
}
