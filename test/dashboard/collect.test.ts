import { describe, expect } from 'vitest'
import { days, minutes } from '../../src/core/duration.ts'
import { utcDayOf } from '../../src/core/utc-day.ts'
import { EN } from '../../src/dashboard/words/en.ts'
import { ZH } from '../../src/dashboard/words/zh.ts'
import {
  addCandidates,
  addCookie,
  COLLECT_BACKENDS,
  type CollectWorld,
  openCollectWorld,
  sessionCookie,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { openWorld } from '../support/world.ts'
import { ADMIN, openCollectPages, openPages, READ, textOf } from './support.ts'

const PAGES = ['/collect', '/collect/cookies', '/collect/sources'] as const

async function claimAndComplete(world: CollectWorld, titles: readonly string[]) {
  const { execution_id } = await startExecution(world)
  const claim = { execution_id, batch_size: titles.length }
  const { records } = await world.data<{ records: { platform: string; note_id: string }[] }>(
    'POST',
    '/v1/candidates/claim',
    claim,
  )
  const items = records.map(({ platform, note_id }, n) => ({
    platform,
    note_id,
    note: { title: titles[n] ?? '', canonical_url: `https://notes.example/${n}` },
  }))
  await world.data('POST', '/v1/candidates/complete', { execution_id, items })
  return execution_id
}

/** What the table of a plot says, from the newest day back: by state, as it is drawn; a gap is empty. */
function plotted(page: string, title: string, shown: number) {
  const figures = page.split('<figure').filter((figure) => figure.includes(`<figcaption>${title}<`))
  expect(figures).toHaveLength(1)
  const rows = [...(figures[0] ?? '').matchAll(/<th scope="row"[^>]*>(\S+)<\/th>(.*?)<\/tr>/gs)]
  expect(rows).toHaveLength(30)
  return rows
    .toReversed()
    .slice(0, shown)
    .map(([, day, cells = '']) => [
      day,
      ...[...cells.matchAll(/data-value="(\d*)"/g)].map(([, value]) => value),
    ])
}

describe.each(COLLECT_BACKENDS)('pages about collecting: $name', (backend) => {
  scenario('X06', 'candidates, executions and notes are shown as they stand', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 5)
    await claimAndComplete(world, ['Green tea', 'Black tea', '<b>coffee</b>'])
    world.clock.advance(minutes(7))
    const visitor = await openCollectPages(world).loggedIn(READ)

    const overview = await textOf(visitor.get('/collect?state=pending'))
    const sources = await textOf(visitor.get('/collect/sources'))
    const found = await textOf(visitor.get('/collect/sources?q=TEA&platform=xhs'))
    const none = await textOf(visitor.get('/collect/sources?q=milk'))

    expect(overview).toContain(EN.candidateState.collected)
    expect(overview).toContain(`<strong>3</strong>`)
    const tiles = [...overview.matchAll(/<dt>(.)/g)].map(([, letter]) => letter)
    expect(tiles.join('')).toMatch(/^[A-Z]{5}$/)
    expect(overview).toContain('7m ago')
    expect(overview).toContain('lock free in 23m')
    expect(overview.match(/<th scope="row" class="address">/g)).toHaveLength(2)
    expect(overview).not.toContain('xsec_token=')
    expect(sources).toContain('&lt;b&gt;coffee&lt;/b&gt;')
    expect(sources).toContain('href="https://notes.example/2" rel="noreferrer noopener"')
    expect(found.match(/class="address"/g)).toHaveLength(2)
    expect(none).toContain(EN.nothingFound)
  })

  scenario('X06', 'candidates by state over days: today as they are, gaps as gaps', async () => {
    const world = await openCollectWorld(backend)
    const counted = (ago: number, pending: number) => {
      const countedAt = world.clock.now() - days(ago)
      const counts = { pending, processing: 2, collected: 70 - ago, failed: 0 }
      return world.stores.census.keep({ day: utcDayOf(countedAt), countedAt, ...counts })
    }
    await addCandidates(world, 5)
    await claimAndComplete(world, ['Green tea'])
    for (const [ago, pending] of [
      [0, 99],
      [1, 12],
      [3, 0],
      [30, 99],
    ] as const) {
      await counted(ago, pending)
    }
    const visitor = await openCollectPages(world).loggedIn(READ)

    const page = await textOf(visitor.get('/collect'))
    const chinese = await textOf(visitor.get('/collect', { 'accept-language': 'zh' }))

    const waiting = [
      ['2025-01-15', '4', '0'],
      ['2025-01-14', '12', '2'],
      ['2025-01-13', '', ''],
      ['2025-01-12', '0', '2'],
      ['2025-01-11', '', ''],
    ]
    expect(plotted(page, EN.candidatesWaiting, 5)).toEqual(waiting)
    expect(plotted(chinese, ZH.candidatesWaiting, 5)).toEqual(waiting)
    expect(plotted(page, EN.candidatesDone, 3)).toEqual([
      ['2025-01-15', '1', '0'],
      ['2025-01-14', '69', '0'],
      ['2025-01-13', '', ''],
    ])
    expect(page.match(/data-plot="levels"/g)).toHaveLength(2)
    expect(page).toContain(EN.censusHint)
    expect(chinese).toContain(ZH.censusHint)
  })

  scenario('C07', 'the cookie board shows how a cookie is doing, never what it is', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'first-one', sessionCookie(1), { daily_limit: 7 })
    const [kept] = await world.stores.cookies.list()
    const pages = openCollectPages(world)
    const admin = await pages.loggedIn(ADMIN)
    const form_token = await admin.formToken('/collect/cookies')

    const disabled = await admin.post('/collect/cookies/first-one/disable', { form_token })
    const off = await textOf(admin.get('/collect/cookies?done=disabled'))
    await admin.post('/collect/cookies/first-one/reactivate', { form_token })
    const on = await textOf(admin.get('/collect/cookies'))
    const unknown = await admin.post('/collect/cookies/none/disable', { form_token })

    expect(disabled.headers.get('location')).toBe('/collect/cookies?done=disabled')
    expect(off).toContain(EN.cookieState.disabled)
    expect(on).toContain(`>${EN.cookieState.active}<`)
    expect(on).toContain('0 of 7')
    expect(unknown.status).toBe(404)
    for (const path of PAGES) {
      const page = await textOf(admin.get(path))
      expect(page, path).not.toMatch(/session-1|18c0ffee|web_session/)
      expect(page, path).not.toContain(kept?.cookieEncrypted)
    }
  })
})

const [sqlite] = COLLECT_BACKENDS

scenario('X03', 'whoever may only look changes no cookie, and strangers see nothing', async () => {
  if (!sqlite) throw new Error('There is no backend.')
  const world = await openCollectWorld(sqlite)
  await addCookie(world, 'first-one', sessionCookie(1))
  const pages = openCollectPages(world)
  const reader = await pages.loggedIn(READ)
  const form_token = await reader.formToken('/collect/cookies')

  const board = await textOf(reader.get('/collect/cookies'))
  const refused = await reader.post('/collect/cookies/first-one/disable', { form_token })
  const stranger = await Promise.all(PAGES.map((path) => pages.visitor().get(path)))

  expect(board).toContain('first-one')
  expect(board).not.toContain('action="/collect')
  expect(refused.status).toBe(403)
  expect(stranger.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await world.stores.cookies.list()).toMatchObject([{ status: 'active' }])
})

scenario('X06', 'notes are paged, and a page that does not exist is the newest', async () => {
  if (!sqlite) throw new Error('There is no backend.')
  const world = await openCollectWorld(sqlite)
  const noteIds = Array.from({ length: 60 }, (_, n) => `n${n}`)
  const origin = { requestId: 'req-1' }
  const notes = noteIds.map((noteId) => ({ platform: 'page', noteId }))
  await world.stores.candidates.add(
    notes.map((note) => ({ ...note, noteUrl: 'https://notes.example/' })),
    origin,
  )
  const { execution_id } = await startExecution(world)
  await world.stores.candidates.claim(execution_id, 60, origin)
  await world.stores.candidates.complete(
    execution_id,
    notes.map((note) => ({ ...note, note: { title: `about ${note.noteId}` } })),
    origin,
  )
  const visitor = await openCollectPages(world).loggedIn(READ)

  const first = await textOf(visitor.get('/collect/sources?q=about&before=x'))
  const [, older = ''] = /class="button" href="([^"]+before[^"]+)"/.exec(first) ?? []
  const second = await textOf(visitor.get(older.replaceAll('&amp;', '&')))

  expect(first.match(/class="address"/g)).toHaveLength(50)
  expect(first).toContain('about n59')
  expect(second.match(/class="address"/g)).toHaveLength(10)
  expect(second).toContain('about n0')
  expect(second).toContain(EN.newest)
})

scenario('X06', 'on its first day the history is today alone, and says so', async () => {
  if (!sqlite) throw new Error('There is no backend.')
  const world = await openCollectWorld(sqlite)
  await addCandidates(world, 3)
  const countedAt = world.clock.now()
  const counts = { pending: 1, processing: 0, collected: 0, failed: 0 }
  await world.stores.census.keep({ day: utcDayOf(countedAt), countedAt, ...counts })
  const visitor = await openCollectPages(world).loggedIn(READ)

  const page = await textOf(visitor.get('/collect', { 'accept-language': 'zh' }))

  expect(page).toContain(ZH.censusBegins)
  expect(page).not.toContain(ZH.censusHint)
  expect(plotted(page, ZH.candidatesWaiting, 2)).toEqual([
    ['2025-01-15', '3', '0'],
    ['2025-01-14', '', ''],
  ])
})

scenario('X06', 'where nothing is collected there is no page about it', async () => {
  const visitor = await openPages(await openWorld()).loggedIn(ADMIN)

  const page = await textOf(visitor.get('/'))
  const missing = await visitor.get('/collect')

  expect(page).not.toContain('href="/collect"')
  expect(missing.status).toBe(404)
})

scenario('X06', 'empty pages about collecting say what to do next', async () => {
  if (!sqlite) throw new Error('There is no backend.')
  const visitor = await openCollectPages(await openCollectWorld(sqlite)).loggedIn(READ)

  const pages = await Promise.all(PAGES.map((path) => textOf(visitor.get(path))))

  expect(pages[0]).toContain(EN.noExecutionsHint.slice(0, 20))
  expect(pages[0]).toContain(EN.censusBegins)
  expect(pages[0]).toContain(EN.noneCounted)
  expect(pages[1]).toContain(EN.noCookies)
  expect(pages[2]).toContain(EN.noSources)
})
