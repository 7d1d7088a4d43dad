import { describe, expect, it } from 'vitest'
import { PRIVATE_ADDRESS_CODE } from '../../../src/core/address.ts'
import { describeHttpFailure, type HttpFailure } from '../../../src/core/http.ts'
import type { Result } from '../../../src/core/result.ts'
import { serve } from '../../support/local-server.ts'
import { clientOn, hang, replyOf, TIMEOUT_MS } from './client.ts'

describe('what a failure tells', () => {
  const CANARY = 'c4n4ry'
  const at = (origin: string) => `${origin}/path?key=${CANARY}#${CANARY}`
  const failing =
    (error: unknown): typeof fetch =>
    () =>
      Promise.reject(error)

  /** One way to come to each kind. */
  const WAYS: Record<string, () => Promise<Result<unknown, HttpFailure>>> = {
    'invalid-url': () => clientOn(fetch).ask(`nonsense ${CANARY}`),
    'invalid-url, another scheme': () => clientOn(fetch).ask(`ftp://a.example/?${CANARY}`),
    'invalid-url, no host': () => clientOn(fetch).ask(`data:text/plain,${CANARY}`),
    'invalid-url, credentials': () => clientOn(fetch).ask(`http://u:${CANARY}@a.example/`),
    'private-address': () => clientOn(fetch, false).ask(at('http://127.0.0.1')),
    'private-address, by its name': () =>
      clientOn(
        failing(
          new TypeError('fetch failed', {
            cause: Object.assign(new Error(CANARY), { code: PRIVATE_ADDRESS_CODE }),
          }),
        ),
        false,
      ).ask(at('http://a.example')),
    'timed-out': async () => {
      const server = await serve(hang)
      const { ask, clock } = clientOn(fetch)
      const asked = ask(at(server.origin))
      await server.arrival()
      clock.advance(TIMEOUT_MS)
      return asked
    },
    'too-large': async () => {
      const server = await serve((_request, response) => response.end('12345'))
      return replyOf(await clientOn(fetch).ask(at(server.origin), { maxBytes: 1 })).text()
    },
    'too-many-redirects': async () => {
      const server = await serve((_request, response) => {
        response.writeHead(302, { location: `/next?key=${CANARY}` }).end()
      })
      return clientOn(fetch).ask(at(server.origin), { maxRedirects: 1 })
    },
    aborted: () => clientOn(fetch).ask(at('http://a.example'), { signal: AbortSignal.abort() }),
    network: async () => {
      const server = await serve((request) => request.socket.destroy())
      return clientOn(fetch).ask(at(server.origin))
    },
    'network, an error with the address in it': () =>
      clientOn(failing(new TypeError(`cannot fetch ${at('http://a.example')}`))).ask(
        at('http://a.example'),
      ),
    'network, something else than an error': () =>
      clientOn(failing(CANARY)).ask(at('http://a.example')),
  }

  it.each(Object.entries(WAYS))(
    '%s: never the query, the fragment or a password',
    async (way, go) => {
      const result = await go()
      if (result.ok) throw new Error('it did not fail')
      const { failure } = result

      expect(failure.kind).toBe(way.split(',')[0])
      expect(JSON.stringify(failure)).not.toContain(CANARY)
      expect(describeHttpFailure(failure)).not.toContain(CANARY)
      expect(describeHttpFailure(failure)).toContain(failure.where)
      expect(describeHttpFailure(failure)).toMatch(/\.$/)
    },
  )

  it('is the deepest code there is, also in a circle of causes', async () => {
    const inner = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const noCode = new Error('socket', { cause: inner })
    const codes = [
      [new TypeError('fetch failed', { cause: noCode }), 'ECONNREFUSED'],
      [Object.assign(new Error('a', { cause: new Error('b') }), { code: 'OUTER' }), 'OUTER'],
      [new TypeError('no code at all'), 'TypeError'],
      ['a string', 'UNKNOWN'],
    ] as const
    for (const [error, code] of codes) {
      const result = await clientOn(failing(error)).ask('http://a.example/')
      expect(result).toMatchObject({ failure: { kind: 'network', code } })
    }

    const circle = new Error('round')
    circle.cause = circle
    expect(await clientOn(failing(circle)).ask('http://a.example/')).toMatchObject({ ok: false })
  })
})
