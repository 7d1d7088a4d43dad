import { fail, ok, type Result } from '../../../core/result.ts'
import type { Note } from '../../note.ts'
import { askPlatform, type Outside } from '../ask-platform.ts'
import type { Authors } from '../author.ts'
import type { PlatformFailure } from '../failures.ts'
import { bounded } from '../fields.ts'
import { DETAIL_TIMEOUT_MS, MAX_PAGE_BYTES } from '../limits.ts'
import type { DetailAsk, Platform } from '../platform.ts'
import { canonicalXhsUrl, readXhsUrl } from './note-url.ts'
import { readXhsNote } from './read-note.ts'
import { replyFailure } from './replies.ts'

export interface XhsOptions extends Outside {
  readonly baseUrl: string
  readonly authors: Authors
}

const ADAPTER = 'xhs-page@1'
const NO_SEARCH =
  'xhs answers searches only to signed requests, and Sluice signs none; bring the links of notes, or a feed that lists them'

/** Notes of xhs, as their own pages show them to one who is logged in. */
export function openXhs({ baseUrl, authors, http, clock }: XhsOptions): Platform {
  const base = new URL(baseUrl)
  return {
    name: 'xhs',
    can: { detail: true, search: false },
    cookie: 'required',
    accepts: (url) => readXhsUrl(url, base).ok,
    noteIdOf(url) {
      const read = readXhsUrl(url, base)
      return read.ok ? read.value.noteId : undefined
    },
    hostOf: () => base.host,
    detail,
    search: async () => fail({ kind: 'unsupported', operation: 'search', why: NO_SEARCH }),
  }

  async function detail(ask: DetailAsk): Promise<Result<Note, PlatformFailure>> {
    const { noteId, cookie, headers, signal } = ask
    const asked = readXhsUrl(ask.url, base)
    if (!asked.ok) return asked
    if (asked.value.noteId !== noteId) {
      const why = 'it is the address of another note than the one asked for'
      return fail({ kind: 'wrong-url', where: canonicalXhsUrl(asked.value.noteId), why })
    }
    if (!cookie) return fail({ kind: 'cookie-missing' })

    const answer = await askPlatform(
      {
        url: new URL(asked.value.target, base).href,
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
    const read = readXhsNote(answer.value.text, { noteId, now })
    if (!read.ok) return read

    const { namedAuthor, ...note } = read.value
    return ok({
      platform: 'xhs',
      noteId,
      canonicalUrl: canonicalXhsUrl(noteId),
      ...note,
      ...bounded(note),
      author: await authors.hide('xhs', namedAuthor),
      crawledAt: now,
      adapter: ADAPTER,
    })
  }
}
