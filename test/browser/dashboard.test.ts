import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { EN } from '../../src/dashboard/words/en.ts'
import { ZH } from '../../src/dashboard/words/zh.ts'
import { bearer, type RunningServer, startServer } from '../server/support.ts'
import { serve } from '../support/local-server.ts'
import { scenario } from '../support/scenario.ts'
import { type IndexNowEngine, openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, type SiteStandIn } from '../support/stand-ins/site.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { paths, sitemapOf } from '../support/world.ts'
import { openChromium } from '../support/chromium.ts'

const ADMIN = 'c4n4ry-admin-token-of-the-browser'
const KEY = 'c4n4ry0f1nd3xn0wk3y'
const PAGES = 40

describe('the dashboard in a browser', () => {
  let browser: Browser
  let server: RunningServer
  let site: SiteStandIn
  let engine: IndexNowEngine
  const pages: Page[] = []
  /** What no page may do: ask another host, or be stopped by its own policy. */
  const complaints: string[] = []

  beforeAll(async () => {
    const clock = systemClock
    const files = { '/sitemap.xml': sitemapOf(paths(PAGES)), [`/${KEY}.txt`]: KEY }
    site = await openSite({ clock, files })
    engine = await openIndexNowEngine({ clock })
    server = await startServer({
      ADMIN_TOKEN: ADMIN,
      SLUICE_ALLOW_PRIVATE: '1',
      REQUEST_INTERVAL_MS: '10',
      MAX_RETRIES: '0',
      COLLECT_PLATFORMS: 'page,feed,import,xhs',
    })
    await collectSomething()
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    await Promise.all([site.close(), engine.close()])
  })

  const open = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) complaints.push(request.url())
    })
    pages.push(page)
    await page.goto(server.url)
    await page.getByRole('textbox').or(page.locator('#token')).first().fill(ADMIN)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.url}/`)
    return page
  }
  const api = async (method: string, path: string, body: unknown) => {
    const headers = { ...bearer(ADMIN), 'content-type': 'application/json' }
    const init = { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(`${server.url}${path}`, init)
    expect(answer.ok, path).toBe(true)
    return (await answer.json()) as { readonly data?: Readonly<Record<string, unknown>> }
  }
  /** A cookie, a running execution, a note that was collected, one that was given up and one that waits. */
  const collectSomething = async () => {
    const cookie = 'a1=c4n4ry; web_session=c4n4ry0fth3c00k13'
    await api('POST', '/v1/cookies', { cookie_name: 'first-one', platform: 'xhs', cookie })
    const noteId = (number: number) => String(number).padStart(24, '0')
    const items = [1, 2, 3].map((number) => ({
      platform: 'xhs',
      note_id: noteId(number),
      note_url: `https://www.xiaohongshu.com/explore/${noteId(number)}?xsec_token=c4n4ry`,
      source_keyword: '绿茶',
    }))
    await api('POST', '/v1/candidates', { items })
    const execution = await api('POST', '/v1/executions', { workflow_name: 'browser' })
    const { execution_id } = execution.data ?? {}
    await api('POST', '/v1/candidates/claim', { execution_id, batch_size: 2 })
    const note = { title: '春天的绿茶', canonical_url: 'https://notes.example/1' }
    await api('POST', '/v1/candidates/complete', {
      execution_id,
      items: [{ platform: 'xhs', note_id: noteId(1), note }],
    })
    await api('POST', '/v1/candidates/fail', {
      execution_id,
      items: [{ platform: 'xhs', note_id: noteId(2), error_code: 'PLATFORM_ERROR' }],
    })
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const sitePath = () => `${server.url}/sites/${encodeURIComponent(site.host)}`

  scenario(
    'X06',
    'log in, add a site, see it checked, run it and watch it fail, then retry what failed',
    async () => {
      const page = await open()
      await page.getByText(EN.noSites).waitFor()

      await page.getByRole('link', { name: EN.addSite }).click()
      await page.getByLabel(EN.sitemapUrl).fill(site.url('/sitemap.xml'))
      await page.getByLabel(EN.apiKey).fill(KEY)
      await page.getByLabel(EN.searchEngines).fill(engine.endpoint)
      await button(page, EN.saveAndCheck).click()
      await page.getByText(EN.doneAdded).waitFor()
      expect(await page.locator('.findings li.ok').count()).toBeGreaterThan(3)

      engine.always(answers(403, '{"errorCode":"InvalidKey"}'))
      await page.goto(sitePath())
      await button(page, EN.runNow).click()
      await page.waitForURL(/\/runs\/run-/)
      await page.locator('h1 .pill.failed').waitFor()
      expect(await page.getByRole('heading', { name: EN.errors }).count()).toBe(1)

      engine.always()
      await page.goto(sitePath())
      await button(page, `Retry ${PAGES} failed`).click()
      await page.waitForURL(/\/runs\/run-/)
      await page.locator('h1 .pill.succeeded').waitFor()
      await page.getByText(`${PAGES} of ${PAGES} accepted`).waitFor()
      expect(engine.received.size).toBe(PAGES)
    },
  )

  scenario(
    'X06',
    'a run is followed: by what the server sends, and without a script by asking again',
    async () => {
      const gate = Promise.withResolvers<void>()
      const slow = await serve((_, response) => void gate.promise.then(() => response.end()))
      await api('PUT', `/api/sites/${site.host}`, { searchEngines: [`${slow.origin}/indexnow`] })
      const page = await open()
      await page.goto(sitePath())
      await button(page, EN.runNow).click()
      await page.waitForURL(/\/runs\/run-/)
      await page.locator('h1 .pill.running').waitFor()
      await page.evaluate(() => Object.assign(globalThis, { isFirstLoad: true }))
      const without = await open({ javaScriptEnabled: false })
      await without.goto(page.url())
      await without.getByText(EN.live).waitFor()

      gate.resolve()
      await page.locator('h1 .pill.succeeded').waitFor()

      expect(await page.evaluate(() => 'isFirstLoad' in globalThis)).toBe(true)
      await without.locator('h1 .pill.succeeded').waitFor()
      expect(await without.getByText(EN.live).count()).toBe(0)
      await page.getByText(`${PAGES} of ${PAGES} accepted`).waitFor()
    },
  )

  scenario('X06', 'a plot is drawn from its table, and times tell the local one', async () => {
    const page = await open({ timezoneId: 'Asia/Shanghai' })
    await page.goto(sitePath())

    const drawn = page.locator('figure canvas')
    await drawn.first().waitFor()
    const title = await page.locator('tbody time').first().getAttribute('title')

    expect(await drawn.count()).toBeGreaterThanOrEqual(2)
    expect(title).toMatch(/GMT\+8|China/)
    await page.locator('.plot summary').first().click()
    await page.locator('.plot table').first().waitFor({ state: 'visible' })
  })

  scenario('X06', 'the language is switched on any page, and stays', async () => {
    const page = await open()
    await page.goto(`${server.url}/alerts`)

    await page.getByRole('link', { name: '中文' }).click()
    await page.getByRole('heading', { name: ZH.alerts }).waitFor()
    await page.goto(server.url)

    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await page.getByRole('heading', { name: ZH.sites }).waitFor()
  })

  scenario('X06', 'a site is paused, resumed and tried out without a script', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto(sitePath())

    await button(page, EN.pause).click()
    await page.getByText(EN.donePaused).waitFor()
    await button(page, EN.resume).click()
    await page.getByText(EN.doneResumed).waitFor()
    await button(page, EN.dryRun).click()
    await page.getByText(EN.dryRunNone).waitFor()
  })

  scenario('X06', 'a note is searched, and a cookie switched off, without a script', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.getByRole('link', { name: EN.collect, exact: true }).click()
    await page.getByRole('link', { name: EN.sources, exact: true }).click()
    await page.getByLabel(EN.searchSources).fill('绿茶')
    await button(page, EN.search).click()
    await page.getByRole('link', { name: '春天的绿茶' }).waitFor()

    await page.getByRole('link', { name: EN.cookies, exact: true }).click()
    await button(page, EN.disable).click()

    await page.getByText(EN.doneDisabled).waitFor()
    expect(await page.locator('tbody .pill').textContent()).toBe(EN.cookieState.disabled)
  })

  const shown = async (page: Page): Promise<readonly string[]> => {
    await page.goto(sitePath())
    const run = await page.locator('tbody a').first().getAttribute('href')
    const own = `/sites/${encodeURIComponent(site.host)}`
    return [
      '/',
      own,
      `${own}/edit?check=1`,
      `${run}`,
      '/sites/new',
      '/alerts',
      '/collect?state=pending',
      '/collect/cookies',
      '/collect/sources',
      '/docs',
      '/runs/none',
    ]
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    scenario(`X06`, `axe finds nothing on any page, ${colorScheme}`, async () => {
      const page = await open({ colorScheme, reducedMotion: 'reduce' })
      const found: string[] = []

      for (const path of await shown(page)) {
        await page.goto(`${server.url}${path}`)
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('details')) details.open = true
        })
        const { violations } = await new AxeBuilder({ page }).analyze()
        found.push(
          ...violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html.slice(0, 200)}`),
        )
      }

      expect(found).toEqual([])
    })
  }

  scenario('X06', 'nothing is wider than a phone, and no page holds a key', async () => {
    const page = await open({ viewport: { width: 375, height: 700 } })

    for (const path of await shown(page)) {
      await page.goto(`${server.url}${path}`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, path).toBeLessThanOrEqual(375)
      for (const table of await page.locator('.scroll').all())
        expect(
          await table.evaluate((part) => getComputedStyle(part).backgroundAttachment),
        ).toContain('local, local, scroll, scroll')
      expect(await page.content(), path).not.toMatch(/c4n4ry/)
    }
  })

  scenario(
    'X06',
    'by keyboard alone: the content is one key away, and what has the focus shows it',
    async () => {
      const page = await open()
      await page.goto(server.url)

      await page.keyboard.press('Tab')
      const skip = page.getByRole('link', { name: EN.skip })
      expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      const outline = await page.evaluate(
        () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
      )

      expect(outline).toBe('solid')
    },
  )

  scenario('X06', 'no page asked another host or broke its own policy', () => {
    expect(pages.length).toBeGreaterThan(5)
    const expected = /status of 404/
    expect(complaints.filter((complaint) => !expected.test(complaint))).toEqual([])
  })
})
