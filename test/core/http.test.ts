import { getEventListeners } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { guardedFetch } from '../../src/apps/node/guarded-fetch.ts'
import { PRIVATE_ADDRESS_CODE } from '../../src/core/address.ts'
import { seconds } from '../../src/core/duration.ts'
import {
  describeHttpFailure,
  type Fetch,
  httpClient,
  type HttpFailure,
  type HttpReply,
  type HttpRequest,
} from '../../src/core/http.ts'
import { fail, ok, type Result } from '../../src/core/result.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { localServer, type LocalServer } from '../support/local-server.ts'
import { scenario } from '../support/scenario.ts'

const TIMEOUT_MS = seconds(30)
const servers: LocalServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(answer: RequestListener) {
  const server = await localServer(answer)
  servers.push(server)
  return server
}

/** A client on the given `fetch`, with time that stands still until moved. */
function clientOn(fetch: Fetch, allowPrivate = true) {
  const clock = new FakeClock()
  const client = httpClient({ fetch, clock, userAgent: 'Sluice/test', allowPrivate })
  const ask = (url: string, more: Partial<HttpRequest> = {}) =>
    client.send({ url, timeoutMs: TIMEOUT_MS, maxBytes: 1_000_000, ...more })
  return { clock, ask }
}

function replyOf(result: Result<HttpReply, HttpFailure>): HttpReply {
  if (!result.ok) throw new Error(`no reply: ${describeHttpFailure(result.failure)}`)
  return result.value
}

async function textOf(result: Result<HttpReply, HttpFailure>): Promise<string> {
  const text = await replyOf(result).text()
  if (!text.ok) throw new Error(`no text: ${describeHttpFailure(text.failure)}`)
  return text.value
}

const hang: RequestListener = () => undefined

/** Sends as much as the other side takes, for ever. */
function endlessly(response: ServerResponse, chunk: Uint8Array) {
  while (!response.destroyed && response.write(chunk));
  response.once('drain', () => endlessly(response, chunk))
}

const FETCHES = [
  ['the platform’s fetch', fetch],
  ['the guarded fetch', guardedFetch({ allowPrivate: true })],
] as const

describe.each(FETCHES)('httpClient on %s', (_, fetch) => {
  describe('an answer', () => {
    it('has its status, headers, text and address', async () => {
      const server = await serve((_request, response) => {
        response.writeHead(404, { 'x-kind': 'missing' }).end('nicht da: ü')
      })
      const { ask, clock } = clientOn(fetch)

      const reply = replyOf(await ask(`${server.origin}/a?b=c`, { headers: { 'x-mine': '1' } }))

      expect(reply).toMatchObject({ status: 404, url: `${server.origin}/a?b=c` })
      expect(reply.headers.get('x-kind')).toBe('missing')
      expect(await reply.text()).toEqual(ok('nicht da: ü'))
      expect(server.seen).toMatchObject([
        { method: 'GET', url: '/a?b=c', headers: { 'user-agent': 'Sluice/test', 'x-mine': '1' } },
      ])
      expect(clock.waiting).toBe(0)
    })

    it('is handed over chunk by chunk, decompressed, split characters whole', async () => {
      const body = gzipSync('日本語 '.repeat(20_000))
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        for (let i = 0; i < body.length; i += 100) response.write(body.subarray(i, i + 100))
        response.end()
      })
      const { ask } = clientOn(fetch)

      let bytes = 0
      const reply = replyOf(await ask(server.origin))
      const read = await reply.each(async (chunk) => {
        bytes += chunk.byteLength
        await Promise.resolve()
      })

      expect([read, bytes]).toEqual([ok(undefined), 200_000])
      expect(await textOf(await ask(server.origin))).toBe('日本語 '.repeat(20_000))
    })

    it.each(['HEAD', 'DELETE'] as const)('to %s may have no body', async (method) => {
      const server = await serve((_request, response) => response.writeHead(204).end())
      const { ask, clock } = clientOn(fetch)

      expect(await textOf(await ask(server.origin, { method }))).toBe('')
      expect(server.seen[0]?.method).toBe(method)
      expect(clock.waiting).toBe(0)
    })

    it('to a POST is to what was sent', async () => {
      const server = await serve((_request, response) => response.end())
      const { ask } = clientOn(fetch)
      const headers = { 'content-type': 'application/json; charset=utf-8' }

      await textOf(await ask(server.origin, { method: 'POST', headers, body: '{"ü":1}' }))

      expect(server.seen).toMatchObject([{ method: 'POST', headers, body: '{"ü":1}' }])
    })

    it('read to its end leaves the connection for the next', async () => {
      const server = await serve((_request, response) => response.end('x'))
      const { ask } = clientOn(fetch)

      for (let i = 0; i < 5; i++) await textOf(await ask(server.origin))

      expect(server.connections.made).toBeLessThan(3)
    })

    it('discarded ends at once: its connection, its timer, its listener', async () => {
      const server = await serve((_request, response) => endlessly(response, Buffer.alloc(999)))
      const { ask, clock } = clientOn(fetch)
      const outer = new AbortController()

      const reply = replyOf(await ask(server.origin, { signal: outer.signal }))
      await reply.discard()
      await server.deserted()

      expect(clock.waiting).toBe(0)
      expect(getEventListeners(outer.signal, 'abort')).toEqual([])
    })

    it('discarded while it is read ends the reading', async () => {
      const server = await serve((_request, response) => void response.write('a'))
      const { ask, clock } = clientOn(fetch)

      const reply = replyOf(await ask(server.origin))
      const read = reply.each(() => void reply.discard())

      expect(await read).toEqual(fail({ kind: 'aborted', where: `${server.origin}/` }))
      await server.deserted()
      expect(clock.waiting).toBe(0)
    })

    it('is read once; reading it again is a bug', async () => {
      const server = await serve((_request, response) => response.end('x'))
      const { ask } = clientOn(fetch)
      const reply = replyOf(await ask(server.origin))
      await reply.text()
      await expect(reply.text()).rejects.toThrow(TypeError)
    })

    it('lets what its taker throws pass, and ends', async () => {
      const server = await serve((_request, response) => endlessly(response, Buffer.alloc(999)))
      const { ask, clock } = clientOn(fetch)

      for (const take of [
        () => {
          throw new RangeError('a bug of the taker')
        },
        () => Promise.reject(new RangeError('a bug of the taker')),
      ]) {
        const reply = replyOf(await ask(server.origin))
        await expect(reply.each(take)).rejects.toThrow('a bug of the taker')
      }

      await server.deserted()
      expect(clock.waiting).toBe(0)
    })
  })

  describe('time', () => {
    it('is up for a server that takes the request and says nothing', async () => {
      const server = await serve(hang)
      const { ask, clock } = clientOn(fetch)
      const outer = new AbortController()

      const asked = ask(`${server.origin}/slow`, { signal: outer.signal })
      await server.arrival()
      clock.advance(TIMEOUT_MS)

      const where = `${server.origin}/slow`
      expect(await asked).toEqual(fail({ kind: 'timed-out', where, afterMs: TIMEOUT_MS }))
      await server.deserted()
      expect(clock.waiting).toBe(0)
      expect(getEventListeners(outer.signal, 'abort')).toEqual([])
    })

    it('is not up a millisecond early', async () => {
      const server = await serve((_request, response) => {
        clock.advance(TIMEOUT_MS - 1)
        response.end('just in time')
      })
      const { ask, clock } = clientOn(fetch)
      expect(await textOf(await ask(server.origin))).toBe('just in time')
    })

    it('is up for a server that stops in the middle of the body', async () => {
      const server = await serve((_request, response) => void response.write('half'))
      const { ask, clock } = clientOn(fetch)
      const taken: string[] = []

      const reply = replyOf(await ask(server.origin))
      const read = await reply.each((chunk) => {
        taken.push(Buffer.from(chunk).toString())
        clock.advance(TIMEOUT_MS)
      })

      expect(read).toMatchObject({ failure: { kind: 'timed-out', afterMs: TIMEOUT_MS } })
      expect(taken).toEqual(['half'])
      await server.deserted()
    })

    it('is one for all: a drip of bytes does not lengthen it', async () => {
      let drip: ServerResponse | undefined
      const server = await serve((_request, response) => {
        drip = response
        response.write('.')
      })
      const { ask, clock } = clientOn(fetch)
      let drops = 0

      const reply = replyOf(await ask(server.origin))
      const read = await reply.each(() => {
        drops++
        drip?.write('.')
        clock.advance(seconds(1))
      })

      expect(read).toMatchObject({ failure: { kind: 'timed-out' } })
      expect(drops).toBe(30)
    })

    it('goes on through redirects', async () => {
      const server = await serve((_request, response) => {
        clock.advance(seconds(10))
        response.writeHead(302, { location: '/next' }).end()
      })
      const { ask, clock } = clientOn(fetch)

      const result = await ask(server.origin, { maxRedirects: 50 })

      expect(result).toMatchObject({ failure: { kind: 'timed-out' } })
      expect(server.seen.length).toBe(3)
    })

    it('is up for an answer that nobody reads or discards', async () => {
      const server = await serve((_request, response) => void response.write('half'))
      const { ask, clock } = clientOn(fetch)

      const reply = replyOf(await ask(server.origin))
      clock.advance(TIMEOUT_MS)

      await server.deserted()
      expect(await reply.text()).toMatchObject({ failure: { kind: 'timed-out' } })
    })
  })

  describe('a caller that aborts', () => {
    it('before the request sends none', async () => {
      const server = await serve(hang)
      const { ask, clock } = clientOn(fetch)

      const result = await ask(server.origin, { signal: AbortSignal.abort() })

      expect(result).toEqual(fail({ kind: 'aborted', where: `${server.origin}/` }))
      expect([server.seen, clock.waiting]).toEqual([[], 0])
    })

    it('before the answer', async () => {
      const server = await serve(hang)
      const { ask, clock } = clientOn(fetch)
      const outer = new AbortController()

      const asked = ask(server.origin, { signal: outer.signal })
      await server.arrival()
      outer.abort(new Error('a reason with a secret'))

      expect(await asked).toEqual(fail({ kind: 'aborted', where: `${server.origin}/` }))
      await server.deserted()
      expect(clock.waiting).toBe(0)
    })

    it('in the middle of the body', async () => {
      const server = await serve((_request, response) => void response.write('half'))
      const { ask, clock } = clientOn(fetch)
      const outer = new AbortController()

      const reply = replyOf(await ask(server.origin, { signal: outer.signal }))
      const read = await reply.each(() => outer.abort())

      expect(read).toEqual(fail({ kind: 'aborted', where: `${server.origin}/` }))
      await server.deserted()
      expect(clock.waiting).toBe(0)
    })
  })

  describe('a connection', () => {
    it('that is refused', async () => {
      const server = await serve(hang)
      await server.close()
      const { ask, clock } = clientOn(fetch)

      expect(await ask(server.origin)).toEqual(
        fail({ kind: 'network', where: `${server.origin}/`, code: 'ECONNREFUSED' }),
      )
      expect(clock.waiting).toBe(0)
    })

    it('that is reset before the answer', async () => {
      const server = await serve((request) => request.socket.resetAndDestroy())
      const { ask, clock } = clientOn(fetch)

      const result = await ask(server.origin)

      expect(result).toMatchObject({
        failure: { kind: 'network', code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
      })
      expect(clock.waiting).toBe(0)
    })

    it('that is reset in the middle of the body', async () => {
      const server = await serve((request, response) => {
        response.write('half', () => request.socket.resetAndDestroy())
      })
      const { ask, clock } = clientOn(fetch)

      const read = await replyOf(await ask(server.origin)).text()

      expect(read).toMatchObject({
        failure: { kind: 'network', code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
      })
      expect(clock.waiting).toBe(0)
    })

    it('that ends before the length it promised', async () => {
      const server = await serve((request, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('short', () => request.socket.end())
      })
      const { ask } = clientOn(fetch)
      expect(await replyOf(await ask(server.origin)).text()).toMatchObject({
        failure: { kind: 'network', code: expect.stringMatching(/ECONNRESET|UND_ERR/) },
      })
    })

    it('that goes on past the length it promised', async () => {
      const server = await serve((request) => {
        request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n12345SMUGGLED')
      })
      const { ask } = clientOn(fetch)
      const result = await ask(server.origin)
      const text = result.ok ? await result.value.text() : result
      // The one may find out before it hands the answer over, the other after: neither hands over the rest.
      expect([ok('12345'), expect.objectContaining({ ok: false })]).toContainEqual(text)
    })

    it('that speaks no HTTP', async () => {
      const server = await serve((request) => void request.socket.end('SSH-2.0-OpenSSH\r\n'))
      const { ask } = clientOn(fetch)
      expect(await ask(server.origin)).toMatchObject({
        failure: { kind: 'network', code: expect.stringMatching(/^HPE_|HTTPParserError/) },
      })
    })

    it('whose gzip is broken', async () => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip')
      })
      const { ask } = clientOn(fetch)
      expect(await replyOf(await ask(server.origin)).text()).toMatchObject({
        failure: { kind: 'network', code: 'Z_DATA_ERROR' },
      })
    })
  })

  describe('size', () => {
    it('is counted after decompression: a gzip bomb ends at the limit', async () => {
      const bomb = gzipSync(Buffer.alloc(64_000_000))
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
      })
      const { ask, clock } = clientOn(fetch)
      let bytes = 0

      const reply = replyOf(await ask(server.origin, { maxBytes: 500_000 }))
      const read = await reply.each((chunk) => void (bytes += chunk.byteLength))

      const where = `${server.origin}/`
      expect(read).toEqual(fail({ kind: 'too-large', where, maxBytes: 500_000 }))
      expect(bomb.length).toBeLessThan(100_000)
      expect(bytes).toBeLessThanOrEqual(500_000)
      expect(clock.waiting).toBe(0)
    })

    it('of an endless body ends at the limit, and so does the connection', async () => {
      const server = await serve((_request, response) => {
        endlessly(response, Buffer.alloc(10_000, 'x'))
      })
      const { ask, clock } = clientOn(fetch)

      const read = await replyOf(await ask(server.origin, { maxBytes: 100_000 })).text()

      expect(read).toMatchObject({ failure: { kind: 'too-large', maxBytes: 100_000 } })
      await server.deserted()
      expect(clock.waiting).toBe(0)
    })

    it('may be the limit exactly, not a byte more', async () => {
      const server = await serve((_request, response) => response.end('12345'))
      const { ask } = clientOn(fetch)
      expect(await textOf(await ask(server.origin, { maxBytes: 5 }))).toBe('12345')
      expect(await replyOf(await ask(server.origin, { maxBytes: 4 })).text()).toMatchObject({
        failure: { kind: 'too-large' },
      })
    })
  })

  describe('a redirect', () => {
    const redirecting = (status: number, location: string) =>
      serve((request, response) => {
        if (request.url === '/end') response.end('the end')
        else response.writeHead(status, { location }).end('moved')
      })

    scenario('C20', 'leads where its bytes say, also those beyond ASCII', async () => {
      const written = [Buffer.from('/文章'), Buffer.from('/\xfc', 'latin1')]
      for (const [n, path] of ['/%E6%96%87%E7%AB%A0', '/%C3%BC'].entries()) {
        const server = await serve(({ url }, response) => {
          if (url !== '/') response.end('end')
          else response.writeHead(302, { location: written[n]?.toString('latin1') }).end()
        })
        const { ask } = clientOn(fetch)

        const reply = replyOf(await ask(`${server.origin}/`, { maxRedirects: 5 }))

        expect(reply.url).toBe(`${server.origin}${path}`)
        await reply.discard()
      }
    })

    it('is the answer itself unless redirects are to be followed', async () => {
      const server = await redirecting(301, '/end')
      const { ask } = clientOn(fetch)

      const reply = replyOf(await ask(`${server.origin}/start`))

      expect([reply.status, reply.headers.get('location')]).toEqual([301, '/end'])
      expect(await reply.text()).toEqual(ok('moved'))
    })

    it.each([301, 302, 303, 307, 308])('%d is followed', async (status) => {
      const server = await redirecting(status, '/end')
      const { ask } = clientOn(fetch)

      const reply = replyOf(await ask(`${server.origin}/start`, { maxRedirects: 1 }))

      expect([reply.status, reply.url]).toEqual([200, `${server.origin}/end`])
      expect(await reply.text()).toEqual(ok('the end'))
    })

    it('in a circle ends after as many as allowed', async () => {
      const server = await redirecting(302, '/again?secret=1')
      const { ask, clock } = clientOn(fetch)

      const result = await ask(`${server.origin}/start`, { maxRedirects: 5 })

      expect(result).toEqual(
        fail({ kind: 'too-many-redirects', where: `${server.origin}/again?…`, followed: 5 }),
      )
      expect(server.seen.length).toBe(6)
      expect(clock.waiting).toBe(0)
    })

    it.each(['http://[', 'https://exa mple.com', 'http://'])(
      'to %j, which is no address, is the answer itself',
      async (location) => {
        const server = await redirecting(302, location)
        const { ask } = clientOn(fetch)
        const reply = replyOf(await ask(server.origin, { maxRedirects: 5 }))
        expect([reply.status, await reply.text()]).toEqual([302, ok('moved')])
      },
    )

    it('without an address is the answer itself', async () => {
      const server = await serve((_request, response) => response.writeHead(302).end('moved'))
      const { ask } = clientOn(fetch)
      const reply = replyOf(await ask(server.origin, { maxRedirects: 5 }))
      expect([reply.status, await reply.text()]).toEqual([302, ok('moved')])
    })

    it.each([
      'ftp://a.example/x',
      'file:///etc/passwd',
      'data:text/plain,x',
      'http://u:p@a.example/',
    ])('to %s is refused', async (location) => {
      const server = await redirecting(302, location)
      const { ask, clock } = clientOn(fetch)
      expect(await ask(server.origin, { maxRedirects: 5 })).toMatchObject({
        failure: { kind: 'invalid-url' },
      })
      expect(clock.waiting).toBe(0)
    })

    const post = {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'x-mine': '1' },
      body: 'the body',
      maxRedirects: 1,
    } as const

    it.each([301, 302, 303])('%d turns a POST into a GET without its body', async (status) => {
      const server = await redirecting(status, '/end')
      const { ask } = clientOn(fetch)

      await textOf(await ask(`${server.origin}/start`, post))

      expect(server.seen[1]).toMatchObject({ method: 'GET', body: '', headers: { 'x-mine': '1' } })
      expect(server.seen[1]?.headers).not.toHaveProperty('content-type')
      expect(server.seen[1]?.headers).not.toHaveProperty('content-length')
    })

    it.each([307, 308])('%d sends the same again, body and all', async (status) => {
      const server = await redirecting(status, '/end')
      const { ask } = clientOn(fetch)

      await textOf(await ask(`${server.origin}/start`, post))

      expect(server.seen[1]).toMatchObject({
        method: 'POST',
        body: 'the body',
        headers: { 'content-type': 'text/plain', 'x-mine': '1' },
      })
    })

    it('303 turns a PUT into a GET, but 302 does not, and HEAD stays HEAD', async () => {
      const { ask } = clientOn(fetch)
      const methodAfter = async (status: number, method: 'PUT' | 'HEAD') => {
        const server = await redirecting(status, '/end')
        await textOf(await ask(`${server.origin}/start`, { method, maxRedirects: 1 }))
        return server.seen[1]?.method
      }
      expect(await methodAfter(303, 'PUT')).toBe('GET')
      expect(await methodAfter(302, 'PUT')).toBe('PUT')
      expect(await methodAfter(303, 'HEAD')).toBe('HEAD')
    })

    it('to another origin loses what was meant for the first', async () => {
      const other = await serve((_request, response) => response.end())
      const server = await redirecting(302, `${other.origin}/`)
      const { ask } = clientOn(fetch)
      const headers = { Authorization: 'Bearer x', cookie: 'a=b', 'X-Mine': '1' }

      await textOf(await ask(server.origin, { headers, maxRedirects: 1 }))

      expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'a=b' })
      expect(other.seen[0]?.headers).toMatchObject({ 'x-mine': '1', 'user-agent': 'Sluice/test' })
      expect(other.seen[0]?.headers).not.toHaveProperty('authorization')
      expect(other.seen[0]?.headers).not.toHaveProperty('cookie')
    })

    it('within one origin keeps them', async () => {
      const server = await redirecting(302, '/end')
      const { ask } = clientOn(fetch)
      await textOf(await ask(server.origin, { headers: { cookie: 'a=b' }, maxRedirects: 1 }))
      expect(server.seen[1]?.headers).toMatchObject({ cookie: 'a=b' })
    })
  })
})

describe('private addresses', () => {
  /** A public name, in truth on this machine: only the client's own check stands between. */
  const asPublic = (server: LocalServer) =>
    clientOn((url, init) => fetch(url.replace('http://public.example', server.origin), init), false)

  scenario('X04', 'a request to a private address is not made', async () => {
    const server = await serve((_request, response) => response.end())
    const { ask, clock } = asPublic(server)
    const { port } = new URL(server.origin)

    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '[::ffff:127.0.0.1]']) {
      expect(await ask(`http://${host}:${port}/`)).toMatchObject({
        failure: { kind: 'private-address' },
      })
    }

    expect([server.seen, clock.waiting]).toEqual([[], 0])
  })

  scenario('X04', 'nor when a redirect leads there', async () => {
    const targets = [
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'http://10.0.0.1/',
      '//localhost/',
      'http://0x7f.1/',
    ]
    const server = await serve((request, response) => {
      response.writeHead(302, { location: targets[Number(request.url?.slice(1))] }).end()
    })
    const { ask } = asPublic(server)

    for (const n of targets.keys()) {
      const result = await ask(`http://public.example/${n}`, { maxRedirects: 5 })
      expect(result).toMatchObject({ failure: { kind: 'private-address' } })
    }

    expect(server.seen.length).toBe(targets.length)
  })

  scenario('X04', 'a public name and a public redirect pass', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/end') response.end('public')
      else response.writeHead(302, { location: '/end' }).end()
    })
    const { ask } = asPublic(server)
    expect(await textOf(await ask('http://public.example/', { maxRedirects: 1 }))).toBe('public')
  })
})

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
