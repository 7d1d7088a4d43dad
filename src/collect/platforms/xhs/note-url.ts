import { printableUrl } from '../../../core/redact.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import type { PlatformFailure } from '../failures.ts'

export interface XhsNoteUrl {
  readonly noteId: string
  /** Path and query to be asked for at the base: the token, and nothing that tells who shared it. */
  readonly target: string
}

const HOST = /^(?:www\.)?xiaohongshu\.com$/
const NOTE_PATH = /^\/(?:explore|discovery\/item|search_result)\/([0-9a-f]{24})\/?$/
const WANTED = 'a note of xhs, like https://www.xiaohongshu.com/explore/<id>?xsec_token=…'

/** Where people find a note; it opens for those who are logged in. */
export function canonicalXhsUrl(noteId: string): string {
  return `https://www.xiaohongshu.com/explore/${noteId}`
}

export function readXhsUrl(url: string, base: URL): Result<XhsNoteUrl, PlatformFailure> {
  const parsed = URL.parse(url)
  const where = printableUrl(url)
  const noteId = parsed ? NOTE_PATH.exec(parsed.pathname)?.[1] : undefined
  if (!parsed || !noteId || !isOwn(parsed, base)) {
    return fail({ kind: 'foreign-url', where, wanted: WANTED })
  }
  const token = parsed.searchParams.get('xsec_token')
  if (!token) {
    const why = 'without its xsec_token no note is shown; copy the whole link from the browser'
    return fail({ kind: 'wrong-url', where, why })
  }
  const query = new URLSearchParams({ xsec_token: token })
  const source = parsed.searchParams.get('xsec_source')
  if (source) query.set('xsec_source', source)
  return ok({ noteId, target: `/explore/${noteId}?${query}` })
}

function isOwn({ protocol, hostname, host, username, password }: URL, base: URL): boolean {
  const isWeb = /^https?:$/.test(protocol) && !username && !password
  return isWeb && (HOST.test(hostname) || host === base.host)
}
