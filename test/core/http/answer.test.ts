import { getEventListeners } from 'node:events'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fail, ok } from '../../../src/core/result.ts'
import { serve } from '../../support/local-server.ts'
import { clientOn, endlessly, FETCHES, replyOf, textOf } from './client.ts'

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
})
