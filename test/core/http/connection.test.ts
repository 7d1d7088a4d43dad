import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fail, ok } from '../../../src/core/result.ts'
import { serve } from '../../support/local-server.ts'
import { clientOn, endlessly, FETCHES, hang, replyOf, textOf } from './client.ts'

describe.each(FETCHES)('httpClient on %s', (_, fetch) => {
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
})
