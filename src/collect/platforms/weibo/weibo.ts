import { fail, ok, type Result } from '../../../core/result.ts'
import type { Note } from '../../note.ts'
import { askPlatform, type Outside } from '../ask-platform.ts'
import type { Authors } from '../author.ts'
import type { PlatformFailure } from '../failures.ts'
import { bounded } from '../fields.ts'
import { DETAIL_TIMEOUT_MS, MAX_PAGE_BYTES } from '../limits.ts'
import type { DetailAsk, Platform } from '../platform.ts'
import { canonicalWeiboUrl, readWeiboUrl } from './note-url.ts'
import { readWeiboNote } from './read-note.ts'
import { replyFailure } from './replies.ts'

export interface WeiboOptions extends Outside {
  readonly baseUrl: string
  readonly authors: Authors
}

const ADAPTER = 'weibo-page@1'
const NO_SEARCH =
  'weibo shows searches only to its own pages and checks who asks; bring the links of notes, or a feed that lists them'

/** Notes of weibo, as their own pages show them to one who is logged in. */
export function openWeibo({ baseUrl, authors, http, clock }: WeiboOptions): Platform {
  const base = new URL(baseUrl)
  return {
    name: 'weibo',
    can: { detail: true, search: false },
    cookie: 'required',
    accepts: (url) => readWeiboUrl(url, base).ok,
    noteIdOf(url) {
      const read = readWeiboUrl(url, base)
      return read.ok ? read.value : undefined
    },
    hostOf: () => base.host,
    detail,
    search: async () => fail({ kind: 'unsupported', operation: 'search', why: NO_SEARCH }),
  }

  async function detail(ask: DetailAsk): Promise<Result<Note, PlatformFailure>> {
    const { cookie, headers, signal } = ask
    const asked = readWeiboUrl(ask.url, base)
    if (!asked.ok) return asked
    const { value: noteId } = asked
    if (ask.noteId !== noteId) {
      const why = `it is the address of note ${noteId}, not of the one asked for`
      return fail({ kind: 'wrong-url', where: canonicalWeiboUrl(noteId), why })
    }
    if (!cookie) return fail({ kind: 'cookie-missing' })

    const answer = await askPlatform(
      {
        url: new URL(`/detail/${noteId}`, base).href,
        accept: 'text/html',
        cookie,
        headers,
        signal,
        timeoutMs: DETAIL_TIMEOUT_MS,
        maxBytes: MAX_PAGE_BYTES,
      },
      { http },
    )
    if (!answer.ok) return answer
    const now = clock.now()
    const refused = replyFailure(answer.value, now)
    if (refused) return fail(refused)
    const read = readWeiboNote(answer.value.text, { noteId, now })
    if (!read.ok) return read

    const { namedAuthor, ...note } = read.value
    return ok({
      platform: 'weibo',
      noteId,
      canonicalUrl: canonicalWeiboUrl(noteId),
      ...note,
      ...bounded(note),
      author: await authors.hide('weibo', namedAuthor),
      crawledAt: now,
      adapter: ADAPTER,
    })
  }
}
