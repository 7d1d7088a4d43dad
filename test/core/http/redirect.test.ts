import { describe, expect, it } from 'vitest'
import { fail, ok } from '../../../src/core/result.ts'
import { serve } from '../../support/local-server.ts'
import { scenario } from '../../support/scenario.ts'
import { clientOn, FETCHES, replyOf, textOf } from './client.ts'

describe.each(FETCHES)('httpClient on %s', (_, fetch) => {
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
