import { createHash } from 'node:crypto'
import type { Clock } from '../../../../src/core/clock.ts'
import type { Reply } from '../faults.ts'
import type { Decision } from '../stand-in.ts'
import type { Call } from './calls.ts'
import { Refused } from './codes.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export interface ClientTokens {
  /** Answers a repeat as its first time was answered; lets `first` decide otherwise, and remembers what it decides. */
  once(call: Call, first: () => Decision): Decision
  forget(): void
}

/**
 * Creates with a `client_token` are done once. How long Bitable remembers them is not documented, so that nobody may count
 * on it: `rememberedMs` is as long as a test wants it to be. A token that comes with another request is a conflict.
 */
export function openClientTokens(clock: Clock, rememberedMs: number): ClientTokens {
  const done = new Map<string, { asked: string; reply: Reply; until: number }>()
  return {
    once(call, first) {
      const token = call.query.get('client_token')
      if (token === null || token === '') return first()
      if (!UUID_V4.test(token)) throw new Refused(1254037)
      const asked = fingerprintOf(call)
      const before = done.get(token)
      if (before && clock.now() < before.until) {
        if (before.asked !== asked) throw new Refused(1255006)
        return { reply: before.reply }
      }
      const { reply, commit } = first()
      return {
        reply,
        commit() {
          commit?.()
          done.set(token, { asked, reply, until: clock.now() + rememberedMs })
        },
      }
    },
    forget: () => done.clear(),
  }
}

function fingerprintOf({ name, app, table, request }: Call): string {
  return createHash('sha256').update([name, app, table, request.body].join('\n')).digest('hex')
}
