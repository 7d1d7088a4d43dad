import type { Clock } from '../../../../src/core/clock.ts'
import { type Decision, json } from '../stand-in.ts'
import { type BitableCode, refusal } from './codes.ts'
import { BITABLE_LIMITS } from './limits.ts'

export interface BitableApp {
  readonly appId: string
  readonly appSecret: string
}

export interface Tokens {
  issue(body: unknown): Decision
  /** What is wrong with an `Authorization` header; undefined: nothing. */
  fault(authorization: string | undefined): BitableCode | undefined
  /** Every token given out so far is worth nothing from now on. */
  expire(): void
}

/** Tenant access tokens: two hours each; until the last half hour, asking again gives the same one. */
export function openTokens(app: BitableApp, clock: Clock): Tokens {
  const expiries = new Map<string, number>()
  let latest = ''
  let made = 0

  const left = (token: string) => (expiries.get(token) ?? 0) - clock.now()
  return {
    issue(body) {
      const { app_id: id, app_secret: secret } = Object(body) as Record<string, unknown>
      if (typeof id !== 'string' || typeof secret !== 'string') return { reply: refusal(10003) }
      if (id !== app.appId || secret !== app.appSecret) return { reply: refusal(10014) }
      if (left(latest) < BITABLE_LIMITS.tokenRenewedMs) {
        latest = `t-stand-in-${++made}`
        expiries.set(latest, clock.now() + BITABLE_LIMITS.tokenMs)
      }
      const expire = Math.floor(left(latest) / 1_000)
      return { reply: json(200, { code: 0, msg: 'ok', tenant_access_token: latest, expire }) }
    },
    fault(authorization) {
      const [, token] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? []
      if (token === undefined) return 99991661
      return left(token) > 0 ? undefined : 99991663
    },
    expire: () => expiries.clear(),
  }
}
