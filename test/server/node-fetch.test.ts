import { lookup } from 'node:dns'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer, type LookupFunction, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nodeFetch } from '../../src/apps/node/node-fetch.ts'
import type { FetchInit, FetchReply } from '../../src/core/http.ts'
import { serve } from '../support/local-server.ts'
import { scenario } from '../support/scenario.ts'

const PAGE = 'A page of a few words, a few words, a few words: ü'
const NUMBERS = Array.from({ length: 1_000 }, (_, n) => `${n}\n`).join('')
const byMachine: LookupFunction = (hostname, options, done) => lookup(hostname, options, done)
const fetch = nodeFetch({ lookup: byMachine })

const asking = (init: Partial<FetchInit> = {}): FetchInit => ({
  method: 'GET',
  headers: {},
  redirect: 'manual',
  signal: new AbortController().signal,
  ...init,
})
const ask = (url: string, init?: Partial<FetchInit>) => fetch(url, asking(init))

/** When everything that is on its way has arrived. */
const later = async () => {
  for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next))
}

const textOf = ({ body }: FetchReply) => new Response(body).text()

describe('an encoded body', () => {
  it.each([
    ['gzip', gzipSync(PAGE)],
    ['x-gzip', gzipSync(PAGE)],
    ['GZip', gzipSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['deflate', deflateSync(PAGE)],
    ['gzip, br', brotliCompressSync(gzipSync(PAGE))],
    ['identity', Buffer.from(PAGE)],
  ])('is decoded: %s', async (coding, bytes) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(bytes)
    })

    const reply = await ask(server.origin)

    expect(await textOf(reply)).toBe(PAGE)
    expect(server.seen[0]?.headers).toMatchObject({ 'accept-encoding': 'gzip, br' })
  })

  it.each([
    ['a coding that is unknown', 'zip-of-tomorrow'],
    ['a coding that only an object knows', 'constructor'],
    ['more codings than anybody needs', 'gzip, gzip, gzip, gzip, gzip, gzip'],
  ])('is left alone in %s', async (_, coding) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end('as it came')
    })

    expect(await textOf(await ask(server.origin))).toBe('as it came')
  })

  it.each([
    ['gzip', gzipSync(NUMBERS)],
    ['br', brotliCompressSync(NUMBERS)],
    ['deflate', deflateSync(NUMBERS)],
  ])(
    'S04 — that ends early is handed over as far as it goes, and told: %s',
    async (coding, bytes) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(bytes.subarray(0, -20))
      })
      const { body } = await ask(server.origin)
      const reader = body?.getReader()

      const first = await reader?.read()

      expect(NUMBERS.startsWith(new TextDecoder().decode(first?.value))).toBe(true)
      await expect(reader?.read()).rejects.toMatchObject({ code: 'Z_BUF_ERROR' })
    },
  )

  it('may be none at all', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '0' }).end()
    })

    expect(await textOf(await ask(server.origin))).toBe('')
  })

  it.each(['gzip', 'br', 'deflate', 'gzip, br'])(
    'may be none at all where its length was not told: %s',
    async (coding) => {
      const server = await serve((_request, response) => {
        response.writeHead(429, { 'content-encoding': coding }).flushHeaders()
        response.end()
      })

      const reply = await ask(server.origin)

      expect(reply.headers.get('content-length')).toBeNull()
      expect(await textOf(reply)).toBe('')
    },
  )

  it.each([
    ['gzip', gzipSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['deflate', deflateSync(PAGE)],
  ])('S04 — that ends after its first byte is not taken for none: %s', async (coding, bytes) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(bytes.subarray(0, 1))
    })

    const { body } = await ask(server.origin)

    await expect(body?.getReader().read()).rejects.toMatchObject({ code: 'Z_BUF_ERROR' })
  })

  it('is asked for as the caller wants it', async () => {
    const server = await serve((_request, response) => void response.end())

    await ask(server.origin, { headers: { 'accept-encoding': 'identity' } })

    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity')
  })
})

describe('an answer', () => {
  it.each([204, 304])('of status %s has no body', async (status) => {
    const server = await serve((_request, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip' }).end()
    })

    expect(await ask(server.origin)).toMatchObject({ status, body: null })
  })

  it('to HEAD has no body, whatever its headers promise', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '5', 'content-encoding': 'gzip' }).end()
    })

    expect(await ask(server.origin, { method: 'HEAD' })).toMatchObject({ status: 200, body: null })
  })

  scenario('S02', 'that should have no body is read no longer than any other', async () => {
    const server = await serve(
      (_request, response) => void response.writeHead(205).write('endless'),
    )

    const { body } = await ask(server.origin)
    await body?.cancel()

    await server.deserted()
    expect(server.connections).toEqual({ made: 1, open: 0 })
  })

  scenario('S02', 'that changes the protocol is none, and nobody waits for another', async () => {
    const server = await serve(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
    })

    const refused = ask(server.origin)

    await expect(refused).rejects.toMatchObject({ code: 'NO_ANSWER' })
  })

  it('may have a status that no standard knows', async () => {
    const server = await serve((_request, response) => void response.writeHead(999).end('denied'))

    const reply = await ask(server.origin)

    expect(reply.status).toBe(999)
    expect(await textOf(reply)).toBe('denied')
  })

  it('has every header that came, also those that came twice', async () => {
    const server = await serve((_request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']).end()
    })

    const { headers } = await ask(server.origin)

    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('counts although the server did not wait for the request', async () => {
    const server = await serve((request, response) => {
      response.writeHead(413, { connection: 'close' }).end('too much', () => {
        request.socket.destroySoon()
      })
    })

    const reply = await ask(server.origin, { method: 'POST', body: 'x'.repeat(4_000_000) })

    expect(reply.status).toBe(413)
  })
})

scenario('S26', 'a request that was answered before it was all taken is over', async () => {
  const body = 'x'.repeat(20_000_000)
  const taken = Promise.withResolvers<Socket>()
  const reluctant = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.pause().write('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno')
      taken.resolve(socket)
    })
  })
  await new Promise<void>((listening) => reluctant.listen(0, '127.0.0.1', listening))
  const { port } = reluctant.address() as AddressInfo

  const reply = await ask(`http://127.0.0.1:${port}`, { method: 'POST', body })
  const text = await textOf(reply)
  const socket = await taken.promise
  socket.resume()
  await once(socket, 'close')
  reluctant.close()

  expect([reply.status, text]).toEqual([403, 'no'])
  expect(socket.bytesRead).toBeLessThan(body.length)
})

describe('a body that is cut short', () => {
  /** Ends where the connection does, as far as anybody can tell. */
  const unmeasured: RequestListener = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nthe first half')
  }

  scenario('S02', 'by whoever wanted it is not taken for whole', async () => {
    const giving = new AbortController()
    const server = await serve(unmeasured)
    const reply = await ask(server.origin, { signal: giving.signal })

    giving.abort()

    await expect(textOf(reply)).rejects.toMatchObject({ name: 'AbortError' })
  })

  scenario('S03', 'by the server is not taken for whole', async () => {
    let cut = () => {}
    const server = await serve((request, response) => {
      cut = () => request.socket.resetAndDestroy()
      unmeasured(request, response)
    })
    const reply = await ask(server.origin)

    const read = textOf(reply)
    cut()

    await expect(read).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  scenario('S02', 'when all of it has arrived and not all was read is whole or none', async () => {
    const giving = new AbortController()
    const text = 'x'.repeat(200_000)
    const sent = Promise.withResolvers<void>()
    const server = await serve((_request, response) => {
      response.once('finish', sent.resolve).end(text)
    })
    const { body } = await ask(server.origin, { signal: giving.signal })
    const reader = body?.getReader()
    let length = (await reader?.read())?.value?.length ?? 0

    await sent.promise
    await later()
    giving.abort()
    const readOn = async () => {
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
        length += next.value.length
      }
      return length
    }

    expect([text.length, undefined]).toContain(await readOn().catch(() => undefined))
  })
})

describe('a connection that was kept', () => {
  /** Answers the first request of each connection, and has enough at the second. */
  const tired: RequestListener = (request, response) => {
    const asked = (request.socket as { asked?: number }).asked ?? 0
    Object.assign(request.socket, { asked: asked + 1 })
    if (asked > 0) request.socket.resetAndDestroy()
    else response.end('fresh')
  }

  it('and was closed meanwhile costs a second try, not the answer', async () => {
    const server = await serve(tired)
    await textOf(await ask(server.origin))

    const reply = await ask(server.origin)

    expect(await textOf(reply)).toBe('fresh')
    expect(server.connections.made).toBe(2)
  })

  it('is not tried again with what may have been taken', async () => {
    const server = await serve(tired)
    await textOf(await ask(server.origin, { method: 'POST', body: 'first' }))

    const refused = ask(server.origin, { method: 'POST', body: 'second' })

    await expect(refused).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })
})

describe('a connection that is not made', () => {
  it('is given up, and told from a server that does not answer', async () => {
    const nobody = nodeFetch({ lookup: () => undefined, idleMs: 20 })

    const asked = nobody('http://nobody.example/', asking())

    await expect(asked).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' })
  })

  it('and a server that takes its time is waited for', async () => {
    const patient = nodeFetch({ lookup: byMachine, idleMs: 20 })
    const server = await serve((_request, response) => {
      setTimeout(() => response.end('at last'), 60)
    })

    const reply = await patient(server.origin, asking())

    expect(await textOf(reply)).toBe('at last')
  })
})
