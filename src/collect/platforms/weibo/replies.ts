import { printableUrl } from '../../../core/redact.ts'
import { type PlatformAnswer, statusFailure } from '../ask-platform.ts'
import type { PlatformFailure } from '../failures.ts'
import { fieldOf, textOf } from '../fields.ts'

/** What status and redirect say. Undefined: there is something to read. */
export function replyFailure(answer: PlatformAnswer, now: number): PlatformFailure | undefined {
  const { status, location, url } = answer
  if (location !== undefined) return redirectFailure(url, location)
  // 418 comes to those who ask too often, 432 to those who do not look like anybody.
  if (status === 418) return { kind: 'rate-limited', status }
  if (status === 432) return { kind: 'challenged', sign: 'HTTP 432' }
  return statusFailure(answer, now)
}

function redirectFailure(from: string, location: string): PlatformFailure {
  const to = leadsTo(location)
  if (to) return to
  const isOwn = URL.parse(from)?.origin === URL.parse(location)?.origin
  return isOwn
    ? { kind: 'unreadable', why: 'it redirects to another page of the platform' }
    : { kind: 'led-away', where: printableUrl(location) }
}

/** Where weibo sends those whom it does not show a note. */
function leadsTo(address: string): PlatformFailure | undefined {
  const url = URL.parse(address, 'https://m.weibo.cn')
  if (!url) return undefined
  if (/geetest|captcha|verify/i.test(url.pathname)) {
    return { kind: 'challenged', sign: 'sent to the captcha' }
  }
  const isLogin =
    /^(?:[\w-]+\.)*passport\./.test(url.hostname) ||
    /^\/(?:login|signin|visitor|sso)\b/.test(url.pathname)
  return isLogin ? { kind: 'cookie-rejected', sign: 'sent to the login' } : undefined
}

const GONE_CODES = ['20101', '20112', '20135', '20003']
const GONE_WORDS =
  /微博不存在|暂无查看权限|没有权限查看|已被(?:作者)?删除|target weibo does not exist/

/** What weibo says in JSON where it does not show a note: `{"ok":-100,"url":…}`, `{"ok":0,"msg":…}`. */
export function toldFailure(answer: unknown): PlatformFailure | undefined {
  const told = fieldOf(answer, 'ok')
  const code = textOf(fieldOf(answer, 'errno') ?? fieldOf(answer, 'error_code')) ?? ''
  if (told === 1 || (told === undefined && code === '')) return undefined
  const address = textOf(fieldOf(answer, 'url'))
  const sent = address === undefined ? undefined : leadsTo(address)
  if (sent) return sent
  if (told === -100) return { kind: 'cookie-rejected', sign: 'ok: -100' }
  const message = textOf(fieldOf(answer, 'msg') ?? fieldOf(answer, 'error')) ?? ''
  if (GONE_CODES.includes(code)) return { kind: 'gone', sign: `error ${code}` }
  if (GONE_WORDS.test(message)) return { kind: 'gone', sign: 'it says so' }
  return { kind: 'unreadable', why: 'weibo says no and not why' }
}

/** A page that says that there is no note, in a box of its own where the note would be. */
export function pageSaysGone(html: string): boolean {
  return GONE_WORDS.test(html)
}
