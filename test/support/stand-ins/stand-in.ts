import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../../src/core/clock.ts'
import { type Fault, isSilent, type Reply, sendFault, sendReply } from './faults.ts'

export interface SeenRequest {
  readonly at: number
  readonly method: string
  /** Path and query, as they came. */
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a request comes to by the service's rules. Nothing is remembered before `commit`. */
export interface Decision {
  readonly reply: Reply
  readonly commit?: () => void
  /** What happens instead, by a script for requests of this kind; one for the next request goes before it. */
  readonly step?: Step
}

/** Told for one request: what happens instead of the usual. */
export interface Step {
  /** Undefined: the usual answer. */
  readonly reply?: Reply
  readonly fault?: Fault
  /** The request does what it asked for, whatever the answer then says. */
  readonly takesEffect?: boolean
}

export interface StandIn {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  readonly requests: readonly SeenRequest[]
  /** What a correct client never does, whether or not the service would have let it pass. */
  readonly complaints: readonly string[]
  readonly maxInFlight: number
  /** Between the arrivals of two requests; infinite before the second. */
  readonly leastIntervalMs: number
  /** The next requests meet these steps in order, those after them the rules again. */
  script(...steps: readonly Step[]): void
  /** Every request that no script is left for meets this step; without one, the rules again. */
  always(step?: Step): void
  /** When the next request has arrived as a whole, before it is answered. */
  arrival(): Promise<SeenRequest>
  close(): Promise<void>
}

export const USUAL: Step = {}

export const answers = (status: number, body = '', headers: Reply['headers'] = {}): Step => ({
  reply: { status, body, headers },
})

export const breaks = (fault: Fault): Step => ({ fault })

/** The same, but the request has already done what it asked for: nobody who sent it can know. */
export const afterEffect = (step: Step): Step => ({ ...step, takesEffect: true })

export function json(status: number, value: unknown): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  }
}

export interface StandInOptions {
  readonly clock: Clock
  readonly port?: number
  readonly decide: (
    request: SeenRequest,
    complain: (what: string) => void,
  ) => Decision | Promise<Decision>
}

/** A real server on this machine that follows a service's rules, unless it is told to break them. */
export async function openStandIn({ clock, port = 0, decide }: StandInOptions): Promise<StandIn> {
  const requests: SeenRequest[] = []
  const complaints: string[] = []
  const steps: Step[] = []
  const arrivals: ((request: SeenRequest) => void)[] = []
  let constant: Step = USUAL
  let inFlight = 0
  let maxInFlight = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let leastIntervalMs = Number.POSITIVE_INFINITY

  const count = (response: ServerResponse, at: number) => {
    maxInFlight = Math.max(maxInFlight, ++inFlight)
    leastIntervalMs = Math.min(leastIntervalMs, at - lastAt)
    lastAt = at
    response.on('close', () => inFlight--)
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const at = clock.now()
    count(response, at)
    // Its own clock, not this machine's.
    response.setHeader('date', new Date(at).toUTCString())
    const { method = '', url: target = '', headers } = incoming
    const request = { at, method, target, headers, body: await bodyOf(incoming) }
    requests.push(request)
    const [scripted, otherwise] = [steps.shift(), constant]
    for (const arrive of arrivals.splice(0)) arrive(request)

    const usual = await decide(request, (what) => complaints.push(what))
    const { reply, fault, takesEffect } = scripted ?? usual.step ?? otherwise
    const isUsual = reply === undefined && (fault === undefined || !isSilent(fault))
    if (isUsual || takesEffect) usual.commit?.()
    if (fault) await sendFault(response, fault, { reply: reply ?? usual.reply, clock })
    else sendReply(response, reply ?? usual.reply)
  }

  const server = createServer((incoming, response) => {
    // What the other side does to a connection is its own affair.
    response.on('error', () => undefined)
    answer(incoming, response).catch((error: unknown) => {
      if (!incoming.complete) return
      complaints.push(`the stand-in failed: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const address = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    complaints,
    get maxInFlight() {
      return maxInFlight
    },
    get leastIntervalMs() {
      return leastIntervalMs
    },
    script: (...told) => void steps.push(...told),
    always: (step = USUAL) => {
      constant = step
    },
    arrival: () => new Promise((arrive) => arrivals.push(arrive)),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of incoming.setEncoding('utf8')) body += String(chunk)
  return body
}
