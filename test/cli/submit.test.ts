import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { RUN } from '../../src/submit/http/shapes.ts'
import { scenario } from '../support/scenario.ts'
import { openBing } from '../support/stand-ins/bing.ts'
import { forbids } from '../support/stand-ins/indexnow-engine.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { systemClock } from '../../src/core/clock.ts'
import { KEY, paths, sitemapOf } from '../support/world.ts'
import { openCliWorld, sluice } from './support.ts'

const ESCAPE = '\u001B'

function runIn(stdout: string) {
  const { run } = JSON.parse(stdout) as { run: unknown }
  return RUN.strict().parse(run)
}

function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder).map((name): [string, string] => {
    const hash = createHash('sha256').update(readFileSync(join(folder, name)))
    return [name, hash.digest('hex')]
  })
  return Object.fromEntries(files)
}

describe('sluice submit', () => {
  scenario('X07', 'sends what is new, remembers it, and sends only changes later', async () => {
    const { site, engine, submit, urls } = await openCliWorld(5)

    const first = await sluice(submit())
    const second = await sluice(submit())
    site.put({ '/sitemap.xml': sitemapOf(paths(7)) })
    const third = await sluice(submit())

    expect([first.code, second.code, third.code]).toEqual([0, 0, 0])
    expect([first.stdout, second.stdout]).toEqual(['', ''])
    expect(first.stderr).toContain('5 URLs in the sitemaps, 5 to submit')
    expect(first.stderr).toMatch(/engine +total +accepted +failed +pending\n.* 5 +5 +0 +0\n/)
    expect(second.stderr).toContain('skipped: 5 accepted before and not changed since')
    expect(third.stderr).toContain('7 URLs in the sitemaps, 2 to submit')
    expect([...engine.received.keys()]).toEqual(urls(7))
    expect([...engine.received.values()].map(({ count }) => count)).toEqual(Array(7).fill(1))
  })

  scenario('X07', 'writes plain lines into a pipe, one for each batch', async () => {
    const { submit } = await openCliWorld(5)

    const { stderr } = await sluice(submit('--mode', 'post'))

    expect(stderr).toMatch(/INFO {2}batch 1\/1: 5 URLs/)
    expect(stderr).not.toContain(ESCAPE)
    expect(stderr).not.toContain(KEY)
  })

  scenario(
    'X07',
    '--json is one document with the run, and the key can be in the environment',
    async () => {
      const { site, engine, folder } = await openCliWorld(5)
      const words = ['submit', site.origin, '--engine', engine.endpoint, '--data', folder, '--json']

      const { code, stdout } = await sluice(words, { env: { INDEXNOW_API_KEY: KEY } })

      expect(code).toBe(0)
      expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['run'])
      expect(runIn(stdout)).toMatchObject({ status: 'succeeded', total: 5, submitted: 5 })
    },
  )

  scenario('X07', 'needs key and engines only the first time', async () => {
    const { site, engine, submit, folder, urls } = await openCliWorld(2)
    await sluice(submit())
    site.put({ '/sitemap.xml': sitemapOf(paths(3)) })

    const again = await sluice(['submit', site.url('/sitemap.xml'), '--data', folder])

    expect(again.code).toBe(0)
    expect([...engine.received.keys()]).toEqual(urls(3))
  })

  scenario('X07', '--quiet says nothing when all is well', async () => {
    const { submit } = await openCliWorld(2)

    expect(await sluice(submit('--quiet'))).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  scenario('X07', '--quiet still says why a run failed', async () => {
    const { site, submit, folder } = await openCliWorld(2)
    site.put({ '/sitemap.xml': { status: 503, body: '' } })

    const submitted = await sluice(submit('--quiet'))
    const run = await sluice(['run', site.host, '--quiet', '--data', folder])

    for (const { code, stdout, stderr } of [submitted, run]) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^✖ \S+: failed\n {2}✖ .*503.*\n$/)
    }
  })
})

describe('sluice submit --dry-run', () => {
  scenario('X07', 'shows what would be sent, in order, and leaves no trace', async () => {
    const { engine, submit, urls, folder } = await openCliWorld(5)

    const people = await sluice(submit('--dry-run'))
    const machine = await sluice(submit('--dry-run', '--json'))

    expect(people.code).toBe(0)
    expect(people.stdout.trimEnd().split('\n')).toEqual(urls(5))
    expect(people.stderr).toContain('5 URLs would be sent. Nothing was sent')
    expect(JSON.parse(machine.stdout)).toMatchObject({
      run: { status: 'succeeded', trigger: 'dry-run', total: 5, new: 5, submitted: 0 },
      urls: urls(5),
    })
    expect(engine.requests).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  scenario('S21', 'looks at the key file, and warns of it', async () => {
    const { site, submit } = await openCliWorld(1)
    site.remove(`/${KEY}.txt`)

    const { stdout } = await sluice(submit('--dry-run', '--json'))

    const missing = expect.stringContaining(`${site.origin}/a1b2….txt answers 404`) as string
    expect(JSON.parse(stdout)).toMatchObject({ run: { warnings: [missing] } })
  })

  scenario(
    'S12',
    'knows what was accepted, puts first what failed, and changes no byte',
    async () => {
      const { site, engine, submit, urls, folder } = await openCliWorld(3)
      await sluice(submit())
      site.put({ '/sitemap.xml': sitemapOf([...paths(3), '/failed']) })
      engine.always(answers(400))
      await sluice(submit())
      site.put({ '/sitemap.xml': sitemapOf(['/new', ...paths(3), '/failed']) })
      engine.always()
      const before = { files: contentsOf(folder), requests: engine.requests.length }

      const { stdout } = await sluice(submit('--dry-run', '--json'))

      const { urls: planned } = JSON.parse(stdout) as { urls: readonly string[] }
      expect(planned).toEqual([site.url('/failed'), site.url('/new')])
      expect(planned).not.toEqual(expect.arrayContaining([...urls(3)]))
      expect(contentsOf(folder)).toEqual(before.files)
      expect(engine.requests.length).toBe(before.requests)
    },
  )

  scenario('B04', 'assumes the usual quota of Bing instead of asking for it', async () => {
    const { site, submit, folder } = await openCliWorld(5)
    const apiKey = 'key-of-bing'
    const sites = [{ url: site.origin, dailyQuota: 3 }]
    const bing = await openBing({ clock: systemClock, apiKey, sites })
    const env = { BING_API_URL: bing.apiUrl }
    const add = ['sites', 'add', site.url('/sitemap.xml'), '--key', KEY, '--data', folder]
    const settings = ['bingEnabled=true', 'bingApiKey=-', 'bingDailyQuota=auto']
    await sluice([...add, ...settings], { stdin: `${apiKey}\n` })

    const { stdout } = await sluice(submit('--dry-run', '--json'), { env })

    await bing.close()
    expect(JSON.parse(stdout)).toMatchObject({
      run: { bing: { total: 5, successful: 0, quotaUsed: 0, quotaRemaining: 100 } },
    })
    expect(bing.requests).toEqual([])
  })
})

describe('what goes wrong', () => {
  scenario('X08', 'wrong words end with 2, and say what to do', async () => {
    const { site, submit, folder } = await openCliWorld(1)
    const address = site.url('/sitemap.xml')
    const badKey = 'secret key!'

    const key = await sluice(['submit', address, '--key', badKey, '--data', folder, '--json'])
    const noKey = await sluice(['submit', address, '--data', folder])
    const url = await sluice(['submit', 'example.com/sitemap.xml', '--key', KEY])
    const mode = await sluice(submit('--mode', 'put'))
    const engine = await sluice([
      'submit',
      address,
      '--key',
      KEY,
      '--engine',
      'bong',
      '--data',
      folder,
    ])

    for (const { code } of [key, noKey, url, mode, engine]) expect(code).toBe(2)
    expect(JSON.parse(key.stdout)).toMatchObject({ error: { code: 'INVALID_INPUT' } })
    expect(key.stderr).toContain('✖ --key is not usable: it should be')
    expect(key.stderr + key.stdout).not.toContain(badKey)
    expect(noKey.stderr).toContain('Give it with --key or INDEXNOW_API_KEY.')
    expect(url.stderr).toContain('Did you mean https://example.com/sitemap.xml?')
    expect(mode.stderr).toContain('Allowed choices are auto, get, post')
    expect(engine.stderr).toContain('--engine is "bong": it should be one of indexnow, bing')
  })

  scenario('X08', 'settings that differ from those of the last time are said', async () => {
    const { submit } = await openCliWorld(1)
    const first = await sluice(submit())
    const same = await sluice(submit())

    const other = await sluice(submit('--mode', 'get', '--key', 'ffff0000ffff0000'))

    expect(first.stderr + same.stderr).not.toContain('other settings')
    expect(other.stderr).toContain('has other settings now. submitMode: auto → get')
    expect(other.stderr).not.toContain('ffff0000ffff0000')
  })

  scenario('X08', 'a wrong variable ends with 2 and is named', async () => {
    const { submit } = await openCliWorld(1)

    const { code, stderr } = await sluice(submit(), { env: { REQUEST_INTERVAL_MS: 'soon' } })

    expect(code).toBe(2)
    expect(stderr).toContain('REQUEST_INTERVAL_MS')
    expect(stderr).toContain('should be  a whole number')
  })

  scenario('X08', 'a sitemap that cannot be read ends with 1 and the reason', async () => {
    const { site, submit } = await openCliWorld(1)
    site.put({ '/sitemap.xml': { status: 503, body: '' } })
    const busy = await sluice(submit())
    site.put({ '/sitemap.xml': '<!doctype html><html><body>Log in</body></html>' })
    const html = await sluice(submit())
    await site.close()
    const gone = await sluice(submit('--json'))

    for (const { code } of [busy, html, gone]) expect(code).toBe(1)
    expect(busy.stderr).toContain('The server answered 503')
    expect(html.stderr).toContain('This is an HTML page, not a sitemap')
    expect(runIn(gone.stdout)).toMatchObject({ status: 'failed', total: 0 })
    expect(gone.stderr).toContain('run the same command again')
  })

  scenario('S06', 'a sitemap of another host ends with 1, and its host is named', async () => {
    const { site, engine, submit } = await openCliWorld(1)
    const loc = 'https://www.example.com/a'
    site.put({ '/sitemap.xml': `<urlset><url><loc>${loc}</loc></url></urlset>` })

    const { code, stderr } = await sluice(submit())
    const again = await sluice(submit('--json'))

    expect([code, again.code]).toEqual([1, 1])
    expect(stderr).toMatch(/✖ No URL of the sitemap is on \S+, all are on www\.example\.com\./)
    expect(runIn(again.stdout)).toMatchObject({ status: 'failed', total: 0, submitted: 0 })
    expect(engine.requests).toEqual([])
  })

  scenario('X08', 'a 403 names the key file to open, and never the whole key', async () => {
    const { site, engine, submit } = await openCliWorld(2)
    site.remove(`/${KEY}.txt`)
    engine.always(forbids('KeyNotFound'))

    const { code, stderr, stdout } = await sluice(submit())

    expect(code).toBe(1)
    const summary = stderr.slice(stderr.indexOf(`✖ ${site.host}: failed`))
    expect(summary).toContain(`${site.origin}/a1b2….txt`)
    expect(summary).toMatch(/✖ .*answered 403/)
    expect(stderr + stdout).not.toContain(KEY)
  })
})
