import type { Clock } from '../../../src/core/clock.ts'
import type { Reply } from './faults.ts'
import { json, openStandIn, type SeenRequest, type StandIn } from './stand-in.ts'

export interface WeiboNote {
  readonly id: string
  /** HTML, as weibo writes it. */
  readonly text: string
  readonly longText?: string
  readonly userId?: number
  readonly screenName?: string
  readonly createdAt?: string
  readonly editAt?: string
  readonly likes?: number | string
  readonly comments?: number | string
  readonly reposts?: number | string
  readonly pictures?: readonly string[]
  readonly video?: string
}

export type WeiboMood = 'usual' | '418' | '432' | 'geetest'

export interface Weibo extends StandIn {
  readonly baseUrl: string
  mood: WeiboMood
  /** How strangers are sent to log in: to another host, or by a word in JSON. */
  wall: 'redirect' | 'json'
  /** Whether notes come as pages, or as JSON where pages would be. */
  writes: 'page' | 'json'
}

export interface WeiboOptions {
  readonly clock: Clock
  readonly port?: number
  /** Values of `SUB` that are logged in. */
  readonly sessions: readonly string[]
  readonly notes: readonly WeiboNote[]
}

const PASSPORT =
  'https://passport.weibo.com/visitor/visitor?entry=sinawap&a=enter&url=https%3A%2F%2Fm.weibo.cn%2F'

/** The mobile pages of weibo. */
export async function openWeiboStandIn({
  clock,
  port,
  sessions,
  notes,
}: WeiboOptions): Promise<Weibo> {
  const standIn = await openStandIn({
    clock,
    ...(port !== undefined && { port }),
    decide(request, complain) {
      if (request.method !== 'GET') complain(`${request.method} instead of a plain GET`)
      return { reply: answer(request) }
    },
  })
  const weibo: Weibo = Object.assign(Object.create(standIn) as StandIn, {
    baseUrl: standIn.origin,
    mood: 'usual' as const,
    wall: 'redirect' as const,
    writes: 'page' as const,
  })
  return weibo

  function answer({ target, headers }: SeenRequest): Reply {
    const [, id] = /^\/detail\/(\d+)$/.exec(target) ?? []
    if (!id) return { status: 404, body: 'no such page' }
    if (weibo.mood === '418' || weibo.mood === '432') return { status: Number(weibo.mood) }
    if (weibo.mood === 'geetest') {
      const url = 'https://m.weibo.cn/api/geetest?testType=1&backUrl=/'
      return json(200, { ok: -100, errno: '-100', msg: '', url, extra: '' })
    }
    const session = /(?:^|;\s*)SUB=([^;]*)/.exec(headers.cookie ?? '')?.[1]
    if (session === undefined || !sessions.includes(session)) {
      return weibo.wall === 'redirect'
        ? { status: 302, headers: { location: PASSPORT } }
        : json(200, { ok: -100, url: 'https://passport.weibo.com/sso/signin?entry=wapsso' })
    }
    const note = notes.find((one) => one.id === id)
    if (weibo.writes === 'json') {
      return note
        ? json(200, { ok: 1, data: statusOf(note) })
        : json(200, { ok: 0, error_code: 20101, msg: 'target weibo does not exist!' })
    }
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: note ? page(statusOf(note)) : GONE,
    }
  }
}

const GONE = `<!doctype html><html><head><title>出错了</title></head><body><div class="h5-4box"><p class="h5-4con">微博不存在或暂无查看权限!</p></div></body></html>`

function page(status: unknown): string {
  const state = JSON.stringify([{ hotScheme: 'sinaweibo://', status, call: 1 }], undefined, 4)
  return `<!DOCTYPE html><html><head><meta charset="utf-8"><title>微博正文</title></head><body><div id="app"></div>
<script>
    var config = { env: 'prod', st: '0', login: [1][0], uid: '' };
    var $render_data = ${state.replaceAll('</', '<\\/')}[0] || {};
    var __wb_performance_data = { v: "v8", m: "mainsite" };
</script></body></html>`
}

function statusOf(note: WeiboNote) {
  return {
    visible: { type: 0, list_id: 0 },
    created_at: note.createdAt ?? 'Tue Feb 23 12:28:47 +0800 2021',
    ...(note.editAt && { edit_at: note.editAt, edit_count: 1 }),
    id: note.id,
    mid: note.id,
    text: note.text,
    isLongText: note.longText !== undefined,
    ...(note.longText !== undefined && { longText: { longTextContent: note.longText } }),
    user: {
      id: note.userId ?? 1_645_372_340,
      screen_name: note.screenName ?? '天气观察员',
      profile_url: `https://m.weibo.cn/u/${note.userId ?? 1_645_372_340}`,
    },
    reposts_count: note.reposts ?? 0,
    comments_count: note.comments ?? 0,
    attitudes_count: note.likes ?? 0,
    pics: (note.pictures ?? []).map((url) => ({
      pid: '1',
      url: url.replace('large', 'orj360'),
      large: { url, geo: { width: '2048', height: '1365' } },
    })),
    ...(note.video && {
      page_info: { type: 'video', media_info: { stream_url: note.video }, urls: null },
    }),
  }
}
