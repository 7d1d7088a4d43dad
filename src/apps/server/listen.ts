import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Clock } from '../../core/clock.ts'
import { seconds } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { errorEnvelope, type Refusal } from '../../http/envelope.ts'
import { ERROR_CODES } from '../../http/error-codes.ts'
import type { HttpApp } from '../../http/http-env.ts'
import { JSON_HEADERS } from '../../http/standing-headers.ts'
import { gentleEnding } from './gentle-ending.ts'
import { admitHealthCheck } from './health-check.ts'
import type { StartFailure } from '../node/start-failure.ts'

/** Slow senders must not hold connections for ever. */
const HEADERS_TIMEOUT_MS = seconds(15)
const REQUEST_TIMEOUT_MS = seconds(60)
const MAX_HEADER_BYTES = 16 * 1024

export interface ListenOptions {
  readonly app: HttpApp
  readonly host: string
  readonly port: number
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface Listening {
  /** An address this machine can open. */
  readonly url: string
  /** Takes no more connections, lets requests in flight finish, and cuts those that take longer than `graceMs`. */
  close(graceMs: number): Promise<void>
}

type ListenFailure = Extract<StartFailure, { kind: 'port-taken' | 'cannot-listen' }>

export async function listen(options: ListenOptions): Promise<Result<Listening, ListenFailure>> {
  const { host, port, clock, log } = options
  const server = openServer(options)
  const ending = gentleEnding(server, { clock, log })
  const failed = await new Promise<NodeJS.ErrnoException | undefined>((settle) => {
    server.once('error', settle)
    server.listen({ host, port }, () => settle(undefined))
  })
  if (failed) {
    const { code = failed.message } = failed
    return fail(
      code === 'EADDRINUSE'
        ? { kind: 'port-taken', host, port }
        : { kind: 'cannot-listen', host, port, code },
    )
  }
  return ok({
    url: urlOf(server, host),
    close: (graceMs) => ending.close(graceMs),
  })
}

function openServer({ app, random, log }: ListenOptions): Server {
  const settings = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Without this the answer to a request with no Host would have no envelope.
    requireHostHeader: false,
  }
  const listener = getRequestListener(app.fetch, {
    errorHandler: (error) => {
      const requestId = random.uuid()
      const refusal = refusalOfUnreadable(error)
      if (refusal.code === 'INTERNAL')
        log.error('http.failed', 'Not even routed.', { requestId, error })
      else log.info('http.refused', refusal.message, { requestId })
      return Response.json(errorEnvelope(refusal, { request_id: requestId, latency_ms: 0 }), {
        status: ERROR_CODES[refusal.code].status,
        headers: { ...JSON_HEADERS, 'X-Request-ID': requestId },
      })
    },
  })
  const server = createServer(settings, (incoming, outgoing) => {
    admitHealthCheck(incoming)
    void listener(incoming, outgoing)
  })
  // What a caller expects is its own affair: Node would refuse it, without an envelope.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseGarbage(error, socket, { requestId: random.uuid(), log })
  })
  return server
}

function refusalOfUnreadable(error: unknown): Refusal {
  if (error instanceof RequestError) {
    return {
      code: 'INVALID_INPUT',
      message: 'The address or the Host header of the request cannot be read. Check both.',
    }
  }
  return {
    code: 'INTERNAL',
    message: 'Something went wrong here. The log of the server has the details.',
  }
}

const GARBAGE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'HEADERS_TOO_LARGE',
    message: `The headers are larger than ${MAX_HEADER_BYTES} bytes. Send fewer or shorter ones.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    message: 'The request did not arrive whole in time. Send it again, faster.',
  },
}

/** What arrived is not HTTP: it gets the same envelope as any other caller, written by hand. */
function refuseGarbage(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { requestId, log }: { requestId: string; log: Log },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal: Refusal = GARBAGE[error.code ?? ''] ?? {
    code: 'INVALID_INPUT',
    message: 'This is not a valid HTTP request. Speak HTTP/1.1, without TLS.',
  }
  log.info('http.refused', refusal.message, { requestId, code: error.code })
  const body = JSON.stringify(errorEnvelope(refusal, { request_id: requestId, latency_ms: 0 }))
  const head = [
    `HTTP/1.1 ${ERROR_CODES[refusal.code].status} Refused`,
    ...Object.entries(JSON_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
