import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import type { DoctorReport } from '../../src/submit/doctor/finding.ts'
import { startServer } from '../server/support.ts'
import { scenario } from '../support/scenario.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, urlset } from '../support/stand-ins/site.ts'
import { type Ended, sluice } from './support.ts'

const KEY = 'c4n4ry0fk3y5a1b2c3d4'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openStandIns() {
  const clock = systemClock
  const headers = { 'content-type': 'text/plain' }
  const site = await openSite({
    clock,
    files: {
      [`/${KEY}.txt`]: { body: KEY, headers },
      '/robots.txt': { body: 'Sitemap: {origin}/sitemap.xml', headers },
      '/sitemap.xml': urlset(['{origin}/a', '2025-01-02']),
    },
  })
  const engine = await openIndexNowEngine({ clock })
  onTestFinished(async () => {
    await Promise.all([site.close(), engine.close()])
  })
  const sitemap = site.url('/sitemap.xml')
  const words = ['--sitemap', sitemap, '--key', KEY, '--engine', engine.endpoint]
  return { site, engine, words, sitemap }
}

const codesOf = ({ stdout }: Ended) =>
  (JSON.parse(stdout) as DoctorReport).checks
    .filter(({ level }) => level !== 'ok')
    .map(({ code }) => code)

describe('sluice doctor', () => {
  scenario('R09', 'looks at a site that is stored nowhere, and leaves nothing behind', async () => {
    const { words, engine } = await openStandIns()
    const data = join(temporaryFolder(), 'data')

    const ended = await sluice(['doctor', ...words, '--data', data])

    expect(ended.code, ended.stdout).toBe(0)
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toMatch(/^✔ configuration: .*\[configuration\]$/m)
    expect(ended.stdout).toMatch(/^⚠ .*c4n4…\.txt: .* by http: .*\[key-file-insecure\]\n {4}→ \S/m)
    expect(ended.stdout).toMatch(/\n\n\d+ ok, 2 warnings, 0 errors\n$/)
    expect(ended.stdout).not.toContain('\x1b[')
    expect(ended.stdout).not.toContain(KEY.slice(0, 5))
    expect(engine.received.size).toBe(0)
    expect(() => readdirSync(data)).toThrow('ENOENT')
  })

  scenario('R09', 'ends with 1 and one JSON document where something is wrong', async () => {
    const { words, site } = await openStandIns()
    site.put({ '/sitemap.xml': '<urlset>\n<url><loc>{origin}/a</loc></url>\n<url><lo' })
    site.remove(`/${KEY}.txt`)

    const ended = await sluice(['doctor', ...words, '--json'], { env: { SITEMAP_URLL: 'x' } })

    expect(ended.code).toBe(1)
    expect(codesOf(ended)).toEqual([
      'configuration-doubtful',
      'key-file-missing',
      'sitemap-broken',
      'sitemap-lastmod-missing',
      'engine-insecure',
    ])
    expect((JSON.parse(ended.stdout) as DoctorReport).summary).toMatchObject({ errors: 2 })
  })

  scenario('R09', 'finds a data folder that cannot be written, and a variable', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')

    const ended = await sluice(['doctor', '--json', '--data', join(file, 'data')], {
      env: { PORT: 'x' },
    })

    expect(ended.code).toBe(1)
    expect(codesOf(ended)).toEqual(['configuration-invalid', 'storage-unwritable'])
  })

  scenario('X08', 'refuses wrong use with 2, and says what is right', async () => {
    const data = temporaryFolder()
    const wrong = [
      [['doctor', 'nobody'], /There is no site "nobody"/],
      [['doctor', '--key', KEY], /Add --sitemap/],
      [['doctor', 'a', '--sitemap', 'https://a.b/'], /two sites/],
      [['doctor', '--sitemap', 'https://a.b/'], /The key is missing/],
      [['doctor', '--sitemap', 'a.b', '--key', KEY], /Give it whole/],
      [['key', 'check'], /No site is stored here/],
      [['key', 'check', '--host', 'a.b'], /The key is missing/],
      [['key', 'new', '--write', join(data, 'nowhere')], /no such folder/],
    ] as const

    const ended = await Promise.all(wrong.map(([words]) => sluice([...words, '--data', data])))

    expect(ended.map(({ code }) => code)).toEqual(wrong.map(() => 2))
    for (const [i, [, says]] of wrong.entries()) expect(ended[i]?.stderr).toMatch(says)
  })

  scenario('R09', 'asks the server that holds the folder, and reads it without one', async () => {
    const { site, engine, sitemap } = await openStandIns()
    const server = await startServer({ SLUICE_ALLOW_PRIVATE: '1' })
    const added = await fetch(`${server.url}/api/sites`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.keptToken()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        id: 'mine',
        sitemapUrl: sitemap,
        apiKey: KEY,
        searchEngines: [engine.endpoint],
      }),
    })
    expect(added.status).toBe(201)
    const words = ['doctor', '--json', '--data', server.folder]

    const asked = await sluice(words)
    const missing = await sluice(['doctor', 'nobody', '--data', server.folder])
    await server.stop()
    site.remove('/sitemap.xml')
    const read = await sluice([...words, 'mine'])
    const key = await sluice(['key', 'check', 'mine', '--json', '--data', server.folder])

    expect(asked.code, asked.stderr).toBe(0)
    const { checks } = JSON.parse(asked.stdout) as DoctorReport
    expect(checks.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['configuration', 'storage', 'sitemap', 'key-scope', 'clock']),
    )
    expect(missing).toMatchObject({ code: 2 })
    expect(read.code).toBe(1)
    expect(codesOf(read)).toContain('sitemap-missing')
    expect(key.code).toBe(0)
    expect(codesOf(key)).toEqual(['key-file-insecure'])
  })
})

describe('sluice key', () => {
  scenario('S21', 'makes a key and its file, which is then right', async () => {
    const { site } = await openStandIns()
    const folder = temporaryFolder()

    const made = await sluice(['key', 'new', '--write', folder])
    const key = made.stdout.trim()
    const [file = ''] = readdirSync(folder)
    const content = readFileSync(join(folder, file), 'utf8')
    const before = await sluice(['key', 'check', key, '--host', site.origin])
    site.put({ [`/${file}`]: { body: content, headers: { 'content-type': 'text/plain' } } })
    const after = await sluice(['key', 'check', key, '--host', site.origin])

    expect(made.code).toBe(0)
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect([file, content]).toEqual([`${key}.txt`, key])
    expect(made.stderr).toContain('sluice submit https://')
    expect(before).toMatchObject({ code: 1 })
    expect(before.stdout).toContain('[key-file-missing]')
    expect(after.code, after.stdout).toBe(0)
    expect(after.stdout).not.toContain(key.slice(0, 5))
  })
})
