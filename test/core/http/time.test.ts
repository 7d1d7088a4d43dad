import { getEventListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { seconds } from '../../../src/core/duration.ts'
import { fail } from '../../../src/core/result.ts'
import { serve } from '../../support/local-server.ts'
import { clientOn, FETCHES, hang, replyOf, textOf, TIMEOUT_MS } from './client.ts'

describe.each(FETCHES)('httpClient on %s', (_, fetch) => {
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
})
