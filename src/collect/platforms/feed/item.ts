import { canonicalUrl } from '../../../core/canonical-url.ts'
import { urlHashHex } from '../../../core/url-hash.ts'
import type { Media } from '../../note.ts'
import type { NamedAuthor } from '../author.ts'

/** One entry of a feed, whatever kind of feed it is. Texts may be HTML; addresses are as written. */
export interface FeedItem {
  readonly id: string | undefined
  readonly link: string | undefined
  readonly title: string
  readonly html: string
  readonly tags: readonly string[]
  readonly media: readonly Media[]
  readonly author: NamedAuthor
  readonly published: string | undefined
  readonly updated: string | undefined
}

/** What names itself in all the world: `https:…`, `tag:…`, `urn:…`. */
const WORLDWIDE = /^[a-z][a-z0-9+.-]{1,20}:\S/i

/** The same item is the same note, also when it moved down, or came by another feed and has a name of its own. */
export function noteIdOfItem({ id, link, title, published }: FeedItem, feedUrl: string): string {
  if (id !== undefined && WORLDWIDE.test(id)) return urlHashHex(canonicalOf(id))
  if (id !== undefined) return urlHashHex(`${canonicalOf(feedUrl)} ${id}`)
  if (link !== undefined) return urlHashHex(canonicalOf(URL.parse(link, feedUrl)?.href ?? link))
  return urlHashHex(`${canonicalOf(feedUrl)} ${published ?? ''} ${title}`)
}

function canonicalOf(address: string): string {
  const canonical = canonicalUrl(address)
  return canonical.ok ? canonical.value : address
}
