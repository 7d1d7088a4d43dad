import { describe, expect } from 'vitest'
import { type LocalServer, serve } from '../../support/local-server.ts'
import { scenario } from '../../support/scenario.ts'
import { clientOn, textOf } from './client.ts'

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
