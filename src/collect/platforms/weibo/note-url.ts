import { printableUrl } from '../../../core/redact.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import { isOwnUrl, type NoteUrl } from '../account-pages.ts'
import type { PlatformFailure } from '../failures.ts'

const HOST = /^(?:(?:www\.|m\.)?weibo\.com|(?:www\.|m\.)?weibo\.cn)$/
const NOTE_PATHS = [
  /^\/(?:detail|status)\/(\d{16,20}|[0-9A-Za-z]{6,12})\/?$/,
  // weibo.com/{author}/{note}
  /^\/\d{5,12}\/(\d{16,20}|[0-9A-Za-z]{6,12})\/?$/,
]
const WANTED = 'a note of weibo, like https://m.weibo.cn/detail/<number>'

/** The number of the note that a URL names. The author, whom some URLs name as well, is left out. */
export function readWeiboUrl(url: string, base: URL): Result<NoteUrl, PlatformFailure> {
  const parsed = URL.parse(url)
  const named = parsed && isOwnUrl(parsed, HOST, base) ? nameIn(parsed) : undefined
  const noteId = named === undefined ? undefined : numberOf(named)
  return noteId === undefined
    ? fail({ kind: 'foreign-url', where: printableUrl(url), wanted: WANTED })
    : ok({ noteId, target: `/detail/${noteId}` })
}

export function canonicalWeiboUrl(noteId: string): string {
  return `https://m.weibo.cn/detail/${noteId}`
}

function nameIn({ pathname, searchParams }: URL): string | undefined {
  if (pathname === '/statuses/show') {
    return /^[0-9A-Za-z]{6,20}$/.exec(searchParams.get('id') ?? '')?.[0]
  }
  return NOTE_PATHS.map((path) => path.exec(pathname)?.[1]).find((name) => name !== undefined)
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A note has a number and a short name that says the same: seven digits in every four characters, from the right. */
export function numberOf(name: string): string | undefined {
  if (/^\d{16,20}$/.test(name)) return name
  let number = ''
  for (let end = name.length; end > 0; end -= 4) {
    let value = 0
    for (const character of name.slice(Math.max(0, end - 4), end)) {
      value = value * DIGITS.length + DIGITS.indexOf(character)
    }
    if (value > 9_999_999) return undefined
    number = (end > 4 ? String(value).padStart(7, '0') : String(value)) + number
  }
  return /^\d{12,20}$/.test(number) ? number : undefined
}
