import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { envelopeOf, PROGRAM_WITH_TEST_ROUTES, startServer } from './support.ts'

const startWithTestRoutes = () => startServer({}, PROGRAM_WITH_TEST_ROUTES)

describe('not ready, and the end', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    scenario('X05', `${signal} in the middle of a slow request lets it finish`, async () => {
      const server = await startWithTestRoutes()
      const slow = fetch(`${server.url}/test/slow`)
      await server.line('slow.waiting')

      server.send(signal)
      await server.line('server.stopping')
      await expect(fetch(`${server.url}/health`)).rejects.toThrow('fetch failed')
      server.release()

      expect((await slow).headers.get('connection')).toBe('close')
      expect(await envelopeOf(await slow)).toMatchObject({ success: true, finished: true })
      expect(await server.exited).toEqual({ code: 0, signal: null })
      expect(existsSync(join(server.folder, 'server.json'))).toBe(false)
      expect(existsSync(join(server.folder, 'sluice.db-wal'))).toBe(false)
    })
  }

  scenario('X05', 'while it stops, /ready is 503 and says why', async () => {
    const server = await startWithTestRoutes()
    const socket = connect(server.port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk.toString()
    })
    const closed = new Promise((done) => socket.on('close', done))
    const slow = fetch(`${server.url}/test/slow`)
    await server.line('slow.waiting')
    socket.write('GET /ready HTTP/1.1\r\nHost: x\r\n')
    // The server has the first half once it answers what came after it.
    await fetch(`${server.url}/health`)

    server.send('SIGTERM')
    await server.line('server.stopping')
    socket.write('\r\n')
    await closed
    server.release()
    await slow

    expect(heard).toMatch(/^HTTP\/1\.1 503 /)
    expect(heard.toLowerCase()).toContain('retry-after: 5')
    expect(heard).toContain('"code":"NOT_READY"')
    expect(heard).toContain('stopping')
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  scenario(
    'X05',
    'a store that does not answer makes /ready 503, and only the log says why',
    async () => {
      const server = await startWithTestRoutes()
      // The server may just be writing: it counts candidates when it starts.
      const database = new DatabaseSync(join(server.folder, 'sluice.db'), { timeout: 5_000 })
      database.exec('drop table schema_migration')
      database.close()

      const response = await fetch(`${server.url}/ready`)

      expect(response.status).toBe(503)
      const { error } = await envelopeOf(response)
      expect(error).toMatchObject({ code: 'NOT_READY', retryable: true })
      expect(error?.message).not.toContain('schema_migration')
      expect(JSON.stringify(await server.line('store.unavailable'))).toContain('schema_migration')
      expect((await fetch(`${server.url}/health`)).status).toBe(200)
      await server.stop()
    },
  )

  scenario('X05', 'a request that never ends is cut, and the server still ends well', async () => {
    const server = await startWithTestRoutes()
    const slow = fetch(`${server.url}/test/slow`).catch(() => 'cut')
    await server.line('slow.waiting')

    server.send('SIGTERM')

    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(await slow).toBe('cut')
    expect(server.lines().map(({ event }) => event)).toContain('server.cut')
  })

  scenario('X05', 'a second signal ends at once with 130', async () => {
    const server = await startWithTestRoutes()
    const slow = fetch(`${server.url}/test/slow`).catch(() => 'cut')
    await server.line('slow.waiting')

    server.send('SIGINT')
    await server.line('server.stopping')
    server.send('SIGINT')

    expect(await server.exited).toEqual({ code: 130, signal: null })
    expect(await slow).toBe('cut')
    expect(existsSync(join(server.folder, 'server.json'))).toBe(false)
  })

  it('ends with 1 and says why when nobody caught a rejection', async () => {
    const server = await startWithTestRoutes()

    await fetch(`${server.url}/test/crashes`).catch(() => undefined)

    expect(await server.exited).toEqual({ code: 1, signal: null })
    const crashed = await server.line('process.crashed')
    expect(crashed).toMatchObject({ level: 'error', error: { message: 'nobody waits for this' } })
    expect(existsSync(join(server.folder, 'server.json'))).toBe(false)
  })

  it('closes idle connections instead of waiting for them', async () => {
    const server = await startWithTestRoutes()
    const socket = connect(server.port, '127.0.0.1')
    const closed = new Promise((done) => socket.on('close', done))
    await new Promise((done) => socket.on('connect', done))

    const exit = await server.stop()
    await closed

    expect(exit.code).toBe(0)
    expect(server.lines().map(({ event }) => event)).not.toContain('server.cut')
  })
})
