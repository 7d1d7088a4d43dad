import { systemClock } from '../../../../core/clock.ts'
import { seconds } from '../../../../core/duration.ts'
import type { AskOptions, AuditWorld } from './audit-world.ts'
import { WEIBO_HANGING, XHS_NOTES } from './stand-ins.ts'

/** Something that happens to secrets. It throws where it did not come to what it is there for. */
export interface Flow {
  readonly name: string
  /** It takes long: the others go on meanwhile. */
  readonly meanwhile?: true
  run(world: AuditWorld): Promise<void>
}

/** In this order: what is brought is used, and a platform that saw a challenge is left alone afterwards. */
export const FLOWS: readonly Flow[] = [
  { name: 'cookies are added', run: addCookies },
  { name: 'the server is killed while it collects', run: killWhileCollecting },
  { name: 'a platform does not answer in time', meanwhile: true, run: timeOut },
  { name: 'a platform repeats the cookie in its note', run: collectNote },
  { name: 'a platform refuses the cookie', run: refuseCookie },
  { name: 'a platform wants to see a person', run: meetChallenge },
  { name: 'a site with keys and a webhook is added', run: addSite },
  { name: 'engines, Bing and the webhook refuse, and repeat what they were sent', run: runSite },
  { name: 'secrets are mistyped, misplaced and cut off', run: badInput },
  { name: 'tokens are wrong, or right for something else', run: wrongTokens },
  { name: 'everything is sealed anew', run: sealAnew },
  { name: 'everything that can be looked at is', run: exportAll },
  { name: 'commands look at everything', run: runCommands },
  { name: 'a backup is made', run: (world) => world.backup() },
]

async function addCookies(world: AuditWorld): Promise<void> {
  const { canaries, marker } = world
  const first = ['cookies', 'add', `audit-${marker}`, '--platform', 'xhs']
  if ((await world.command(first, xhsCookie(canaries['xhs cookie']))) !== 0) {
    throw new Error('The command did not add the cookie.')
  }
  const more = [
    { cookie_name: 'two', platform: 'xhs', cookie: xhsCookie(canaries['second xhs cookie']) },
    { cookie_name: 'three', platform: 'weibo', cookie: `SUB=${canaries['weibo cookie']}` },
  ]
  for (const body of more) await expectStatus(world, 201, 'POST /v1/cookies', { body })
}

async function killWhileCollecting(world: AuditWorld): Promise<void> {
  const { standIns } = world
  const items = [xhsCandidate(XHS_NOTES.hanging)]
  await expectStatus(world, 200, 'POST /v1/candidates', { body: { items } })
  const hanging = standIns.hanging()
  await expectStatus(world, 202, 'POST /v1/collect')
  await inTime(hanging, 'The platform was not asked.')
  await world.crash()
  await expectStatus(world, 200, 'POST /v1/recover')
}

async function timeOut(world: AuditWorld): Promise<void> {
  const url = `https://m.weibo.cn/detail/${WEIBO_HANGING}`
  await expectFailedItem(world, 'TIMEOUT_ERROR', { id: WEIBO_HANGING, platform: 'weibo', url })
}

async function collectNote(world: AuditWorld): Promise<void> {
  const as = 'collect token'
  const candidate = { ...xhsCandidate(XHS_NOTES.shown), source_keyword: world.marker }
  const { platform, note_id, note_url: url } = candidate
  await expectStatus(world, 200, 'POST /v1/candidates', { as, body: { items: [candidate] } })
  const started = await expectStatus(world, 201, 'POST /v1/executions', {
    as,
    body: { workflow_name: 'audit' },
  })
  const { execution_id } = started['data'] as { readonly execution_id: string }
  await expectStatus(world, 200, 'POST /v1/candidates/claim', { as, body: { execution_id } })
  const detail = { items: [{ id: note_id, platform, url }] }
  const fetched = await expectStatus(world, 200, 'POST /v1/notes/detail', { as, body: detail })
  const [item] = fetched['items'] as readonly { readonly data: unknown }[]
  const written = { execution_id, items: [{ platform, note_id, note: item?.data }] }
  await expectStatus(world, 200, 'POST /v1/candidates/complete', { as, body: written })
  await expectStatus(world, 200, `POST /v1/executions/${execution_id}/finish`, {
    as,
    body: { status: 'completed' },
  })
}

async function refuseCookie(world: AuditWorld): Promise<void> {
  await expectFailedItem(world, 'COOKIE_INVALID', xhsItem(XHS_NOTES.behindLogin))
}

async function meetChallenge(world: AuditWorld): Promise<void> {
  await expectFailedItem(world, 'PLATFORM_ERROR', xhsItem(XHS_NOTES.behindCaptcha))
}

async function addSite(world: AuditWorld): Promise<void> {
  const { canaries, standIns } = world
  const body = {
    id: 'audited',
    sitemapUrl: `${standIns.site}/sitemap.xml`,
    apiKey: canaries['IndexNow key'],
    searchEngines: [standIns.engine],
    bingEnabled: true,
    bingApiKey: canaries['Bing key'],
    webhookUrl: `${standIns.webhook}/${canaries['webhook path']}#whsec_${canaries['webhook secret']}`,
  }
  await expectStatus(world, 201, 'POST /api/sites', { body })
}

async function runSite(world: AuditWorld): Promise<void> {
  const answered = await expectStatus(world, 200, 'POST /trigger?site=audited&wait=true')
  const { failed } = answered['run'] as { readonly failed: number }
  if (failed === 0) throw new Error('The engine was to refuse, and did not.')
  await inTime(world.standIns.webhookCalled(), 'The webhook was not called.')
}

/** What a person gets wrong; each answer says so, and may not quote it. */
async function badInput(world: AuditWorld): Promise<void> {
  const mistyped = world.canaries['mistyped cookie']
  const cookie = { cookie_name: 'four', platform: 'xhs' }
  const wrong: readonly (readonly [method: string, path: string, options: AskOptions])[] = [
    ['POST', '/v1/cookies', { body: { ...cookie, cookie: mistyped } }],
    ['POST', '/v1/cookies', { body: { ...cookie, cookie: `a=b\nweb_session=${mistyped}` } }],
    ['POST', '/v1/cookies', { body: { ...cookie, cookie: `a=${mistyped.repeat(600)}` } }],
    ['POST', '/v1/cookies', { body: { ...cookie, cookie: [mistyped] } }],
    ['POST', '/v1/cookies', { body: { ...cookie, platform: 'x', cookie: `a=${mistyped}` } }],
    ['POST', '/v1/cookies', { text: `{"cookie":"web_session=${mistyped}` }],
    [
      'POST',
      '/v1/cookies',
      { body: { ...cookie, cookie: `a=${'b'.repeat(5_000_000)}${mistyped}` } },
    ],
    ['POST', '/v1/candidates', { body: { cookie: `web_session=${mistyped}` } }],
    ['PUT', '/api/sites/audited', { body: { apiKey: `${mistyped}!` } }],
    ['PUT', '/api/sites/audited', { body: { webhookUrl: `ftp://example.com/${mistyped}` } }],
    ['PUT', '/api/sites/audited', { body: { bingApiKey: [mistyped] } }],
    ['PUT', '/api/sites/audited', { body: { sitemapUrl: `https://a:${mistyped}@b/s.xml` } }],
    ['GET', `/v1/outbox?limit=0&token=${mistyped}`, {}],
    ['GET', `/nowhere?token=${mistyped}`, {}],
  ]
  for (const [method, path, options] of wrong) {
    const { status } = await world.ask(method, path, options)
    if (status < 400 || status >= 500) throw new Error(`${method} ${path.split('?')[0]}: ${status}`)
  }
}

async function wrongTokens(world: AuditWorld): Promise<void> {
  const { marker } = world
  await expectStatus(world, 401, 'GET /v1/cookies', { as: 'nobody' })
  await expectStatus(world, 401, 'GET /v1/cookies', { as: 'foreign token' })
  await expectStatus(world, 403, 'GET /v1/cookies', { as: 'collect token' })
  await expectStatus(world, 403, 'GET /api/about', { as: 'read token' })
  await expectStatus(world, 404, `POST /v1/cookies/nobody-${marker}/validate`)
}

async function sealAnew(world: AuditWorld): Promise<void> {
  await expectStatus(world, 200, 'POST /v1/cookies/two/validate')
  await expectStatus(world, 200, 'POST /v1/cookies/two/disable')
  await expectStatus(world, 200, 'POST /v1/cookies/two/reactivate')
  const answered = await expectStatus(world, 200, 'POST /v1/cookies/rotate-key')
  const { resealed } = answered['data'] as { readonly resealed: number }
  if (resealed === 0) throw new Error('There was nothing to seal anew.')
}

const EXPORTS = [
  '/v1/sources',
  '/v1/outbox',
  '/v1/alerts',
  '/v1/cookies',
  '/v1/candidates',
  '/v1/executions',
  '/v1/adapters',
  '/api/sites',
  '/api/sites/audited',
  '/api/sites/audited/runs',
  '/api/stats/daily',
  '/api/about',
  '/status?site=audited',
  '/openapi.json',
  '/health',
  '/ready',
] as const

/** Not in every version. */
const PERHAPS = ['/metrics', '/docs', '/'] as const

async function exportAll(world: AuditWorld): Promise<void> {
  for (const path of EXPORTS) await expectStatus(world, 200, `GET ${path}`)
  for (const path of PERHAPS) await world.ask('GET', path)
}

async function runCommands(world: AuditWorld): Promise<void> {
  const looks = [
    ['cookies', 'list'],
    ['cookies', 'list', '--json'],
    ['sites', 'show', 'audited'],
    ['sites', 'list', '--json'],
    ['status', 'audited', '--json'],
    ['collect', 'status', '--json'],
  ]
  for (const words of looks) {
    if ((await world.command(words)) !== 0) throw new Error(`sluice ${words.join(' ')} failed.`)
  }
  const refused = ['cookies', 'add', 'five', '--platform', 'nowhere']
  if ((await world.command(refused, `a=${world.canaries['mistyped cookie']}`)) === 0) {
    throw new Error('A platform that does not exist was taken.')
  }
}

const xhsCookie = (session: string) => `a1=18c0ffee; web_session=${session}`

function xhsItem(id: string) {
  const url = `https://www.xiaohongshu.com/explore/${id}?xsec_token=AB1%3D&xsec_source=pc_search`
  return { id, platform: 'xhs', url }
}

function xhsCandidate(noteId: string) {
  const { id: note_id, platform, url: note_url } = xhsItem(noteId)
  return { note_id, platform, note_url }
}

const PATIENCE_MS = seconds(20)

async function inTime(event: Promise<void>, otherwise: string): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const cancel = systemClock.after(PATIENCE_MS, () => reject(new Error(otherwise)))
  await Promise.race([event, tooLate]).finally(cancel)
}

async function expectStatus(
  world: AuditWorld,
  wanted: number,
  request: `${'GET' | 'POST'} /${string}`,
  options: AskOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const [method = '', path = ''] = request.split(' ')
  const { status, body } = await world.ask(method, path, options)
  if (status === wanted) return body
  const { code = '' } = (body['error'] ?? {}) as { readonly code?: string }
  throw new Error(`${request.split('?')[0]} was answered with ${status} ${code}.`.trim())
}

async function expectFailedItem(
  world: AuditWorld,
  wanted: string,
  item: ReturnType<typeof xhsItem>,
): Promise<void> {
  const { body } = await world.ask('POST', '/v1/notes/detail', { body: { items: [item] } })
  const [answered] = (body['items'] ?? []) as readonly { error?: { code: string } }[]
  const code = answered?.error?.code
  if (code !== wanted) throw new Error(`The note came to ${code} instead of ${wanted}.`)
}
