import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { FAILED_KEPT_PER_ENGINE } from '../../src/submit/failed-urls.ts'
import { scenario } from '../support/scenario.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { sitemapIndex } from '../support/stand-ins/site.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { KEY, sitemapOf } from '../support/world.ts'
import { startServer } from '../server/support.ts'
import { asked, openCliWorld, sluice, startSluice } from './support.ts'

const documentIn = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout) as Readonly<Record<string, unknown>>

describe('help and mistakes', () => {
  scenario('X07', 'help starts with examples, for the program and for every command', async () => {
    const program = await sluice(['--help'])
    const command = await sluice(['sites', 'set', '--help'])
    const nothing = await sluice([])

    expect([program.code, command.code, nothing.code]).toEqual([0, 0, 2])
    expect(program.stdout).toMatch(
      /^Examples:\n {2}# .*\n {2}INDEXNOW_API_KEY=\S+ sluice submit https:/,
    )
    expect(command.stdout).toMatch(/^Examples:\n {2}# Two at once\n {2}sluice sites set/)
    expect(command.stdout).toContain('--json')
    expect(nothing.stderr).toContain('Usage: sluice')
  })

  scenario('X08', 'an unknown word ends with 2, and the nearest one is named', async () => {
    const command = await sluice(['sumbit', 'https://example.com'])
    const option = await sluice(['submit', 'https://example.com', '--dryrun', '--json'])
    const nested = await sluice(['sites', 'lst'])
    const missing = await sluice(['url'])

    for (const { code } of [command, option, nested, missing]) expect(code).toBe(2)
    expect(command.stderr).toBe(
      "✖ Unknown command 'sumbit'.\n  Did you mean submit? See `sluice --help`.\n",
    )
    expect(option.stderr).toContain('Did you mean --dry-run? See `sluice submit --help`.')
    expect(documentIn(option)).toMatchObject({ error: { code: 'UNKNOWN_OPTION' } })
    expect(nested.stderr).toContain('Did you mean list? See `sluice sites --help`.')
    expect(missing.stderr).toContain("Missing required argument 'url'.")
  })

  it.each(['bash', 'zsh', 'fish', 'powershell'])('X07 — completes words in %s', async (shell) => {
    const script = await sluice(['completion', shell])

    expect(script.code).toBe(0)
    expect(script.stdout).toMatch(/sluice complete '?--/)
  })

  scenario('X07', 'offers commands and options to the shell', async () => {
    const commands = await sluice(['complete', '--', 'si'])
    const options = await sluice(['complete', '--', 'submit', '--d'])

    expect(commands.stdout).toMatch(/^sites\t/m)
    expect(commands.stdout).toMatch(/^sitemap\t/m)
    expect(options.stdout).toMatch(/^--dry-run\t/m)
  })
})

describe('sluice sites', () => {
  scenario('R01', 'sites are added, listed, shown, changed and removed', async () => {
    const { site, folder } = await openCliWorld(1)
    const here = ['--data', folder, '--json']
    const address = site.url('/sitemap.xml')

    const added = await sluice(['sites', 'add', address, '--key', KEY, 'id=shop', ...here])
    const twice = await sluice(['sites', 'add', address, '--key', KEY, 'id=shop', ...here])
    const set = await sluice([
      'sites',
      'set',
      'shop',
      'maxRetries=1',
      'searchEngines=bing,yandex',
      'name=',
      ...here,
    ])
    const wrong = await sluice(['sites', 'set', 'shop', 'submitmode=put', ...here])
    const listed = await sluice(['sites', 'list', ...here])
    const shown = await sluice(['sites', 'show', 'shop', '--data', folder])
    const removed = await sluice(['sites', 'remove', 'shop', ...here])
    const gone = await sluice(['sites', 'show', 'shop', ...here])

    expect(added.code).toBe(0)
    expect(documentIn(added)).toMatchObject({ site: { id: 'shop', apiKey: '****' } })
    expect(twice.code).toBe(2)
    expect(twice.stderr).toContain('Change it with `sluice sites set shop`')
    expect(documentIn(set)).toMatchObject({
      site: {
        maxRetries: 1,
        name: 'shop',
        searchEngines: ['https://www.bing.com/indexnow', 'https://yandex.com/indexnow'],
      },
    })
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('Did you mean submitMode?')
    expect((documentIn(listed)['sites'] as readonly unknown[]).length).toBe(1)
    expect(shown.stdout).toMatch(/^maxRetries +1$/m)
    expect(documentIn(removed)).toMatchObject({ site: { id: 'shop' } })
    expect(gone.code).toBe(2)
    expect(gone.stderr).toContain('There is no site "shop". `sluice sites list`')
  })
})

describe('run, status, url', () => {
  scenario('R08', 'a run by hand, how the site is doing, and what happened to a page', async () => {
    const { site, engine, folder, urls } = await openCliWorld(3)
    const here = ['--data', folder, '--json']
    const engines = `searchEngines=${engine.endpoint}`
    await sluice(['sites', 'add', site.url('/sitemap.xml'), '--key', KEY, engines, ...here])

    const run = await sluice(['run', site.host, ...here])
    const bing = await sluice(['run', site.host, '--channel', 'bing', ...here])
    const status = await sluice(['status', ...here])
    const url = await sluice(['url', urls(3)[1] ?? '', ...here])
    const seen = await sluice(['url', urls(3)[1] ?? '', '--data', folder])
    const foreign = await sluice(['url', 'https://example.com/', ...here])

    expect(documentIn(run)).toMatchObject({ run: { status: 'succeeded', submitted: 3 } })
    expect(bing.code).toBe(2)
    expect(bing.stderr).toContain('Bing submission is not enabled for this site')
    expect(documentIn(status)).toMatchObject({
      status: 'idle',
      siteId: site.host,
      lastExecution: { submitted_urls: 3 },
      bing: { enabled: false },
    })
    expect(documentIn(url)).toMatchObject({
      url: urls(3)[1],
      states: [
        { channel: 'indexnow', engine: engine.endpoint, status: 'accepted', statusCode: 200 },
      ],
    })
    expect(seen.stdout).toMatch(/accepted +\d{4}-\d\d-\d\d \d\d:\d\d UTC +200/)
    expect(foreign.code).toBe(2)
    expect(foreign.stderr).toContain('No site here has pages on example.com.')
  })

  scenario(
    'X08',
    'status tells which pages engines did not take, why, and what to do',
    async () => {
      const { site, engine, folder, urls } = await openCliWorld(5)
      const other = await openIndexNowEngine({ clock: systemClock })
      onTestFinished(() => other.close())
      const engines = `searchEngines=${engine.endpoint},${other.endpoint}`
      const here = ['--data', folder]
      await sluice(['sites', 'add', site.url('/sitemap.xml'), '--key', KEY, engines, ...here])
      for (const each of [engine, other]) each.always(answers(403, '{"errorCode":"InvalidKey"}'))
      await sluice(['run', site.host, ...here])

      const told = await sluice(['status', ...here])
      const whole = await sluice(['status', site.host, '--json', ...here])

      const lines = told.stdout.split('\n')
      const first = lines.findIndex((line) => line.startsWith('  failed    '))
      const group = [
        expect.stringMatching(
          /^ {2}failed {4}5 at \S+, key-refused: The engine does not .* Run `sluice doctor \S+`: .* make a new one/,
        ),
        ...urls(3).map(() => expect.stringContaining(`${site.origin}/p/`)),
        `              and 2 more; --json lists the newest ${FAILED_KEPT_PER_ENGINE} of each engine`,
      ]
      const warning = expect.stringContaining('403')
      expect(lines.slice(first)).toEqual([...group, ...group, warning, warning, ''])
      for (const { origin } of [engine, other])
        expect(told.stdout).toContain(`5 at ${new URL(origin).host}, key-refused`)
      const failed = documentIn(whole)['failed'] as readonly Readonly<Record<string, unknown>>[]
      expect(new Set(failed.map(({ url }) => url))).toEqual(new Set(urls(5)))
      expect(failed[0]).toMatchObject({ reason: 'key-refused', statusCode: 403 })
    },
  )
})

describe('sluice sitemap', () => {
  scenario('S05', 'lists what Sluice sees, each page once, and what is wrong', async () => {
    const { site } = await openCliWorld(0)
    site.put({
      '/robots.txt': 'Sitemap: {origin}/index.xml',
      '/index.xml': sitemapIndex('{origin}/a.xml', '{origin}/b.xml', '{origin}/missing.xml'),
      '/a.xml': sitemapOf([['/1', '2025-01-02'], '/2']),
      '/b.xml': sitemapOf(['/2', '/3']).replace(
        '</urlset>',
        '<url><loc>https://example.com/x</loc></url><url><loc>ftp://x/</loc></url></urlset>',
      ),
    })

    const machine = await sluice(['sitemap', site.origin, '--json'])
    const people = await sluice(['sitemap', site.url('/a.xml')])

    const plain = (path: string) => ({ loc: site.url(path), lastmod: null, foreign: false })
    expect(machine.code).toBe(1)
    expect(documentIn(machine)).toEqual({
      urls: [
        { ...plain('/1'), lastmod: '2025-01-02T00:00:00.000Z' },
        plain('/2'),
        plain('/3'),
        { loc: 'https://example.com/x', lastmod: null, foreign: true },
      ],
      sitemaps: [
        { url: site.url('/index.xml'), status: 'read', count: 3, error: null },
        { url: site.url('/a.xml'), status: 'read', count: 2, error: null },
        { url: site.url('/b.xml'), status: 'read', count: 3, error: null },
        {
          url: site.url('/missing.xml'),
          status: 'failed',
          count: 0,
          error: expect.stringContaining('404') as string,
        },
      ],
      invalid: [{ value: 'ftp://x/', reason: 'not-http' }],
      complete: false,
    })
    expect(people.code).toBe(0)
    expect(people.stdout).toBe(`${site.url('/1')}\n${site.url('/2')}\n`)
    expect(people.stderr).toContain('✔ 2 URLs in 1 of 1 files')
  })
})

describe('a server holds the folder', () => {
  scenario(
    'X07',
    'commands talk to it; only what it would do by itself later is refused',
    async () => {
      const { site, engine, folder, submit, urls } = await openCliWorld(3)
      const env = { SLUICE_ALLOW_PRIVATE: '1', LOG_FORMAT: 'json' }
      const server = await startServer({ SLUICE_DATA: folder, ...env })
      const here = ['--data', folder, '--json']
      const engines = `searchEngines=${engine.endpoint}`

      const unknown = await sluice(submit('--json'))
      const dry = await sluice(submit('--json', '--dry-run'))
      const added = await sluice([
        'sites',
        'add',
        site.url('/sitemap.xml'),
        '--key',
        KEY,
        engines,
        ...here,
      ])
      const known = await sluice(submit('--json'))
      const status = await sluice(['status', ...here])
      const url = await sluice(['url', urls(3)[0] ?? '', ...here])
      await server.stop()

      expect(unknown.code).toBe(2)
      expect(unknown.stderr).toContain(`The server at ${server.url} holds`)
      expect(documentIn(dry)).toMatchObject({ urls: urls(3) })
      expect(dry.stderr).toContain(
        `The server at ${server.url} holds the folder. This dry run is not`,
      )
      expect(added.code).toBe(0)
      expect(documentIn(known)).toMatchObject({ run: { status: 'succeeded', submitted: 3 } })
      expect(documentIn(status)).toMatchObject({ lastExecution: { submitted_urls: 3 } })
      expect(documentIn(url)).toMatchObject({ states: [{ status: 'accepted' }] })
      expect(server.lines().some(({ event }) => event === 'run.finished')).toBe(true)
    },
  )

  scenario('X07', 'Ctrl-C leaves the run to the server', async () => {
    const { site, engine, folder } = await openCliWorld(30)
    const env = { SLUICE_ALLOW_PRIVATE: '1', REQUEST_INTERVAL_MS: '100' }
    const server = await startServer({ SLUICE_DATA: folder, ...env })
    const settings = [`searchEngines=${engine.endpoint}`, 'submitMode=get']
    const address = site.url('/sitemap.xml')
    await sluice(['sites', 'add', address, '--key', KEY, ...settings, '--data', folder])
    const command = startSluice(['run', site.host, '--data', folder])
    await asked(engine, 3)

    command.send('SIGINT')
    const { code, stderr } = await command.ended
    const second = await sluice(['run', site.host, '--data', folder])
    await server.stop()

    expect(code).toBe(1)
    expect(stderr).toBe(
      `The run goes on at ${server.url}. See how far it is: sluice status ${site.host}\n`,
    )
    expect(second.code).toBe(3)
    expect(second.stderr).toContain(`\`sluice status ${site.host}\` shows how far it is`)
  })

  scenario('X07', 'sluice serve is that server', async () => {
    const { folder } = await openCliWorld(1)
    const serving = startSluice(['serve', '--data', folder, '--json', '--quiet'], {
      env: { PORT: '0' },
    })
    const served = await serving.firstOutput

    const other = await sluice(['serve', '--data', folder])
    const listed = await sluice(['sites', 'list', '--data', folder, '--json'])
    serving.send('SIGTERM')
    const { code } = await serving.ended

    expect(JSON.parse(served)).toMatchObject({ url: expect.stringMatching(/^http:/) as string })
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('is in use by another Sluice server')
    expect(documentIn(listed)).toEqual({ sites: [] })
    expect(code).toBe(0)
  })
})
