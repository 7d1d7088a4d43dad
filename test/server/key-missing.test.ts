import { describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { bearer, runProgram, startServer } from './support.ts'

const OLD_KEY = 'the-first-master-key-0123456789'
const NEW_KEY = 'the-second-master-key-0123456789'
const TOKEN = 'token-of-the-operator-0123'
const BASE = { ADMIN_TOKEN: TOKEN, COLLECT_PLATFORMS: 'xhs' }

const post = (url: string, path: string, body?: unknown) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...bearer(TOKEN), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** A folder in which a cookie and a site are sealed with the old key. */
async function openSealedFolder() {
  const server = await startServer({ ...BASE, COOKIE_MASTER_KEY: OLD_KEY })
  const cookie = 'a1=x; web_session=0a1b2c3d4e5f6071'
  await post(server.url, '/v1/cookies', { cookie_name: 'mine', platform: 'xhs', cookie })
  await post(server.url, '/api/sites', {
    sitemapUrl: 'https://example.com/sitemap.xml',
    apiKey: 'a1b2c3d4e5f60718',
  })
  await server.stop()
  return server.folder
}

describe('a master key that was taken away', () => {
  scenario('C07', 'stops the start while a cookie needs it, and names both', async () => {
    const SLUICE_DATA = await openSealedFolder()
    const env = { ...BASE, SLUICE_DATA, COOKIE_KEY_ID: 'k2', COOKIE_MASTER_KEY: NEW_KEY }

    const program = runProgram(env)
    const { code } = await program.exited

    expect(code).toBe(2)
    const refusal = program.lines().find(({ event }) => event === 'start.refused')
    expect(refusal).toMatchObject({ reason: 'key-missing' })
    expect(refusal?.msg).toMatch(/^The key "k1" is not configured, .*: mine\./)
    expect(refusal?.msg).toContain('Add k1:<that key> to COOKIE_KEYS_OLD')
    expect(program.output()).not.toContain(NEW_KEY)
  })

  scenario('C07', 'can go once everything is sealed anew, sites too', async () => {
    const SLUICE_DATA = await openSealedFolder()
    const rotated = { ...BASE, SLUICE_DATA, COOKIE_KEY_ID: 'k2', COOKIE_MASTER_KEY: NEW_KEY }

    const both = await startServer({ ...rotated, COOKIE_KEYS_OLD: `k1:${OLD_KEY}` })
    const resealed = await (await post(both.url, '/v1/cookies/rotate-key')).json()
    await both.stop()
    const alone = await startServer(rotated)
    const valid = await (await post(alone.url, '/v1/cookies/mine/validate')).json()
    await alone.stop()

    expect(resealed).toMatchObject({ data: { resealed: 2, stuck: [] } })
    expect(valid).toMatchObject({ data: { valid: true } })
  })

  scenario('C07', 'is not missed by a cookie that was given up', async () => {
    const SLUICE_DATA = await openSealedFolder()
    const before = await startServer({ ...BASE, SLUICE_DATA, COOKIE_MASTER_KEY: OLD_KEY })
    await post(before.url, '/v1/cookies/mine/disable')
    await before.stop()

    const env = { ...BASE, SLUICE_DATA, COOKIE_KEY_ID: 'k2', COOKIE_MASTER_KEY: NEW_KEY }
    const after = await startServer(env)

    expect(await after.stop()).toEqual({ code: 0, signal: null })
  })
})
