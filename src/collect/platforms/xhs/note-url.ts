import { printableUrl } from '../../../core/redact.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import { isOwnUrl, type NoteUrl } from '../account-pages.ts'
import type { PlatformFailure } from '../failures.ts'

const HOST = /^(?:www\.)?xiaohongshu\.com$/
const NOTE_PATH = /^\/(?:explore|discovery\/item|search_result)\/([0-9a-f]{24})\/?$/
const WANTED = 'a note of xhs, like https://www.xiaohongshu.com/explore/<id>?xsec_token=…'

/** Where people find a note; it opens for those who are logged in. */
export function canonicalXhsUrl(noteId: string): string {
  return `https://www.xiaohongshu.com/explore/${noteId}`
}

/** Of the query the token is asked with, and nothing that tells who shared the note. */
export function readXhsUrl(url: string, base: URL): Result<NoteUrl, PlatformFailure> {
  const parsed = URL.parse(url)
  const where = printableUrl(url)
  const noteId = parsed ? NOTE_PATH.exec(parsed.pathname)?.[1] : undefined
  if (!parsed || !noteId || !isOwnUrl(parsed, HOST, base)) {
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
