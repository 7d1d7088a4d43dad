import { describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { KEY } from '../support/world.ts'
import { asked, openCliWorld, sluice, startSluice } from './support.ts'

const SLOWLY = { REQUEST_INTERVAL_MS: '300' }

describe('the words of a command', () => {
  scenario('X08', 'an empty --data is wrong use, not the default folder', async () => {
    const { code, stderr } = await sluice(['status', '--data', ''])

    expect(code).toBe(2)
    expect(stderr).toContain('It names no folder.')
  })

  scenario(
    'X08',
    '--json is one document also without a command, its code in capitals',
    async () => {
      const nothing = await sluice(['--json'])
      const missing = await sluice(['url', '--json'])

      expect([nothing.code, missing.code]).toEqual([2, 2])
      expect(JSON.parse(nothing.stdout)).toMatchObject({ error: { code: 'NO_COMMAND' } })
      expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'MISSING_ARGUMENT' } })
    },
  )

  scenario('X08', 'what is wrong is called by the word that was typed', async () => {
    const { folder } = await openCliWorld(1)
    const data = ['--data', folder]

    const command = await sluice(['colect', 'status'])
    const inside = await sluice(['--data', folder, 'sites', 'ad'])
    const limit = await sluice(['cookies', 'add', 'a', '--platform', 'xhs', '--limit', 'abc'])
    const field = await sluice([
      'sites',
      'add',
      'https://a.example',
      '--key',
      KEY,
      'foo=1',
      ...data,
    ])
    const key = await sluice(['sites', 'add', 'https://a.example', '--key', 'short', ...data])

    expect([command, inside, limit, field, key].map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
    expect(command.stderr).toContain('Did you mean collect? See `sluice --help`.')
    expect(inside.stderr).toContain('See `sluice sites --help`.')
    expect(limit.stderr).toMatch(/--limit <number>' .*It should be a whole number\./)
    expect(field.stderr).toContain('allowedSitemapHosts, apiKey, keyLocation')
    expect(key.stderr).toContain('--key is not usable')
  })

  scenario('X07', 'help and version can be asked for in every usual way', async () => {
    const all = await sluice(['--help'])
    const help = await sluice(['help', 'submit'])
    const inside = await sluice(['help', 'collect', 'add'])
    const versions = [await sluice(['-V']), await sluice(['version']), await sluice(['--version'])]

    expect(all.stdout).toMatch(/search engines and\s+collects notes/)
    expect(help.code).toBe(0)
    expect(help.stdout).toContain('Usage: sluice submit')
    expect(inside.code).toBe(0)
    expect(inside.stdout).toContain('Usage: sluice collect add')
    expect(new Set(versions.map(({ stdout, code }) => `${code} ${stdout}`)).size).toBe(1)
    expect(versions[0]?.stdout).toMatch(/^\d+\.\d+\.\d+/)
  })
})

describe('what is said at the end', () => {
  scenario('X08', 'names an address that is not asked once', async () => {
    const { site, submit } = await openCliWorld(1)
    const env = { SLUICE_ALLOW_PRIVATE: '0' }
    const address = site.url('/sitemap.xml')

    const submitted = await sluice(submit(), { env })
    const read = await sluice(['sitemap', address], { env })

    for (const { code, stderr } of [submitted, read]) {
      expect(code).toBe(1)
      expect(stderr).toContain(`✖ ${address} is a private address`)
    }
  })

  scenario('X07', 'sites add says the next step, sites remove what it did', async () => {
    const { site, folder } = await openCliWorld(1)
    const data = ['--data', folder]

    const added = await sluice(['sites', 'add', site.url('/sitemap.xml'), '--key', KEY, ...data])
    const removed = await sluice(['sites', 'remove', site.host, ...data])

    expect(added.stderr).toBe(`Next: sluice run ${site.host}\n`)
    expect(removed.stderr).toContain(`Removed ${site.host}`)
  })

  scenario('S29', 'Ctrl-C while a dry run or `sitemap` reads ends with 1', async () => {
    const { site, submit } = await openCliWorld(1)
    site.put({ '/sitemap.xml': { status: 503, body: '' } })
    const env = { SITEMAP_RETRY_MS: '60000' }

    for (const words of [['sitemap', site.url('/sitemap.xml')], submit('--dry-run')]) {
      const before = site.requests.length
      const command = startSluice(words, { env })
      while (site.requests.length === before) await site.arrival()
      command.send('SIGINT')

      expect((await command.ended).code).toBe(1)
    }
  })
})

describe('a folder that is held', () => {
  scenario('X08', 'serve ends with 3 while a command holds it, and says so', async () => {
    const { engine, submit, folder } = await openCliWorld(30)
    const command = startSluice(submit('--mode', 'get'), { env: SLOWLY })
    await asked(engine, 2)

    const { code, stderr } = await sluice(['serve', '--data', folder], { env: { PORT: '0' } })
    command.send('SIGINT')
    await command.ended

    expect(code).toBe(3)
    expect(stderr).toContain('is in use by a Sluice command')
  })
})
