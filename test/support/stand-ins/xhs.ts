import type { Clock } from '../../../src/core/clock.ts'
import type { Reply } from './faults.ts'
import { openStandIn, type SeenRequest, type StandIn } from './stand-in.ts'

export interface XhsNote {
  readonly noteId: string
  readonly token: string
  readonly title?: string
  readonly desc?: string
  readonly type?: 'normal' | 'video'
  readonly userId?: string
  readonly nickname?: string
  /** As the platform writes them: "1.2万", "10+". */
  readonly liked?: string
  readonly collected?: string
  readonly comments?: string
  readonly shared?: string
  readonly time?: number
  readonly lastUpdateTime?: number
  readonly tags?: readonly string[]
  /** Taken down by the author, or out of sight. */
  readonly state?: 'deleted' | 'hidden'
}

/** How the platform treats one who is not logged in, or whom it does not trust. */
export type XhsMood = 'usual' | 'captcha' | '461' | '471' | 'risky-network' | 'too-often'

export interface Xhs extends StandIn {
  readonly baseUrl: string
  /** The link that a browser would have in its address bar. */
  linkTo(noteId: string): string
  mood: XhsMood
  /** Where the login wall is: a redirect, or a page without its note. */
  wall: 'redirect' | 'in-page'
}

export interface XhsOptions {
  readonly clock: Clock
  readonly port?: number
  /** Values of `web_session` that are logged in. */
  readonly sessions: readonly string[]
  readonly notes: readonly XhsNote[]
}

const ALLOWED_PARAMETERS = new Set(['xsec_token', 'xsec_source'])

/** The web pages of xhs: one note a page, with the state that its own script goes on from. */
export async function openXhsStandIn({ clock, port, sessions, notes }: XhsOptions): Promise<Xhs> {
  const standIn = await openStandIn({
    clock,
    ...(port !== undefined && { port }),
    decide(request, complain) {
      if (request.method !== 'GET') complain(`${request.method} instead of a plain GET`)
      for (const name of ['x-s', 'x-t', 'x-s-common']) {
        if (request.headers[name] !== undefined) complain(`a signed request: ${name}`)
      }
      const url = new URL(request.target, 'http://xhs')
      for (const name of url.searchParams.keys()) {
        if (!ALLOWED_PARAMETERS.has(name)) complain(`asked with ${name}`)
      }
      return { reply: answer(url, request) }
    },
  })
  const xhs: Xhs = Object.assign(Object.create(standIn) as StandIn, {
    baseUrl: standIn.origin,
    mood: 'usual' as const,
    wall: 'redirect' as const,
    linkTo(noteId: string) {
      const token = encodeURIComponent(
        notes.find((note) => note.noteId === noteId)?.token ?? 'none',
      )
      return `https://www.xiaohongshu.com/explore/${noteId}?xsec_token=${token}&xsec_source=pc_search`
    },
  })
  return xhs

  function answer(url: URL, request: SeenRequest): Reply {
    const [, noteId] = /^\/explore\/([0-9a-f]{24})$/.exec(url.pathname) ?? []
    if (!noteId) return { status: 404, body: 'no such page' }
    const moody = moodReply(xhs.mood, url)
    if (moody) return moody
    const session = /(?:^|;\s*)web_session=([^;]*)/.exec(request.headers.cookie ?? '')?.[1]
    const isKnown = session !== undefined && sessions.includes(session)
    if (!isKnown) return xhs.wall === 'in-page' ? html(page(noteId)) : redirect('/login', url)
    const note = notes.find((one) => one.noteId === noteId)
    if (!note || note.state === 'deleted') return redirect('/404', url, { error_code: '-510001' })
    if (url.searchParams.get('xsec_token') !== note.token) {
      return redirect('/404/sec_Ab12Cd', url, { error_code: '300031' })
    }
    if (note.state === 'hidden') return redirect('/404', url, { error_code: '300031' })
    return html(page(noteId, note))
  }
}

function moodReply(mood: XhsMood, url: URL): Reply | undefined {
  switch (mood) {
    case 'captcha':
      return redirect('/website-login/captcha', url, { verifyUuid: 'u-1', verifyType: '102' })
    case '461':
    case '471':
      return { status: Number(mood), headers: { verifytype: '102', verifyuuid: 'u-1' } }
    case 'risky-network':
      return redirect('/website-login/error', url, { error_code: '300012' })
    case 'too-often':
      return redirect('/website-login/error', url, { error_code: '300013' })
    case 'usual':
      return undefined
  }
}

function redirect(path: string, from: URL, query: Record<string, string> = {}): Reply {
  const redirectPath = `https://www.xiaohongshu.com${from.pathname}${from.search}`
  const parameters = new URLSearchParams({ redirectPath, ...query })
  return { status: 302, headers: { location: `${path}?${parameters}` }, body: 'Found' }
}

function html(body: string): Reply {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

function page(noteId: string, note?: XhsNote): string {
  const shown = (note?.desc ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
  return `<!doctype html><html><head><meta charset="utf-8"><title>${note?.title ?? ''} - 小红书</title>
<meta name="og:title" content="${note?.title ?? ''}"><meta name="description" content="${shown}">
<script>window.__SETUP_SERVER_STATE__={"LAUNCHER_SSR_STORE_PAGE_DATA":undefined}</script></head>
<body><div id="app"><div id="detail-desc">${shown}</div></div>
<script>window.__INITIAL_STATE__=${stateOf(noteId, note)}</script></body></html>`
}

/** As its server writes it: slashes and angles escaped, \`undefined\` where a value is missing. */
function stateOf(noteId: string, note: XhsNote | undefined): string {
  const text = (value: unknown) =>
    JSON.stringify(value).replaceAll('/', '\\u002F').replaceAll('<', '\\u003C')
  const entry = note
    ? `{"comments":{"list":[],"cursor":"","hasMore":true},"currentTime":0,"note":${text(noteFields(note))}}`
    : `{"comments":{"list":[]},"note":{}}`
  return `{"global":{"appSettings":{"serverTime":1},"pwaAddDesktopPrompt":undefined,"firstVisitUrl":undefined},"user":{"loggedIn":${note !== undefined},"userInfo":{"guest":${note === undefined},"userId":undefined}},"note":{"prevRouteData":{},"firstNoteId":"${noteId}","noteDetailMap":{"${noteId}":${entry}},"serverRequestInfo":{"state":"success","errorCode":0,"errMsg":"","isServer":undefined},"volume":0,"nan":NaN}}`
}

function noteFields(note: XhsNote) {
  const time = note.time ?? 1_700_000_000_000
  return {
    noteId: note.noteId,
    xsecToken: note.token,
    type: note.type ?? 'normal',
    title: note.title ?? '',
    desc: note.desc ?? '',
    user: {
      userId: note.userId ?? '5ff0e6410000000001008400',
      nickname: note.nickname ?? '山里的阿宁',
      avatar: `https://sns-avatar-qc.xhscdn.com/avatar/${note.userId ?? '5ff0e6410000000001008400'}.jpg`,
    },
    interactInfo: {
      liked: false,
      likedCount: note.liked ?? '0',
      collectedCount: note.collected ?? '0',
      commentCount: note.comments ?? '0',
      shareCount: note.shared ?? '0',
    },
    imageList: [
      {
        urlPre: 'http://sns-webpic-qc.xhscdn.com/pre/1',
        urlDefault: 'http://sns-webpic-qc.xhscdn.com/1!nd',
        width: 1080,
        height: 1440,
        infoList: [],
      },
      {
        url: '',
        urlDefault: '',
        infoList: [
          { imageScene: 'WB_PRV', url: 'http://sns-webpic-qc.xhscdn.com/2!pre' },
          { imageScene: 'WB_DFT', url: 'http://sns-webpic-qc.xhscdn.com/2!nd' },
        ],
      },
    ],
    ...(note.type === 'video' && {
      video: {
        media: {
          stream: {
            av1: [],
            h264: [
              {
                masterUrl: 'http://sns-video-bd.xhscdn.com/stream/1.mp4',
                width: 720,
                height: 1280,
              },
            ],
          },
        },
      },
    }),
    tagList: (note.tags ?? []).map((name) => ({ id: '1', name, type: 'topic' })),
    time,
    lastUpdateTime: note.lastUpdateTime ?? time,
    ipLocation: '云南',
  }
}
