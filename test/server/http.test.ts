import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scenario } from '../support/scenario.ts'
import {
  bearer,
  envelopeOf,
  PROGRAM_WITH_TEST_ROUTES,
  type RunningServer,
  sendRaw,
  startServer,
} from './support.ts'

const ADMIN = 'admin-0123456789abcdef'
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe('every answer', () => {
  let server: RunningServer

  beforeAll(async () => {
    server = await startServer({ ADMIN_TOKEN: ADMIN }, PROGRAM_WITH_TEST_ROUTES)
  })
  afterAll(() => server.stop())

  type Ask = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }
  const ask = (path: string, { headers, ...init }: Ask = {}) =>
    fetch(`${server.url}${path}`, { ...init, headers: { ...bearer(ADMIN), ...headers } })
  const lineOf = async (requestId: string) => {
    await expect.poll(() => server.output()).toContain(requestId)
    return server.lines().filter((line) => line.requestId === requestId)
  }

  scenario('X05', '/health and /ready answer anybody', async () => {
    const health = await fetch(`${server.url}/health`)
    const ready = await fetch(`${server.url}/ready`)

    expect([health.status, ready.status]).toEqual([200, 200])
    expect(await envelopeOf(health)).toEqual({
      success: true,
      status: 'ok',
      version: expect.any(String),
      uptimeSeconds: expect.any(Number),
      meta: { request_id: expect.stringMatching(UUID), latency_ms: expect.any(Number) },
    })
    expect(await envelopeOf(ready)).toMatchObject({ success: true, status: 'ready' })
  })

  scenario('C06', "the caller's request id comes back and is on the log line", async () => {
    const response = await ask('/health?secret=canary', { headers: { 'x-request-id': 'req-42' } })

    expect(response.headers.get('x-request-id')).toBe('req-42')
    expect((await envelopeOf(response)).meta.request_id).toBe('req-42')
    expect(await lineOf('req-42')).toEqual([
      expect.objectContaining({
        event: 'http.request',
        level: 'info',
        time: expect.any(String),
        msg: 'GET /health 200',
        method: 'GET',
        path: '/health',
        status: 200,
        ms: expect.any(Number),
      }),
    ])
    expect(server.output()).not.toContain('canary')
  })

  scenario('C06', 'a missing, malformed or overlong id is replaced', async () => {
    for (const given of [undefined, '', 'two words', 'a,b', '<script>', 'x'.repeat(129), 'é']) {
      const response = await ask(
        '/health',
        given === undefined ? {} : { headers: { 'x-request-id': given } },
      )
      const { meta } = await envelopeOf(response)
      expect(meta.request_id).toMatch(UUID)
      expect(response.headers.get('x-request-id')).toBe(meta.request_id)
    }
  })

  scenario('C06', 'a traceparent is continued with a span of our own', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const response = await ask('/test/trace', {
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    })

    const { trace } = (await envelopeOf(response)) as unknown as { trace: { spanId: string } }
    expect(response.headers.get('traceparent')).toBe(`00-${traceId}-${trace.spanId}-01`)
    expect(trace.spanId).not.toBe('00f067aa0ba902b7')
  })

  scenario('C06', 'a traceparent that is none starts a trace', async () => {
    const response = await ask('/test/trace', { headers: { traceparent: '00-xyz-1-01' } })

    expect(response.headers.get('traceparent')).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
  })

  scenario('C12', 'an unknown route is 404 and names method and path, not the query', async () => {
    const response = await ask('/api/nothing?token=canary', { method: 'DELETE' })

    expect(response.status).toBe(404)
    const body = await envelopeOf(response)
    expect(body).toEqual({
      success: false,
      error: {
        code: 'NOT_FOUND',
        message: expect.stringContaining('DELETE /api/nothing'),
        retryable: false,
      },
      meta: { request_id: expect.stringMatching(UUID), latency_ms: expect.any(Number) },
    })
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  scenario('C12', 'a wrong method is 405 and names the right ones', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
      const response = await ask('/api/about', { method })
      expect([method, response.status]).toEqual([method, 405])
      expect(response.headers.get('allow')).toBe('GET, HEAD')
      expect((await envelopeOf(response)).error?.code).toBe('METHOD_NOT_ALLOWED')
    }
  })

  it('answers HEAD as GET, without a body', async () => {
    const response = await ask('/health', { method: 'HEAD' })

    expect(response.status).toBe(200)
    expect(response.headers.get('x-request-id')).toMatch(UUID)
    expect(await response.text()).toBe('')
    expect((await fetch(`${server.url}/api/about`, { method: 'HEAD' })).status).toBe(401)
  })

  scenario('C12', 'a body that is no JSON, or not the right one, is 400 and says why', async () => {
    const post = (body: string) => ask('/test/greet', { method: 'POST', body })
    const refusals = await Promise.all(
      ['{"name": canary', '', '[]', '{"name": 7}', '\u0000'].map(async (body) => {
        const response = await post(body)
        return { status: response.status, ...(await envelopeOf(response)) }
      }),
    )

    for (const { status, error } of refusals) {
      expect([status, error?.code, error?.retryable]).toEqual([400, 'INVALID_INPUT', false])
    }
    expect(refusals.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('not valid JSON'),
      expect.stringContaining('empty'),
      'The body is a list: it should be a JSON object.',
      'name is a number: it should be text.',
      expect.stringContaining('not valid JSON'),
    ])
    expect(JSON.stringify(refusals)).not.toContain('canary')
    expect(await envelopeOf(await post('{"name":"Ann"}'))).toMatchObject({ hello: 'Ann' })
  })

  scenario(
    'C12',
    'a body of 10 MB is 413, announced or not, and costs a stranger nothing',
    async () => {
      const big = new Uint8Array(10 * 1024 * 1024).fill(97)
      const inParts = () =>
        new ReadableStream<Uint8Array>({
          start(controller) {
            for (let at = 0; at < big.length; at += 65_536)
              controller.enqueue(big.slice(at, at + 65_536))
            controller.close()
          },
        })
      const announced = await ask('/test/greet', { method: 'POST', body: big })
      const unannounced = await ask('/test/greet', {
        method: 'POST',
        body: inParts(),
        duplex: 'half',
      } as Ask)
      const stranger = await fetch(`${server.url}/test/greet`, { method: 'POST', body: big })

      for (const response of [announced, unannounced]) {
        expect(response.status).toBe(413)
        expect((await envelopeOf(response)).error).toMatchObject({
          code: 'PAYLOAD_TOO_LARGE',
          message: expect.stringContaining('2097152 bytes'),
        })
      }
      expect(stranger.status).toBe(401)
    },
  )

  scenario(
    'C12',
    'an exception is 500 without a word of it, and logged once with its stack',
    async () => {
      const response = await ask('/test/throws', { headers: { 'x-request-id': 'throws-1' } })

      expect(response.status).toBe(500)
      const body = await envelopeOf(response)
      expect(body.error).toMatchObject({ code: 'INTERNAL', retryable: false })
      expect(JSON.stringify(body)).not.toContain('canary')
      const lines = await lineOf('throws-1')
      expect(lines.map(({ event }) => event)).toEqual(['http.failed', 'http.request'])
      expect(JSON.stringify(lines[0])).toContain('program-with-test-routes.ts')
      expect(JSON.stringify(lines[0])).toContain('canary-of-an-exception')
      expect(JSON.stringify(lines[0])).not.toContain('canary-in-an-exception')
    },
  )

  scenario('X06', 'pages and their files are sent compressed to whoever takes it', async () => {
    const as = (path: string, coding: string) =>
      ask(path, { headers: { 'accept-encoding': coding, accept: 'text/html' } })

    const page = await as('/login', 'gzip, br')
    const plain = await as('/login', 'identity')
    const style = await as('/assets/sluice.css', 'gzip')
    const json = await as('/health', 'gzip')

    expect(page.headers.get('content-encoding')).toBe('gzip')
    expect(page.headers.get('vary')).toMatch(/Accept-Encoding/)
    expect(await page.text()).toBe(await plain.text())
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(style.headers.get('content-encoding')).toBe('gzip')
    expect(style.headers.get('vary')).toMatch(/Accept-Encoding/)
    expect(json.headers.get('content-encoding')).toBeNull()
    expect(page.headers.get('x-request-id')).toMatch(UUID)
  })

  it('tells browsers to be careful, and lets a page name its own policy', async () => {
    const json = await ask('/nowhere')
    const page = await ask('/test/page')

    expect(Object.fromEntries(json.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'")
    expect(page.headers.get('x-request-id')).toMatch(UUID)
  })

  describe('to rubbish', () => {
    const head = (requestLine: string, ...headers: string[]) =>
      `${[requestLine, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`

    scenario('C12', 'bytes that are not HTTP get an envelope and the door', async () => {
      for (const bytes of [
        'rubbish\r\n\r\n',
        '\u0000\u0001\u0002\r\n\r\n',
        new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
        'GET / HTTP/9.9\r\n\r\n',
        head('GET /health HTTP/1.1', 'X-A: a\u0000b'),
        head('POST /test/greet HTTP/1.1', 'Content-Length: x'),
        head('POST /test/greet HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      ]) {
        const said = await sendRaw(server.port, bytes)
        expect(said).toMatch(/^HTTP\/1\.1 400 /)
        expect(JSON.parse(said.split('\r\n\r\n')[1] ?? '')).toMatchObject({
          success: false,
          error: { code: 'INVALID_INPUT', retryable: false },
          meta: { request_id: expect.stringMatching(UUID) },
        })
      }
    })

    scenario('C12', 'headers past 16 KB are 431', async () => {
      const said = await sendRaw(
        server.port,
        head('GET /health HTTP/1.1', `X-Big: ${'x'.repeat(20_000)}`),
      )

      expect(said).toMatch(/^HTTP\/1\.1 431 /)
      expect(said).toContain('"HEADERS_TOO_LARGE"')
    })

    scenario('C12', 'addresses that cannot be read are 400 or 404, with an envelope', async () => {
      for (const target of [
        '/%zz',
        '/%',
        '/%E0%A4%A',
        '/api/%00',
        '/../../etc/passwd',
        '/..%2f..%2fetc/passwd',
        '/health/../api/../../etc/passwd',
        '//evil.example/health/x',
        '/\\evil',
        `/${'a'.repeat(8_000)}`,
        '*',
        'http://[::1',
        '/%0d%0aX-Injected:%20yes',
      ]) {
        const said = await sendRaw(server.port, head(`GET ${target} HTTP/1.1`))
        expect(said, target).toMatch(/^HTTP\/1\.1 (400|404) /)
        expect(said).not.toMatch(/^x-injected/im)
        expect(said).toContain('"success":false')
        expect(said).not.toContain('root:')
      }
    })

    scenario('C12', 'a missing or broken Host is 400, with an envelope', async () => {
      for (const host of ['', 'Host: a b\r\n', 'Host: evil/health\r\n']) {
        const said = await sendRaw(
          server.port,
          `GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
        )
        expect(said, host).toMatch(/^HTTP\/1\.1 400 /)
        expect(said).toContain('"INVALID_INPUT"')
      }
    })

    scenario('C12', 'methods of other worlds are refused', async () => {
      for (const method of ['TRACE', 'LOCK', 'QUERY']) {
        const said = await sendRaw(server.port, head(`${method} /health HTTP/1.1`))
        expect(said, method).toMatch(/^HTTP\/1\.1 40[05] /)
        expect(said).toContain('"success":false')
      }
      expect(await sendRaw(server.port, head('CONNECT evil.example:443 HTTP/1.1'))).toBe('')
    })

    scenario(
      'C12',
      'a caller that hangs up in the middle of its body is a warning, not a bug',
      async () => {
        await new Promise<void>((done) => {
          const socket = connect(server.port, '127.0.0.1', () => {
            const headers = [
              `Authorization: Bearer ${ADMIN}`,
              'X-Request-ID: hangs-up',
              'Content-Length: 100',
            ]
            socket.write(
              `POST /test/greet HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n{"na`,
              () => {
                setTimeout(() => socket.resetAndDestroy(), 50)
              },
            )
          })
          socket.on('close', () => done())
        })

        const lines = await lineOf('hangs-up')
        expect(lines.map(({ level }) => level)).not.toContain('error')
      },
    )

    scenario('X05', 'and after all of it the server is well', async () => {
      expect((await fetch(`${server.url}/ready`)).status).toBe(200)
      expect(server.lines().filter(({ event }) => event === 'process.crashed')).toEqual([])
    })
  })
})
