import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../server/support.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, urlset } from '../support/stand-ins/site.ts'
import { pack } from './packed.ts'

let packed: Awaited<ReturnType<typeof pack>>
let elsewhere: string

beforeAll(async () => {
  packed = await pack()
  elsewhere = mkdtempSync(join(tmpdir(), 'sluice-elsewhere-'))
}, 60_000)

afterAll(() => {
  for (const folder of [packed?.root, elsewhere]) {
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
})

/** The packed program in an empty folder, on the Node of the tests or another. */
function sluice(words: readonly string[], node = process.execPath) {
  const { status, stdout, stderr } = spawnSync(node, [packed.program, ...words], {
    cwd: elsewhere,
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>

describe('npm pack', () => {
  it('packs the program, its licences and what a person reads first, nothing else', () => {
    expect(packed.files).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'README.zh-CN.md',
      'dist/LICENSES.txt',
      'dist/sluice.js',
      'package.json',
    ])
  })

  it('gives a package that depends on nothing, and leaves the manifest of the checkout as it was', () => {
    const manifest = manifestOf(join(packed.folder, 'package'))

    expect(Object.keys(manifest).toSorted()).toEqual(
      ['bin', 'description', 'engines', 'files', 'license', 'name', 'type', 'version'].toSorted(),
    )
    expect(manifest['bin']).toEqual({ sluice: 'dist/sluice.js' })
    expect(readFileSync(join(packed.checkout, 'package.json'), 'utf8')).toBe(
      readFileSync('package.json', 'utf8'),
    )
  })

  it('tells the licence of every package in it, in full', () => {
    const licences = readFileSync(join(packed.folder, 'package/dist/LICENSES.txt'), 'utf8')
    const bundled = Object.keys(manifestOf('.')['dependencies'] as object)

    // In the command line's frame or behind it; a library that nothing imports yet is not there.
    const told = bundled.filter((name) => licences.includes(`\n${name} `))
    expect(told).toEqual(expect.arrayContaining(['commander', 'hono', 'zod']))
    expect(licences).toContain('Permission is hereby granted, free of charge')
  })

  it('names nobody’s folders and needs no module from outside', () => {
    const text = readFileSync(packed.program, 'utf8')
    const imported = [...text.matchAll(/\bimport\b[^"'();]*from"([^"]*)"/g)].map(([, name]) => name)

    expect(text).not.toContain(process.cwd())
    expect(text).not.toContain(packed.root)
    expect(imported.length).toBeGreaterThan(5)
    expect(imported.filter((name) => !name?.startsWith('./'))).toEqual([])
  })
})

describe('the packed program, where nothing else is', () => {
  it('tells its version and shows its help', () => {
    expect(sluice(['--version'])).toEqual({
      status: 0,
      stdout: `${String(manifestOf('.')['version'])}\n`,
      stderr: '',
    })
    const help = sluice(['--help'])
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(help.stdout).toContain('sluice serve')
  })

  it('loads neither the database nor the network to show its help', () => {
    const tell = 'process.on("exit", () => console.error(JSON.stringify(process.moduleLoadList)))'
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${tell}`, packed.program, '--help'],
      { encoding: 'utf8' },
    )

    const loaded = JSON.parse(stderr) as string[]
    expect(loaded).toContain('NativeModule fs')
    for (const name of ['sqlite', 'http', 'zlib', 'child_process']) {
      expect(loaded).not.toContain(`NativeModule ${name}`)
    }
  })

  it('can be run by its name', () => {
    const output = execFileSync(packed.program, ['--version'], {
      cwd: elsewhere,
      env: { PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}` },
      encoding: 'utf8',
    })

    expect(output).toBe(sluice(['--version']).stdout)
  })

  it('shows what it would submit, and sends nothing', async () => {
    const clock = new FakeClock()
    const site = await openSite({ clock })
    const engine = await openIndexNowEngine({ clock })
    onTestFinished(async () => void (await Promise.all([site.close(), engine.close()])))
    site.put({ '/sitemap.xml': urlset(site.url('/a'), site.url('/b')) })

    const words = ['submit', site.origin, '--key', 'a1b2c3d4e5f60718', '--engine', engine.endpoint]
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [packed.program, ...words, '--dry-run', '--json'],
      { cwd: elsewhere, env: { SLUICE_ALLOW_PRIVATE: '1' } },
    )

    expect(stdout).toContain(site.url('/a'))
    expect(JSON.parse(stdout)).toMatchObject({ run: { total: 2, new: 2 } })
    expect(engine.requests).toEqual([])
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('C07 — audits itself, with nothing but itself', () => {
    const { status, stdout } = sluice(['audit', '--json'])

    expect(JSON.parse(stdout)).toMatchObject({ passed: true, leaks: [], problems: [] })
    expect(status).toBe(0)
    expect(readdirSync(elsewhere)).toEqual([])
  }, 120_000)

  it('serves', async () => {
    const server = await startServer({}, packed.program, ['serve'])

    const health = await fetch(`${server.url}/health`)

    expect(health.status).toBe(200)
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })
})

const PATHS = (process.env['PATH'] ?? '').split(delimiter)
const olderNode = PATHS.filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .filter((file) => existsSync(file))
  .find((file) => majorOf(file) < 24)

it.skipIf(olderNode === undefined)('says on an older Node that it needs a newer one', () => {
  const { status, stdout, stderr } = sluice(['--help'], olderNode)

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(
    /^Sluice needs Node 24 or newer; this is Node \d+\.\d+\.\d+\. Install .*\.\n$/,
  )
})

function majorOf(node: string): number {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number.parseInt(stdout.slice(1), 10)
}
