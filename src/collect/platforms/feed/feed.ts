import { canonicalUrl } from '../../../core/canonical-url.ts'
import { printableUrl } from '../../../core/redact.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import type { Media, Note, NoteKind } from '../../note.ts'
import { askPlatform, type Outside, statusFailure } from '../ask-platform.ts'
import type { Authors } from '../author.ts'
import { readTime } from '../dates.ts'
import type { PlatformFailure } from '../failures.ts'
import { bounded, hostIn, mediaUrl } from '../fields.ts'
import { readHtmlText } from '../html-text.ts'
import { DETAIL_TIMEOUT_MS, MAX_FEED_BYTES, MAX_REDIRECTS, SEARCH_TIMEOUT_MS } from '../limits.ts'
import type { DetailAsk, FoundNote, Platform, SearchAsk } from '../platform.ts'
import { type FeedItem, noteIdOfItem } from './item.ts'
import { readJsonFeed } from './read-json.ts'
import { readXmlFeed } from './read-xml.ts'

export interface FeedOptions extends Outside {
  readonly authors: Authors
  /** Platforms that may know better what an item's link leads to: their notes are found as theirs. */
  readonly homes: readonly Platform[]
}

const ADAPTER = 'feed@1'
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5'
const NO_SEARCH = 'a feed is no search engine; give the address of a feed as source_url'

/** What feeds list: RSS, Atom and JSON Feed, and by an RSSHub of one's own what it makes of other places. */
export function openFeed({ authors, homes, http, clock }: FeedOptions): Platform {
  return {
    name: 'feed',
    can: { detail: true, search: true },
    cookie: 'none',
    accepts: (url) => canonicalUrl(url).ok,
    noteIdOf: (url) => MARK.exec(url)?.[1],
    hostOf: hostIn,
    async detail(ask) {
      const feed = withoutMark(ask.url)
      const items = await fetchItems(feed, { ...ask, timeoutMs: DETAIL_TIMEOUT_MS })
      if (!items.ok) return items
      const item = items.value.find((one) => noteIdOfItem(one, feed) === ask.noteId)
      // A feed shows its latest items only.
      if (!item) return fail({ kind: 'not-found', sign: 'the feed does not list it, or no longer' })
      return ok(await noteOf(item, { feed, noteId: ask.noteId }))
    },
    search,
  }

  async function search(ask: SearchAsk): Promise<Result<readonly FoundNote[], PlatformFailure>> {
    const { sourceUrl, keyword = '', page, limit } = ask
    if (sourceUrl === undefined) {
      return fail({ kind: 'unsupported', operation: 'search', why: NO_SEARCH })
    }
    const feed = withoutMark(sourceUrl)
    const items = await fetchItems(feed, { ...ask, timeoutMs: SEARCH_TIMEOUT_MS })
    if (!items.ok) return items
    const word = keyword.toLowerCase()
    const fitting = items.value.filter(({ title, html }) =>
      `${title}\n${html}`.toLowerCase().includes(word),
    )
    const first = (page - 1) * limit
    return ok(fitting.slice(first, first + limit).map((item) => foundNote(item, feed)))
  }

  async function fetchItems(
    url: string,
    { headers, signal, timeoutMs }: Pick<DetailAsk, 'headers' | 'signal'> & { timeoutMs: number },
  ): Promise<Result<readonly FeedItem[], PlatformFailure>> {
    if (!canonicalUrl(url).ok) {
      const wanted = 'the http(s) address of a feed'
      return fail({ kind: 'foreign-url', where: printableUrl(url), wanted })
    }
    const answer = await askPlatform(
      {
        url,
        accept: ACCEPT,
        headers,
        signal,
        timeoutMs,
        maxBytes: MAX_FEED_BYTES,
        maxRedirects: MAX_REDIRECTS,
      },
      { http },
    )
    if (!answer.ok) return answer
    const failure = statusFailure(answer.value, clock.now())
    if (failure) return fail(failure)
    const { text } = answer.value
    const items = text.trimStart().startsWith('{') ? readJsonFeed(text) : readXmlFeed(text)
    const why = 'it is neither RSS, Atom nor JSON Feed; for a page use the platform "page"'
    return items ? ok(items) : fail({ kind: 'unreadable', why })
  }

  function foundNote(item: FeedItem, feed: string): FoundNote {
    const link = mediaUrl(item.link, feed)
    const publishedAt = readTime(item.published ?? item.updated, clock.now())
    const { title } = bounded({ title: plain(item.title), text: '', tags: [], media: [] })
    for (const home of link === undefined ? [] : homes) {
      const noteId = link === undefined || !home.accepts(link) ? undefined : home.noteIdOf(link)
      if (link !== undefined && noteId !== undefined) {
        return { platform: home.name, noteId, url: link, link, title, publishedAt }
      }
    }
    const noteId = noteIdOfItem(item, feed)
    return { platform: 'feed', noteId, url: `${feed}#note=${noteId}`, link, title, publishedAt }
  }

  async function noteOf(
    item: FeedItem,
    { feed, noteId }: { readonly feed: string; readonly noteId: string },
  ): Promise<Note> {
    const now = clock.now()
    const link = mediaUrl(item.link, feed)
    const { text, images } = readHtmlText(item.html)
    const media = [...item.media, ...images.map((url): Media => ({ kind: 'image', url }))].flatMap(
      (one) => {
        const url = mediaUrl(one.url, link ?? feed)
        return url === undefined ? [] : [{ ...one, url }]
      },
    )
    const publishedAt = readTime(item.published ?? item.updated, now)
    const editedAt = item.published === undefined ? undefined : readTime(item.updated, now)
    return {
      platform: 'feed',
      noteId,
      canonicalUrl: canonicalOf(link ?? feed),
      kind: kindOf(media),
      ...bounded({ title: plain(item.title), text, tags: item.tags, media }),
      author: await authors.hide('feed', item.author),
      metrics: {},
      publishedAt,
      editedAt: editedAt === publishedAt ? undefined : editedAt,
      crawledAt: now,
      adapter: ADAPTER,
    }
  }
}

// An item is asked for by the address of its feed, marked with its id.
const MARK = /#note=([0-9a-f]{16})$/

const withoutMark = (url: string) => url.replace(MARK, '')

/** Titles are plain text by the book and HTML by habit. */
function plain(title: string): string {
  return /[<&]/.test(title) ? readHtmlText(title).text : title
}

function canonicalOf(url: string): string {
  const canonical = canonicalUrl(url)
  return canonical.ok ? canonical.value : url
}

function kindOf(media: readonly Media[]): NoteKind {
  const moving = media.find(({ kind }) => kind === 'video' || kind === 'audio')
  return moving?.kind ?? 'article'
}
