import { describe, expect } from 'vitest'
import { EN } from '../../src/dashboard/words/en.ts'
import { ZH } from '../../src/dashboard/words/zh.ts'
import { BING_KEY, openBingWorld, WITH_BING } from '../scenarios/bing-world.ts'
import { anotherEngine, webhookOf } from '../scenarios/support.ts'
import { hasEnglish } from '../support/chinese.ts'
import {
  addCandidates,
  COLLECT_BACKENDS,
  noteIdOf,
  openCollectWorld,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { KEY, openWorld, paths, sitemapOf } from '../support/world.ts'
import { ADMIN, openCollectPages, openPages, textOf } from './support.ts'

const CHINESE = { 'accept-language': 'zh-CN' }

/** The lines of a page that are not Chinese, to the last comma; what is marked as a quotation, a code or an address may be anything. */
function englishOn(page: string): readonly string[] {
  return page
    .replace(/^[^]*<main/, '<main')
    .replaceAll(/<(script|code|q|option|textarea|output)\b[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => hasEnglish(line) || /\p{Script=Han}[,.:;!?](\s|$)/u.test(line))
}

const page = async (answer: Response | Promise<Response>) => {
  const text = await textOf(answer)
  expect(text).toContain('<html lang="zh-CN">')
  return text
}

describe('Chinese pages', () => {
  scenario('X06', 'a run in which everything fails is told in Chinese, on every page', async () => {
    const { world } = await openBingWorld({ bing: { apiKey: 'another-key' } })
    const { site, engine } = world
    const [slow, broken, odd] = [
      await anotherEngine(world),
      await anotherEngine(world),
      await anotherEngine(world),
    ]
    const files = ['gone', 'page', 'cut', 'closed', 'good'].map((name) => `{origin}/${name}.xml`)
    const foreign = 'https://cdn.example.net/sitemap.xml'
    site.remove(`/${KEY}.txt`)
    site.put({
      '/sitemap.xml': `<sitemapindex>${[...files, foreign, 'nowhere'].map((file) => `<sitemap><loc>${file}</loc></sitemap>`).join('')}</sitemapindex>`,
      '/page.xml': '<!doctype html><html><body>Please log in to go on</body></html>',
      '/cut.xml': '<urlset><url><loc>{origin}/half</loc></url><url><lo',
      '/closed.xml': { status: 403, body: 'Go away, whoever you are' },
      '/good.xml': sitemapOf(paths(3)).replace(
        '</urlset>',
        '<url><loc>not a url</loc></url><url><loc>https://other.example/</loc></url></urlset>',
      ),
    })
    engine.always(answers(403, '{"errorCode":"UserForbiddedToAccessSite"}'))
    slow.always(answers(429))
    broken.always(answers(503))
    odd.always(answers(404))
    const searchEngines = [engine, slow, broken, odd].map(({ endpoint }) => endpoint)
    const webhook = await webhookOf(world)
    const id = await world.addSite({
      ...WITH_BING,
      searchEngines,
      maxRetries: 0,
      webhookUrl: webhook.url,
    })
    const run = await world.run()
    webhook.always(answers(410, 'Gone with the wind'))
    const visitor = await openPages(world).loggedIn(ADMIN)
    const form_token = await visitor.formToken('/alerts')

    const looks = ['/', `/sites/${id}`, `/runs/${run.id}`, '/alerts', '/docs']
    const looked = await Promise.all(looks.map((path) => page(visitor.get(path, CHINESE))))
    const checked = await page(visitor.get(`/sites/${id}/edit?check=1`, CHINESE))
    const told = await page(visitor.post('/alerts/test', { form_token }, CHINESE))
    const inEnglish = await textOf(visitor.get(`/runs/${run.id}`))

    expect([...looked, checked, told].flatMap(englishOn)).toEqual([])
    const [overview = '', , story = '', alerts = ''] = looked
    expect(run.errors.length + run.warnings.length).toBeGreaterThan(10)
    expect(overview).toContain('100% 的提交失败')
    expect(story).toContain('返回 403（“UserForbiddedToAccessSite”）：不接受密钥')
    expect(story).toContain('第 1 行第 ')
    expect(story).toContain('Bing 返回 400，ErrorCode 3，“ERROR!!! InvalidApiKey”：API 密钥无效')
    expect(story).toContain('“not a url”（不是完整网址）')
    expect(alerts).toContain('Bing 不接受 API 密钥')
    expect(checked).toContain('密钥文件返回 404。')
    expect(told).toContain('返回 410，“Gone with the wind”。请确认 webhook 仍然存在')
    expect(inEnglish).toContain('it does not accept the key. Open ')
    expect(JSON.stringify([...looked, checked])).not.toContain(BING_KEY)
  })

  scenario('X06', 'a form that cannot be saved, and a site that cannot be run', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    const wrong = {
      sitemapUrl: 'nowhere',
      apiKey: 'short',
      searchEngines: 'ask me',
      bingEnabled: 'yes',
      bingDailyQuota: '900',
      keyLocation: 'https://elsewhere.example/key.txt',
      maxRetries: '99',
      allowedSitemapHosts: 'a host',
      webhookUrl: 'mailto:me',
    }
    const first = await openPages(world).loggedIn(ADMIN)
    const refused = await page(
      first.post('/sites/new', { ...wrong, form_token: await first.formToken('/alerts') }, CHINESE),
    )
    const [record] = await world.stores.sites.list()
    if (!record) throw new Error('there is a site')
    const apiKey = 'sealed:1:A256GCM:k0:0000'
    await world.stores.sites.replace(record, { ...(record.settings as object), apiKey })
    const visitor = await openPages(world).loggedIn(ADMIN)
    const form_token = await visitor.formToken('/alerts')

    const closed = await page(visitor.get(`/sites/${id}`, CHINESE))
    const notRun = await page(visitor.post(`/sites/${id}/run`, { form_token }, CHINESE))

    expect([refused, closed, notRun].flatMap(englishOn)).toEqual([])
    expect(refused).toContain('“重试次数”是 99：应为 0 到 10 的整数。')
    expect(closed).toContain('无法打开')
    expect(notRun).toContain('无法打开')
  })

  scenario('X06', 'what nobody translated is a quotation', async () => {
    const world = await openWorld()
    const id = await world.addSite()
    const at = world.clock.now()
    const numbers = { total: 0, new: 0, cached: 0, submitted: 0, failed: 0, deleted: 0, invalid: 0 }
    await world.stores.runs.finish({
      id: 'run-1',
      siteId: id,
      startedAt: at,
      finishedAt: at,
      status: 'failed',
      trigger: 'manual',
      ...numbers,
      errors: ['an earlier version <said> this'],
      warnings: [],
      engines: [],
    })
    const visitor = await openPages(world).loggedIn(ADMIN)

    const chinese = await page(visitor.get('/runs/run-1', CHINESE))
    const english = await textOf(visitor.get('/runs/run-1'))

    expect(chinese).toContain('<q lang="en">an earlier version &lt;said&gt; this</q>')
    expect(english).toContain('<li>an earlier version &lt;said&gt; this</li>')
  })
})

describe.each(COLLECT_BACKENDS)('Chinese pages about collecting: $name', (backend) => {
  scenario('X06', 'why a candidate was given up is told in both languages', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 1)
    const failed = { platform: 'xhs', note_id: noteIdOf(0), error_code: 'NOT_FOUND' }
    for (let attempt = 0; attempt < 3; attempt++) {
      const { execution_id } = await startExecution(world)
      await world.data('POST', '/v1/candidates/claim', { execution_id, batch_size: 1 })
      await world.data('POST', '/v1/candidates/fail', { execution_id, items: [failed] })
      await world.data('POST', `/v1/executions/${execution_id}/finish`, { status: 'completed' })
    }
    const visitor = await openCollectPages(world).loggedIn(ADMIN)

    const chinese = await page(visitor.get('/collect', CHINESE))
    const english = await textOf(visitor.get('/collect'))

    expect(englishOn(chinese)).toEqual([])
    expect(chinese).toContain(ZH.errorCode.NOT_FOUND)
    expect(english).toContain(EN.errorCode.NOT_FOUND)
  })
})
