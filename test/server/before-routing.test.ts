import { afterAll, beforeAll, describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { type RunningServer, sendRaw, startServer } from './support.ts'

describe('what is answered before any route is asked', () => {
  let server: RunningServer

  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  /** The names and values of the answer's headers, and its status. */
  async function answerTo(request: string) {
    const said = await sendRaw(server.port, `${request}\r\nConnection: close\r\n\r\n`)
    const [head = '', body = ''] = said.split('\r\n\r\n')
    const [line = '', ...lines] = head.split('\r\n')
    const headers = lines.map((each) => each.split(': ', 2) as [string, string])
    return {
      status: Number(line.split(' ')[1]),
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      body,
    }
  }

  scenario('X03', 'has the headers that every answer has', async () => {
    const usual = await answerTo('GET /health HTTP/1.1\r\nHost: x')
    const { 'x-request-id': _id, traceparent: _trace, date: _date, ...rest } = usual.headers
    const { 'content-length': _length, ...standing } = rest

    for (const [request, status] of [
      ['GET /health HTTP/1.1\r\nHost: a b', 400],
      ['GET /api/sites HTTP/1.1', 400],
      ['OPTIONS * HTTP/1.1\r\nHost: x', 400],
      ['rubbish', 400],
      [`GET /health HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}`, 431],
      ['GET /health HTTP/1.1\r\nHost: x\r\nExpect: wonders', 200],
    ] as const) {
      const answered = await answerTo(request)
      expect([request, answered.status]).toEqual([request, status])
      expect(answered.headers).toMatchObject(standing)
      expect(answered.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    }
  })

  scenario(
    'X05',
    'a health check of old, which names no host, hears that the process lives',
    async () => {
      for (const request of [
        'GET /health HTTP/1.0',
        'HEAD /health HTTP/1.0',
        'GET /health?from=balancer HTTP/1.0',
        'GET /ready HTTP/1.0',
        'OPTIONS /health HTTP/1.0',
        'OPTIONS / HTTP/1.0',
        'OPTIONS / HTTP/1.0\r\nHost: x',
      ]) {
        expect([request, (await answerTo(request)).status]).toEqual([request, 200])
      }
    },
  )

  scenario('X03', 'and nobody else may leave it out', async () => {
    for (const request of [
      'GET /health HTTP/1.1',
      'GET / HTTP/1.0',
      'GET /metrics HTTP/1.0',
      'GET /api/sites HTTP/1.0',
      'POST /health HTTP/1.0',
      'OPTIONS /api/sites HTTP/1.0',
      'GET /health/../api/sites HTTP/1.0',
      'GET /health HTTP/1.0\r\nHost: a b',
    ]) {
      const { status, body } = await answerTo(request)
      expect([request, status]).toEqual([request, 400])
      expect(body).toContain('"INVALID_INPUT"')
    }
  })
})
