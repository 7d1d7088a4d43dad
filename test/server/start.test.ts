import { createServer } from 'node:net'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { bearer, type Env, runProgram, startServer, temporaryFolder } from './support.ts'

async function refusalOf(env: Env) {
  const program = runProgram(env)
  const { code } = await program.exited
  return { code, lines: program.lines(), output: program.output() }
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('the start', () => {
  scenario('X01', 'with nothing but a folder the server starts and keeps a database', async () => {
    const server = await startServer()

    const response = await fetch(`${server.url}/health`)
    expect(response.status).toBe(200)
    expect(existsSync(join(server.folder, 'sluice.db'))).toBe(true)

    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })

  scenario(
    'X03',
    'without ADMIN_TOKEN one is made, kept for the owner alone, and used again',
    async () => {
      const first = await startServer()
      const token = first.keptToken()
      first.send('SIGTERM')
      await first.exited

      const second = await startServer({ SLUICE_DATA: first.folder })
      const about = await fetch(`${second.url}/api/about`, { headers: bearer(token) })

      expect(token).toMatch(/^[\w-]{43}$/)
      expect(second.keptToken()).toBe(token)
      expect(about.status).toBe(200)
      expect(modeOf(first.folder)).toBe('700')
      expect(modeOf(join(first.folder, 'admin-token'))).toBe('600')
      expect(modeOf(join(first.folder, 'sluice.db'))).toBe('600')
      expect(first.output() + second.output()).not.toContain(token)
      await second.stop()
    },
  )

  scenario('X03', 'the start message tells where the token is, not what it is', async () => {
    const made = await startServer()
    const given = await startServer({ ADMIN_TOKEN: 'canary-admin-0123456789' })

    expect(await made.line('server.listening')).toMatchObject({
      url: made.url,
      tokenFile: join(made.folder, 'admin-token'),
      msg: expect.stringContaining(join(made.folder, 'admin-token')),
    })
    expect((await given.line('server.listening')).msg).toContain('ADMIN_TOKEN')
    expect(given.output()).not.toContain('canary')
    expect(existsSync(join(given.folder, 'admin-token'))).toBe(false)
    await Promise.all([made.stop(), given.stop()])
  })

  it('makes a token file that others could read private again', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'admin-token'), 'kept-from-before-0123\n', { mode: 0o644 })

    const server = await startServer({ SLUICE_DATA: folder })

    expect(modeOf(join(folder, 'admin-token'))).toBe('600')
    expect(server.keptToken()).toBe('kept-from-before-0123')
    await server.stop()
  })

  scenario('X08', 'a damaged token file is named, and what to do about it', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'admin-token'), 'canary\n')

    const { code, lines, output } = await refusalOf({ SLUICE_DATA: folder })

    expect(code).toBe(2)
    expect(lines[0]?.msg).toContain(join(folder, 'admin-token'))
    expect(lines[0]?.msg).toContain('Delete the file')
    expect(output).not.toContain('canary')
  })

  scenario(
    'X08',
    'wrong settings stop the start with code 2, each on a line of its own',
    async () => {
      const { code, lines, output } = await refusalOf({
        PORT: '99999',
        ADMIN_TOKEN: 'canary-short',
        DATABASE_URL: 'mysql://u:canary@db/x',
      })

      expect(code).toBe(2)
      expect(lines).toMatchObject([
        { event: 'start.refused', setting: 'PORT', given: '"99999"', example: '8787' },
        { event: 'start.refused', setting: 'ADMIN_TOKEN', given: '(not shown)' },
        { event: 'start.refused', setting: 'DATABASE_URL', given: '(not shown)' },
      ])
      expect(lines[1]?.msg).toContain('at least 16')
      expect(output).not.toContain('canary')
    },
  )

  scenario('X08', 'for people the same is a text', async () => {
    const { code, output } = await refusalOf({ PORT: '99999', LOG_FORMAT: 'pretty' })

    expect(code).toBe(2)
    expect(output).toContain('Sluice cannot start: one setting is wrong.')
    expect(output).toContain('should be  a whole number from 0 to 65535')
    expect(output).toContain('example    PORT=8787')
  })

  scenario('X03', 'HOST for everybody without ADMIN_TOKEN is refused', async () => {
    const { code, lines } = await refusalOf({ HOST: '0.0.0.0' })

    expect(code).toBe(2)
    expect(lines).toMatchObject([{ setting: 'ADMIN_TOKEN' }])
    expect(lines[0]?.msg).toContain('HOST=0.0.0.0')
  })

  scenario('X03', 'HOST for everybody with ADMIN_TOKEN listens there', async () => {
    const server = await startServer({ HOST: '0.0.0.0', ADMIN_TOKEN: 'admin-0123456789abcdef' })

    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.stop()
  })

  scenario(
    'X08',
    'a database that does not answer stops the start, without its password',
    async () => {
      const { code, lines, output } = await refusalOf({
        DATABASE_URL: 'postgres://sluice:canary@127.0.0.1:1/sluice',
      })

      expect(code).toBe(2)
      expect(lines).toMatchObject([{ event: 'start.refused', reason: 'database-unusable' }])
      expect(lines[0]?.msg).toContain('does not answer (ECONNREFUSED). Start it, or correct')
      expect(output).not.toContain('canary')
    },
  )

  scenario('X08', 'a taken port is named, with the way to another', async () => {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as { port: number }

    const { code, lines } = await refusalOf({ PORT: String(port) })

    expect(code).toBe(2)
    expect(lines[0]).toMatchObject({ event: 'start.refused', reason: 'port-taken' })
    expect(lines[0]?.msg).toContain(`Port ${port}`)
    expect(lines[0]?.msg).toContain('PORT=0')
    other.close()
  })

  scenario('X08', 'an address that is not of this machine is named', async () => {
    const { code, lines } = await refusalOf({
      HOST: '192.0.2.1',
      ADMIN_TOKEN: 'admin-0123456789abcdef',
    })

    expect(code).toBe(2)
    expect(lines[0]?.msg).toContain('192.0.2.1')
    expect(lines[0]?.msg).toContain('EADDRNOTAVAIL')
  })

  scenario('X08', 'a data folder that cannot be is named, with the way to another', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')

    for (const SLUICE_DATA of [file, join(file, 'data'), '/proc/sluice']) {
      const { code, lines } = await refusalOf({ SLUICE_DATA })
      expect(code).toBe(2)
      expect(lines[0]).toMatchObject({ event: 'start.refused', reason: 'data-folder-unusable' })
      expect(lines[0]?.msg).toContain(SLUICE_DATA)
      expect(lines[0]?.msg).toContain('with SLUICE_DATA')
    }
  })

  scenario('X08', 'a database that is none is named', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'sluice.db'), 'this is not a database, whatever its name says\n')

    const { code, lines } = await refusalOf({ SLUICE_DATA: folder })

    expect(code).toBe(2)
    expect(lines[0]).toMatchObject({ event: 'start.refused', reason: 'store-unusable' })
    expect(lines[0]?.msg).toContain(folder)
  })

  scenario('X08', 'an unknown variable that looks like ours is warned of', async () => {
    const server = await startServer({ SLUICE_DATE: 'x' })

    expect(await server.line('config.doubtful')).toMatchObject({
      level: 'warn',
      msg: expect.stringContaining('Did you mean SLUICE_DATA?'),
    })
    await server.stop()
  })

  scenario(
    'X01',
    'a second server on the same folder is refused and told who holds it',
    async () => {
      const first = await startServer()

      const { code, lines } = await refusalOf({ SLUICE_DATA: first.folder })

      expect(code).toBe(2)
      expect(lines[0]?.msg).toContain(first.url)
      expect(lines[0]?.msg).toContain('folder of its own with SLUICE_DATA')
      expect((await fetch(`${first.url}/ready`)).status).toBe(200)
      await first.stop()
    },
  )

  scenario('X01', 'server.json tells where the server is, and is gone when it is', async () => {
    const server = await startServer()
    const file = join(server.folder, 'server.json')

    const announced = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    server.send('SIGTERM')
    await server.exited

    expect(announced).toEqual({
      pid: expect.any(Number),
      url: server.url,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(existsSync(file)).toBe(false)
  })

  scenario(
    'X01',
    'after kill -9 the next server takes the folder, whoever has the old id now',
    async () => {
      const killed = await startServer()
      killed.send('SIGKILL')
      await killed.exited
      const file = join(killed.folder, 'server.json')
      const left = JSON.parse(readFileSync(file, 'utf8')) as object
      writeFileSync(file, JSON.stringify({ ...left, pid: process.pid }))

      const next = await startServer({ SLUICE_DATA: killed.folder })

      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: next.url })
      await next.stop()
    },
  )

  it('starts in a folder that is already there', async () => {
    const folder = join(temporaryFolder(), 'already')
    mkdirSync(folder)

    const server = await startServer({ SLUICE_DATA: folder })

    expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    await server.stop()
  })
})
