import { fail, ok, type Result } from '../../core/result.ts'
import type { Note } from '../note.ts'
import { askPlatform, type Outside, type PlatformAnswer } from './ask-platform.ts'
import type { Authors, NamedAuthor } from './author.ts'
import type { PlatformFailure } from './failures.ts'
import { bounded } from './fields.ts'
import { DETAIL_TIMEOUT_MS, MAX_PAGE_BYTES } from './limits.ts'
import type { DetailAsk, Platform, PlatformName } from './platform.ts'

export interface NoteUrl {
  readonly noteId: string
  /** Path and query to be asked for at the base. */
  readonly target: string
}

/** A note before its author is hidden. */
export interface ReadNote extends Pick<
  Note,
  'kind' | 'title' | 'text' | 'tags' | 'media' | 'metrics' | 'publishedAt' | 'editedAt'
> {
  readonly namedAuthor: NamedAuthor
}

/** How a platform writes its addresses and its pages. */
export interface AccountPages {
  readonly name: PlatformName
  readonly adapter: string
  /** Why it cannot search, and what to do instead. */
  readonly noSearch: string
  readUrl(url: string, base: URL): Result<NoteUrl, PlatformFailure>
  canonicalUrl(noteId: string): string
  replyFailure(answer: PlatformAnswer, now: number): PlatformFailure | undefined
  readNote(
    body: string,
    asked: { readonly noteId: string; readonly now: number },
  ): Result<ReadNote, PlatformFailure>
}

export interface AccountPagesOptions extends Outside {
  readonly baseUrl: string
  readonly authors: Authors
}

/** A platform whose notes are read from their own pages, as it shows them to one who is logged in. */
export function openAccountPages(pages: AccountPages, options: AccountPagesOptions): Platform {
  const { name, adapter, readUrl, canonicalUrl } = pages
  const { authors, http, clock } = options
  const base = new URL(options.baseUrl)
  return {
    name,
    can: { detail: true, search: false },
    cookie: 'required',
    accepts: (url) => readUrl(url, base).ok,
    noteIdOf(url) {
      const read = readUrl(url, base)
      return read.ok ? read.value.noteId : undefined
    },
    hostOf: () => base.host,
    detail,
    search: async () => fail({ kind: 'unsupported', operation: 'search', why: pages.noSearch }),
  }

  async function detail(ask: DetailAsk): Promise<Result<Note, PlatformFailure>> {
    const { noteId, cookie, headers, signal } = ask
    const asked = readUrl(ask.url, base)
    if (!asked.ok) return asked
    if (asked.value.noteId !== noteId) {
      const why = 'it is the address of another note than the one asked for'
      return fail({ kind: 'wrong-url', where: canonicalUrl(asked.value.noteId), why })
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
    const refused = pages.replyFailure(answer.value, now)
    if (refused) return fail(refused)
    const read = pages.readNote(answer.value.text, { noteId, now })
    if (!read.ok) return read

    const { namedAuthor, ...note } = read.value
    return ok({
      platform: name,
      noteId,
      canonicalUrl: canonicalUrl(noteId),
      ...note,
      ...bounded(note),
      author: await authors.hide(name, namedAuthor),
      crawledAt: now,
      adapter,
    })
  }
}

/** Whether an address is one of the platform's: of its own hosts, or of the base that stands for them. */
export function isOwnUrl(url: URL, hosts: RegExp, base: URL): boolean {
  const isWeb = /^https?:$/.test(url.protocol) && !url.username && !url.password
  return isWeb && (hosts.test(url.hostname) || url.host === base.host)
}
