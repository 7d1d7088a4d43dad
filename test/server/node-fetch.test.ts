import { lookup } from 'node:dns'
import type { RequestListener } from 'node:http'
import type { LookupFunction } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nodeFetch } from '../../src/apps/node/node-fetch.ts'
import type { FetchInit, FetchReply } from '../../src/core/http.ts'
import { serve } from '../support/local-server.ts'

const PAGE = 'A page of a few words, a few words, a few words: ü'
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

  it('is asked for as the caller wants it', async () => {
    const server = await serve((_request, response) => void response.end())

    await ask(server.origin, { headers: { 'accept-encoding': 'identity' } })

    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity')
  })
})

describe('an answer', () => {
  it.each([204, 205, 304])('of status %s has no body', async (status) => {
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
