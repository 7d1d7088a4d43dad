import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import type { CanaryName } from './canaries.ts'

/** Everybody whom Sluice asks, on this machine. Whatever they are sent, they repeat where it does most harm. */
export interface StandIns {
  readonly xhs: string
  readonly weibo: string
  readonly site: string
  readonly engine: string
  readonly bing: string
  readonly webhook: string
  /** When the next request comes that is left without an answer. */
  hanging(): Promise<void>
  /** When the webhook has been called, before or later. */
  webhookCalled(): Promise<void>
  close(): Promise<void>
}

/** The roles, with the secrets that are meant for them. */
const MEANT_FOR = {
  xhs: ['xhs cookie', 'second xhs cookie'],
  weibo: ['weibo cookie'],
  // It serves the key's own file.
  site: ['IndexNow key'],
  engine: ['IndexNow key'],
  bing: ['Bing key'],
  webhook: ['webhook path'],
} as const satisfies Record<string, readonly CanaryName[]>

type Role = keyof typeof MEANT_FOR

/** Notes by the first digit of their id: what the platform makes of them. */
export const XHS_NOTES = {
  shown: '1'.padEnd(24, '0'),
  behindLogin: '2'.padEnd(24, '0'),
  behindCaptcha: '3'.padEnd(24, '0'),
  hanging: '4'.padEnd(24, '0'),
} as const

export const WEIBO_HANGING = '4900000000000001'

interface Asked {
  readonly url: URL
  readonly request: IncomingMessage
  readonly body: string
}

interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type Answer = (asked: Asked) => Reply | 'none'

export interface StandInOptions {
  readonly indexNowKey: string
  /** What arrived, and the secrets that may be in it. */
  readonly arrived: (role: string, text: string, meant: readonly CanaryName[]) => void
}

export async function openStandIns({ indexNowKey, arrived }: StandInOptions): Promise<StandIns> {
  const hangings: (() => void)[] = []
  const called = Promise.withResolvers<void>()
  const answers: Record<Role, Answer> = {
    xhs: answerAsXhs,
    weibo: () => 'none',
    site: ({ url }) => answerAsSite(url, indexNowKey),
    engine: ({ body }) => ({ status: 403, body: `The key is not valid: ${body}` }),
    bing: ({ url }) => answerAsBing(url),
    webhook({ url }) {
      called.resolve()
      return { status: 500, body: `Cannot deliver to ${url.href}` }
    },
  }
  const open = async (role: Role) => {
    const server = createServer((request, response) => {
      void textOf(request).then((body) => {
        const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
        const text = [request.method, request.url, ...request.rawHeaders, body].join('\n')
        arrived(role, text, MEANT_FOR[role])
        const reply = answers[role]({ url, request, body })
        if (reply === 'none') return hangings.splice(0).forEach((tell) => tell())
        send(response, reply)
      })
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    return { origin: `http://127.0.0.1:${port}`, server }
  }
  const roles = Object.keys(MEANT_FOR) as Role[]
  const opened = Object.fromEntries(
    await Promise.all(roles.map(async (role) => [role, await open(role)] as const)),
  ) as Record<Role, Awaited<ReturnType<typeof open>>>
  return {
    xhs: opened.xhs.origin,
    weibo: opened.weibo.origin,
    site: opened.site.origin,
    engine: `${opened.engine.origin}/indexnow`,
    bing: opened.bing.origin,
    webhook: opened.webhook.origin,
    hanging: () => new Promise((tell) => hangings.push(tell)),
    webhookCalled: () => called.promise,
    async close() {
      for (const { server } of Object.values(opened)) {
        server.closeAllConnections()
        await new Promise<void>((closed) => server.close(() => closed()))
      }
    },
  }
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Reply): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
  response.end(body)
}

function answerAsXhs({ url, request }: Asked): Reply | 'none' {
  const noteId = url.pathname.split('/').at(-1) ?? ''
  const cookie = request.headers.cookie ?? ''
  const away = (path: string) => ({
    status: 302,
    headers: { location: `${path}?cookie=${encodeURIComponent(cookie)}` },
    body: cookie,
  })
  if (noteId === XHS_NOTES.hanging) return 'none'
  if (noteId === XHS_NOTES.behindLogin) return away('/login')
  if (noteId === XHS_NOTES.behindCaptcha) return away('/website-login/captcha')
  const note = {
    noteId,
    type: 'normal',
    title: `you are ${cookie}`,
    desc: `your cookie is ${cookie}, or ${encodeURIComponent(cookie)}`,
    user: { userId: '1', nickname: cookie },
    tagList: [{ name: cookie }],
  }
  const state = JSON.stringify({ note: { noteDetailMap: { [noteId]: { note } } } })
  return { status: 200, body: `<script>window.__INITIAL_STATE__=${state}</script>` }
}

function answerAsSite({ pathname, origin }: URL, indexNowKey: string): Reply {
  const key = `/${indexNowKey}.txt`
  if (pathname === key) {
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: indexNowKey }
  }
  if (pathname !== '/sitemap.xml') return { status: 404 }
  const urls = [1, 2, 3].map((n) => `<url><loc>${origin}/page-${n}</loc></url>`).join('')
  const body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
}

function answerAsBing({ searchParams }: URL): Reply {
  const Message = `ERROR!!! InvalidApiKey: ${searchParams.get('apikey')}`
  return { status: 400, body: JSON.stringify({ ErrorCode: 3, Message }) }
}
