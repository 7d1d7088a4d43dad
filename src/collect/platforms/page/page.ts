import { canonicalUrl } from '../../../core/canonical-url.ts'
import { printableUrl } from '../../../core/redact.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import { urlHashHex } from '../../../core/url-hash.ts'
import type { Note } from '../../note.ts'
import { askPlatform, type Outside, type PlatformAnswer, statusFailure } from '../ask-platform.ts'
import type { Authors } from '../author.ts'
import type { PlatformFailure } from '../failures.ts'
import { bounded, hostIn } from '../fields.ts'
import { DETAIL_TIMEOUT_MS, MAX_PAGE_BYTES, MAX_REDIRECTS } from '../limits.ts'
import type { DetailAsk, Platform } from '../platform.ts'
import { readPage } from './read-page.ts'
import { openRobots } from './robots.ts'

export interface PageOptions extends Outside {
  readonly authors: Authors
  /** As requests carry it: robots.txt may speak to it by its name. */
  readonly userAgent: string
}

const ADAPTER = 'page@1'
const NO_SEARCH = 'a page lists nothing; use the platform "feed" with the address of a feed'

/** Any public page, as it describes itself to search engines and to those who share it. */
export function openPage({ authors, http, clock, userAgent }: PageOptions): Platform {
  const robots = openRobots({ http, clock, userAgent })
  return {
    name: 'page',
    can: { detail: true, search: false },
    cookie: 'none',
    accepts: (url) => canonicalUrl(url).ok,
    noteIdOf(url) {
      const canonical = canonicalUrl(url)
      return canonical.ok ? urlHashHex(canonical.value) : undefined
    },
    hostOf: hostIn,
    detail,
    search: async () => fail({ kind: 'unsupported', operation: 'search', why: NO_SEARCH }),
  }

  async function detail(ask: DetailAsk): Promise<Result<Note, PlatformFailure>> {
    if (!canonicalUrl(ask.url).ok) {
      return fail({
        kind: 'foreign-url',
        where: printableUrl(ask.url),
        wanted: 'a public http(s) address',
      })
    }
    const answer = await fetchAllowed(ask)
    if (!answer.ok) return answer
    const now = clock.now()
    const { url, text, headers } = answer.value
    const type = headers.get('content-type') ?? 'text/html'
    if (!/\b(?:html|xml)\b/i.test(type)) {
      return fail({ kind: 'unreadable', why: 'it is a file and not a page' })
    }
    const read = readPage(text, { url, now })
    if (!read) return fail({ kind: 'unreadable', why: 'the page has neither a title nor a text' })

    const { namedAuthor, ...note } = read
    return ok({
      platform: 'page',
      noteId: ask.noteId,
      ...note,
      ...bounded(note),
      author: await authors.hide('page', namedAuthor),
      crawledAt: now,
      adapter: ADAPTER,
    })
  }

  /** Redirects are followed one by one: each address is its own site's to allow. */
  async function fetchAllowed({
    url: first,
    headers,
    signal,
  }: DetailAsk): Promise<Result<PlatformAnswer, PlatformFailure>> {
    let url = first
    for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
      const refusal = await robots.refusal({ url, headers, signal })
      if (refusal) return fail(refusal)
      const answer = await askPlatform(
        {
          url,
          accept: 'text/html, application/xhtml+xml',
          headers,
          signal,
          timeoutMs: DETAIL_TIMEOUT_MS,
          maxBytes: MAX_PAGE_BYTES,
        },
        { http },
      )
      if (!answer.ok) return answer
      const { location } = answer.value
      if (location === undefined) {
        const failure = statusFailure(answer.value, clock.now())
        return failure ? fail(failure) : answer
      }
      if (!canonicalUrl(location).ok) {
        return fail({ kind: 'unreadable', why: 'it redirects to what is no public address' })
      }
      url = location
    }
    return fail({ kind: 'wrong-url', where: printableUrl(first), why: 'it redirects without end' })
  }
}
