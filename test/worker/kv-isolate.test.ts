import { expect } from 'vitest'
import { readConfig } from '../../src/apps/read-config.ts'
import type { Env } from '../../src/apps/worker/bindings.ts'
import { answerFromKv } from '../../src/apps/worker/kv-worker.ts'
import { NO_ASSETS } from '../../src/apps/worker/worker-pages.ts'
import { minutes } from '../../src/core/duration.ts'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import type { KvNamespace } from '../../src/stores/kv/kv.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'
import { openKvStandIn } from '../support/stand-ins/kv.ts'
import { KEY } from '../support/world.ts'

const TOKEN = 'token-of-the-kv-isolate-test'

/** One isolate, which answers any number of requests. */
function openIsolate(variables: Readonly<Record<string, string>> = {}) {
  const clock = new FakeClock()
  const place = openKvStandIn(clock).place()
  const refusals: string[] = []
  const namespace: KvNamespace = {
    ...place,
    async put(...given) {
      const refusal = refusals.shift()
      if (refusal !== undefined) throw new Error(refusal)
      await place.put(...given)
    },
  }
  const given = { STORE: 'kv', COOKIE_MASTER_KEY: 'master-key-of-the-isolate-test-0123' }
  const read = readConfig({ ...given, ...variables }, { version: '0.0.0', isTerminal: false })
  if (!read.ok) throw new Error('bad settings')
  const tokens = { admin: new Secret(TOKEN), advice: '' }
  const { config } = read.value
  const around = { config, clock, random: countingRandom(), log: silentLog, tokens }
  const env = { SLUICE_KV: namespace } as unknown as Env
  const ask = async (path: string, init: RequestInit) => {
    const later: Promise<unknown>[] = []
    const context = { waitUntil: (work: Promise<unknown>) => void later.push(work) }
    const request = new Request(`https://sluice.test${path}`, init)
    const response = await answerFromKv(request, env, { around, context, assets: NO_ASSETS })
    await Promise.all(later)
    return response
  }
  return { clock, refusals, ask }
}

scenario('X02', 'the site of the environment is taken over once KV lets it', async () => {
  const { ask, refusals } = openIsolate({
    SITEMAP_URL: 'https://shop.test/sitemap.xml',
    INDEXNOW_API_KEY: KEY,
  })
  const headers = { authorization: `Bearer ${TOKEN}` }
  const sites = async () => {
    const response = await ask('/api/sites', { headers })
    return ((await response.json()) as { readonly sites: readonly { id: string }[] }).sites
  }
  refusals.push('KV PUT failed: 500 Internal Server Error')

  const before = await sites()
  const after = await sites()

  expect(before).toEqual([])
  expect(after).toMatchObject([{ id: 'shop.test' }])
})

scenario('X06', 'wrong tokens are counted from one request to the next, by address', async () => {
  const { ask, clock } = openIsolate()
  const logIn = async (address: string, token: string) => {
    const body = new URLSearchParams({ token })
    const headers = { 'cf-connecting-ip': address }
    return (await ask('/login', { method: 'POST', body, headers })).status
  }
  for (let n = 0; n < 10; n++) expect(await logIn('192.0.2.1', 'wrong')).toBe(403)

  const guesser = await logIn('192.0.2.1', TOKEN)
  const other = await logIn('192.0.2.2', TOKEN)
  clock.advance(minutes(5))
  const later = await logIn('192.0.2.1', TOKEN)

  expect([guesser, other, later]).toEqual([429, 303, 303])
})
