import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import net, { type TcpNetConnectOpts } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { guardedFetch, type Resolve } from '../../src/apps/node/guarded-fetch.ts'
import { PRIVATE_ADDRESS_CODE } from '../../src/core/address.ts'
import { type Fetch, type FetchReply, httpClient } from '../../src/core/http.ts'
import { redactValue } from '../../src/core/redact.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { localServer, type LocalServer } from '../support/local-server.ts'
import { scenario } from '../support/scenario.ts'

/** A public address. Nothing is ever sent there: see `routeToServer`. */
const PUBLIC = '8.8.8.8'

let server: LocalServer
let port: string

beforeEach(async () => {
  server = await localServer((_request, response) => {
    response.setHeader('set-cookie', 'web_session=secret')
    response.end('reached')
  })
  port = new URL(server.origin).port
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

/** A name server that answers from a list, the last for ever, and remembers what it was asked. */
function nameServer(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const resolve: Resolve = (hostname, done) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(hostname)
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    // As a real one: never at once.
    setImmediate(() => done(null, found))
  }
  return { asked, resolve }
}

/** A stand-in for the way to PUBLIC, which ends at our server. Tells what addresses the connections were given. */
function routeToServer(): string[] {
  const connected: string[] = []
  const detour = ({ lookup, ...options }: TcpNetConnectOpts) =>
    net.connect({
      ...options,
      lookup: (hostname, how, done) =>
        lookup?.(hostname, how, (error, found) => {
          const addresses = found as LookupAddress[]
          connected.push(...addresses.map(({ address }) => address))
          done(error, [{ address: '127.0.0.1', family: 4 }])
        }),
    })
  vi.spyOn(http.Agent.prototype, 'createConnection').mockImplementation(
    detour as http.Agent['createConnection'],
  )
  return connected
}

const ask = (fetch: Fetch, url: string) =>
  fetch(url, {
    method: 'GET',
    headers: {},
    redirect: 'manual',
    signal: new AbortController().signal,
  })
const codeOf = (error: unknown) => (error as { code?: string }).code
const textOf = ({ body }: FetchReply) => new Response(body).text()

describe('guardedFetch', () => {
  scenario('X04', 'a name that resolves to a private address is refused', async () => {
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1']) {
      const names = nameServer([address])
      const guarded = guardedFetch({ allowPrivate: false, resolve: names.resolve })

      const error = await ask(guarded, `http://inside.example:${port}/`).catch((thrown) => thrown)

      expect(codeOf(error)).toBe(PRIVATE_ADDRESS_CODE)
      expect(names.asked).toEqual(['inside.example'])
    }
    expect(server.connections.made).toBe(0)
  })

  scenario('X04', 'one private address among public ones is enough to refuse', async () => {
    const { resolve } = nameServer([PUBLIC, '127.0.0.1'])
    const guarded = guardedFetch({ allowPrivate: false, resolve })

    const error = await ask(guarded, `http://mixed.example:${port}/`).catch((thrown) => thrown)

    expect(codeOf(error)).toBe(PRIVATE_ADDRESS_CODE)
    expect(server.connections.made).toBe(0)
  })

  scenario('X04', 'with allowPrivate it is reached', async () => {
    const { resolve } = nameServer(['127.0.0.1'])
    const guarded = guardedFetch({ allowPrivate: true, resolve })

    const response = await ask(guarded, `http://inside.example:${port}/`)

    expect(await textOf(response)).toBe('reached')
  })

  scenario('X04', 'what is connected is what was checked: the name is asked once', async () => {
    // Public when asked first, private ever after. A guard that asks, then lets the connection ask again, falls in.
    const names = nameServer([PUBLIC], ['127.0.0.1'])
    const guarded = guardedFetch({ allowPrivate: false, resolve: names.resolve })
    const connected = routeToServer()

    const response = await ask(guarded, `http://rebinding.example:${port}/`)

    expect(await textOf(response)).toBe('reached')
    expect(connected).toEqual([PUBLIC])
    expect(names.asked).toEqual(['rebinding.example'])
  })

  scenario(
    'X04',
    'an address that needs no resolving is refused as well, in any spelling',
    async () => {
      const names = nameServer(['8.8.8.8'])
      const guarded = guardedFetch({ allowPrivate: false, resolve: names.resolve })

      for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::1]', '[::ffff:127.0.0.1]']) {
        const error = await ask(guarded, `http://${host}:${port}/`).catch((thrown) => thrown)
        expect(codeOf(error)).toBe(PRIVATE_ADDRESS_CODE)
      }
      expect(names.asked).toEqual([])
      expect(server.connections.made).toBe(0)
    },
  )

  it('asks the machine’s own resolver unless told otherwise', async () => {
    const open = guardedFetch({ allowPrivate: true })
    const response = await ask(open, `http://localhost:${port}/`)
    expect(await textOf(response)).toBe('reached')
  })

  it('tells of a name without an address, and of a resolver that fails', async () => {
    const none = guardedFetch({ allowPrivate: false, resolve: nameServer([]).resolve })
    await expect(ask(none, 'http://nobody.example/')).rejects.toThrow('has no address')

    const gone = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    const broken = guardedFetch({ allowPrivate: false, resolve: (_, done) => done(gone, []) })
    const error = await ask(broken, 'http://nobody.example/').catch((thrown) => thrown)
    expect(codeOf(error)).toBe('ENOTFOUND')
  })

  it('keeps a connection for the next request of a run', async () => {
    const guarded = guardedFetch({ allowPrivate: true })
    for (let i = 0; i < 4; i++) {
      await textOf(await ask(guarded, server.origin))
      await new Promise((idle) => setImmediate(idle))
    }
    expect(server.connections.made).toBe(1)
  })
})

describe('the client of the core on it', () => {
  const clientOn = (fetch: Fetch) =>
    httpClient({ fetch, clock: new FakeClock(), userAgent: 'Sluice/test', allowPrivate: false })

  scenario('X04', 'a private address behind a name is told as such', async () => {
    const { resolve } = nameServer(['127.0.0.1'])
    const client = clientOn(guardedFetch({ allowPrivate: false, resolve }))

    const result = await client.send({
      url: `http://inside.example:${port}/path?key=secret`,
      timeoutMs: 1_000,
      maxBytes: 1_000,
    })

    expect(result).toEqual({
      ok: false,
      failure: { kind: 'private-address', where: `http://inside.example:${port}/path?…` },
    })
  })

  it('gives answers whose headers print redacted', async () => {
    const { resolve } = nameServer(['127.0.0.1'])
    const client = clientOn(guardedFetch({ allowPrivate: true, resolve }))

    const result = await client.send({
      url: `http://inside.example:${port}/`,
      timeoutMs: 1_000,
      maxBytes: 1_000,
    })
    if (!result.ok) throw new Error(result.failure.kind)

    expect(await result.value.text()).toEqual({ ok: true, value: 'reached' })
    expect(redactValue(result.value.headers)).toMatchObject({ 'set-cookie': '***REDACTED***' })
  })
})
