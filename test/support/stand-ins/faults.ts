import type { ServerResponse } from 'node:http'
import { setImmediate as everybodyIdle } from 'node:timers/promises'
import type { Clock } from '../../../src/core/clock.ts'
import { seconds } from '../../../src/core/duration.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** What comes instead of a whole answer. */
export type Fault =
  /** Nothing, for ever. */
  | 'hang'
  /** The connection is reset before the first byte. */
  | 'reset'
  /** Bytes that are not HTTP. */
  | 'garbage'
  /** The answer, a byte a second. */
  | 'drip'
  /** The answer, but more was promised when the connection ends. */
  | 'wrong-length'
  /** The answer, and then nothing: the connection stays open. */
  | 'unending'

/** A fault without an answer behind it: nobody can tell whether the request did what it asked for. */
export function isSilent(fault: Fault): boolean {
  return fault === 'hang' || fault === 'reset' || fault === 'garbage'
}

export function sendReply(response: ServerResponse, { status, headers, body = '' }: Reply) {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'content-length': String(bytes.length), ...headers })
  response.end(bytes)
}

export async function sendFault(
  response: ServerResponse,
  fault: Fault,
  { reply, clock }: { reply: Reply; clock: Clock },
): Promise<void> {
  const { socket } = response
  switch (fault) {
    case 'hang':
      return
    case 'reset':
      socket?.resetAndDestroy()
      return
    case 'garbage':
      socket?.end('\u0000\u0001 this is not HTTP\r\n\r\n')
      return
    case 'drip':
      return drip(response, reply, clock)
    case 'unending':
      response.writeHead(reply.status, reply.headers)
      response.write(Buffer.from(reply.body ?? ''))
      return
    case 'wrong-length': {
      const bytes = Buffer.from(reply.body ?? '')
      response.writeHead(reply.status, {
        ...reply.headers,
        'content-length': String(bytes.length + 10),
      })
      response.write(bytes, () => socket?.end())
    }
  }
}

const DRIP_MS = seconds(1)

/** On a fake clock each byte takes its second along, so that the one who waits runs out of time. */
async function drip(response: ServerResponse, { status, headers, body = '' }: Reply, clock: Clock) {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'content-length': String(bytes.length), ...headers })
  for (const byte of bytes) {
    await clock.sleep(DRIP_MS)
    await everybodyIdle()
    if (response.destroyed) return
    response.write(Buffer.of(byte))
  }
  response.end()
}
