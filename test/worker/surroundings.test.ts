import { expect, it } from 'vitest'
import type { Env } from '../../src/apps/worker/bindings.ts'
import { surroundingsOf } from '../../src/apps/worker/surroundings.ts'
import { scenario } from '../support/scenario.ts'

const failureOf = (env: Readonly<Record<string, unknown>>) => {
  const around = surroundingsOf(env as unknown as Env)
  return around.ok ? undefined : around.failure
}

const COOKIE_MASTER_KEY = 'master-key-of-the-bindings-test-0123'

scenario('X08', 'STORE=kv without its binding, or without a key, says so and what to do', () => {
  expect(failureOf({ STORE: 'kv', COOKIE_MASTER_KEY })).toMatch(
    /no KV namespace bound as SLUICE_KV.*wrangler\.kv\.jsonc/,
  )
  expect(failureOf({ STORE: 'kv', SLUICE_KV: {} })).toMatch(
    /COOKIE_MASTER_KEY is not set.*wrangler secret put COOKIE_MASTER_KEY/,
  )
  expect(failureOf({ STORE: 'kv', SLUICE_KV: {}, COOKIE_MASTER_KEY })).toBeUndefined()
})

it('names the bindings of objects that are missing', () => {
  expect(failureOf({})).toMatch(/SITES and DIRECTORY are missing/)
  expect(failureOf({ SITES: {}, DIRECTORY: {} })).toBeUndefined()
})
