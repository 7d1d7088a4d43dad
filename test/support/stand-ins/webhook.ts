import type { Clock } from '../../../src/core/clock.ts'
import { json, openStandIn, type SeenRequest, type StandIn } from './stand-in.ts'

export interface Posted {
  readonly at: number
  readonly headers: SeenRequest['headers']
  readonly json: unknown
}

export interface Webhook extends StandIn {
  /** With a token in its path, as chat services have it: it must not show up anywhere. */
  readonly url: string
  /** What was taken, first to last; a post that met a failure is not in it. */
  readonly posted: readonly Posted[]
}

/** Takes posts of JSON and remembers them; `script` and `always` make it fail. */
export async function openWebhook({
  clock,
  port = 0,
}: {
  readonly clock: Clock
  readonly port?: number
}): Promise<Webhook> {
  const posted: Posted[] = []
  const standIn = await openStandIn({
    clock,
    port,
    decide({ at, method, target, headers, body }, complain) {
      const refuse = (status: number, why: string) => {
        complain(why)
        return { reply: json(status, { error: why }) }
      }
      if (target !== PATH) return refuse(404, `${target} is not the webhook's address`)
      if (method !== 'POST') return refuse(405, `${method} is not POST`)
      if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
        return refuse(415, 'the content type is not application/json')
      }
      try {
        const value: unknown = JSON.parse(body)
        return {
          reply: json(200, { ok: true }),
          commit: () => void posted.push({ at, headers, json: value }),
        }
      } catch {
        return refuse(400, 'the body is not JSON')
      }
    },
  })
  return Object.assign(standIn, { url: `${standIn.origin}${PATH}`, posted })
}

const PATH = '/hook/webhook-canary-7f3a'
