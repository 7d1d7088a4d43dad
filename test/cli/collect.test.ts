import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { serve } from '../support/local-server.ts'
import { scenario } from '../support/scenario.ts'
import { openSite } from '../support/stand-ins/site.ts'
import { sluice } from './support.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-collect-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const documentIn = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout) as Readonly<Record<string, unknown>>

scenario('X07', 'collect adds, runs and tells what became of it', async () => {
  const headers = { 'content-type': 'text/html' }
  const page = '<html><head><title>A note</title></head><body><p>Its words.</p></body></html>'
  const site = await openSite({
    clock: systemClock,
    files: { '/post': { body: page, headers } },
  })
  onTestFinished(() => site.close())
  const data = ['--data', temporaryFolder()]

  const added = await sluice(['collect', 'add', site.url('/post'), site.url('/missing'), ...data])
  const run = await sluice(['collect', 'run', '--json', ...data])
  const status = await sluice(['collect', 'status', '--json', ...data])
  const recovered = await sluice(['collect', 'recover', ...data])

  expect(added).toMatchObject({ code: 0, stdout: '2 added, 0 were known already.\n' })
  expect(run.code, run.stderr).toBe(1)
  expect(documentIn(run)).toMatchObject({ items_processed: 1, items_failed: 1 })
  expect(status.code, status.stderr).toBe(0)
  expect(documentIn(status)['executions']).toMatchObject([{ items_processed: 1 }])
  expect(recovered.stdout).toBe('0 executions timed out; 0 notes to be fetched again, 0 failed.\n')
})

scenario('X08', 'collect run says why a note failed', async () => {
  const site = await openSite({ clock: systemClock, files: {} })
  onTestFinished(() => site.close())
  const data = ['--data', temporaryFolder()]
  await sluice(['collect', 'add', site.url('/missing'), ...data])

  const run = await sluice(['collect', 'run', ...data])

  expect(run.code).toBe(1)
  expect(run.stdout).toMatch(/^0 collected, 1 failed \(1 NOT_FOUND\)\.\n1 still waiting: .+\n$/)
  expect(run.stderr).toMatch(
    /^\S+ WARN  There is no such note \(HTTP 404\)\. Check the address\. .*\n$/,
  )
})

scenario('X08', 'collect run tells what kept it from seeing the end', async () => {
  const answers: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
    'GET /health': [200, { success: true }],
    'GET /v1/candidates?limit=1000': [200, { success: true, data: { candidates: [] } }],
    'POST /v1/collect': [202, { success: true, data: { execution_id: 'exec-1' } }],
    'GET /v1/executions': [
      503,
      { success: false, error: { code: 'NETWORK_ERROR', message: 'The database is away.' } },
    ],
  }
  const server = await serve(({ method, url }, response) => {
    const [status, body] = answers[`${method} ${url}`] ?? [404, {}]
    response.writeHead(status).end(JSON.stringify(body))
  })
  const folder = temporaryFolder()
  const file = { pid: process.pid, url: server.origin, startedAt: '2025-01-15T00:00:00Z' }
  writeFileSync(join(folder, 'server.json'), JSON.stringify(file))

  const env = { ADMIN_TOKEN: 'token-of-the-admin-here' }
  const run = await sluice(['collect', 'run', '--data', folder, '--json'], { env })

  expect(run.code).toBe(1)
  expect(documentIn(run)).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
  expect(run.stderr).toContain('The database is away.')
  expect(run.stderr).toContain('exec-1 was started, and may go on')
})

scenario(
  'X08',
  'collect import names the lines that cannot be used, and a file that is not there or none',
  async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'lines.jsonl')
    writeFileSync(file, '{"platform":"page","note_url":"https://example.com/a"}\nno JSON\n')
    const data = ['--data', join(folder, 'data')]

    const imported = await sluice(['collect', 'import', file, ...data])
    const missing = await sluice(['collect', 'import', join(folder, 'nowhere'), '--json', ...data])
    const aFolder = await sluice(['collect', 'import', folder, '--json', ...data])

    expect(imported.code, imported.stderr).toBe(1)
    expect(imported.stdout).toMatch(/^0 notes written, 1 to be fetched; 0 were known already\.\n$/)
    expect(imported.stderr).toMatch(/^line 2: \S/m)
    expect(missing.code).toBe(2)
    expect(documentIn(missing)).toMatchObject({ error: { code: 'FILE_UNREADABLE' } })
    expect(aFolder.code, aFolder.stderr).toBe(2)
    expect(documentIn(aFolder)).toMatchObject({ error: { code: 'FILE_UNREADABLE' } })
  },
)

scenario(
  'X08',
  'cookies rotate-key ends with 1 where a secret does not open with any key',
  async () => {
    const data = ['--data', temporaryFolder()]
    const cookie = 'web_session=c4n4ry0fc00k135; a1=1'
    const first = {
      COOKIE_MASTER_KEY: 'the-first-key-that-is-long-enough-for-one',
      COOKIE_KEY_ID: 'k1',
    }
    const second = {
      COOKIE_MASTER_KEY: 'another-key-that-is-long-enough-for-one',
      COOKIE_KEY_ID: 'k2',
    }
    const old = { COOKIE_KEYS_OLD: `k1:${first.COOKIE_MASTER_KEY}` }

    const on = { COLLECT_PLATFORMS: 'xhs' }
    const add = ['cookies', 'add', 'account_01', '--platform', 'xhs', ...data]
    const added = await sluice(add, { env: { ...first, ...on }, stdin: cookie })
    const stuck = await sluice(['cookies', 'rotate-key', ...data], { env: second })
    const rotated = await sluice(['cookies', 'rotate-key', ...data], { env: { ...second, ...old } })
    const listed = await sluice(['cookies', 'list', ...data], { env: second })

    expect(added).toMatchObject({ code: 0, stdout: 'account_01 is kept, and active.\n' })
    expect(stuck.code, stuck.stdout).toBe(1)
    expect(stuck.stdout).toBe('0 sealed anew.\n')
    expect(stuck.stderr).toContain('account_01')
    expect(rotated, rotated.stderr).toMatchObject({ code: 0, stdout: '1 sealed anew.\n' })
    expect(listed.stdout).toContain('account_01')
    expect(listed.stdout).not.toContain('c4n4ry')
  },
)
