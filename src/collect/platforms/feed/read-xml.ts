import type { Media } from '../../note.ts'
import { MAX_FEED_ITEMS } from '../limits.ts'
import { readMarkup } from '../markup.ts'
import type { FeedItem } from './item.ts'

/** RSS 0.9 to 2.0 and Atom, by the names of their elements; prefixes are the customary ones. */
const ROOTS = new Set(['rss', 'rdf:rdf', 'feed', 'atom:feed'])
const ITEMS = new Set(['item', 'rss:item', 'entry', 'atom:entry'])

type Attributes = Readonly<Record<string, string>>

interface OpenItem {
  readonly texts: Map<string, string>
  readonly tags: string[]
  readonly media: Media[]
  link: string | undefined
  authorId: string | undefined
}

/** Undefined where the document is no feed. An item that breaks off is left out; those before it are whole. */
export function readXmlFeed(xml: string): readonly FeedItem[] | undefined {
  const items: FeedItem[] = []
  const path: string[] = []
  let isFeed = false
  let item: OpenItem | undefined
  let itemDepth = 0
  let text: string[] = []

  readMarkup(
    xml,
    {
      onopentag(name, attributes) {
        if (path.length === 0) isFeed = ROOTS.has(name)
        path.push(name)
        if (!item && ITEMS.has(name)) {
          item = { texts: new Map(), tags: [], media: [], link: undefined, authorId: undefined }
          itemDepth = path.length
        }
        if (item && path.length === itemDepth + 1) text = []
        // XHTML inside of Atom is text with its tags, of which only the breaks matter.
        else if (item && path.length > itemDepth + 1 && BREAKS.test(name)) text.push('<br>')
        if (item) noteAttributes(item, name, attributes)
      },
      ontext: (part) => void text.push(part),
      onclosetag(name) {
        const depth = path.length
        path.pop()
        if (!item) return
        if (depth === itemDepth + 1) noteText(item, name, text.join('').trim())
        if (depth === itemDepth + 2 && AUTHOR.test(path.at(-1) ?? '')) {
          noteAuthor(item, name, text.join('').trim())
          text = []
        }
        if (depth !== itemDepth) return
        if (items.length < MAX_FEED_ITEMS) items.push(finished(item))
        item = undefined
      },
    },
    { xmlMode: true },
  )
  return isFeed ? items : undefined
}

const BREAKS = /^(?:xhtml:)?(?:p|br|div|li)$/
const AUTHOR = /^(?:atom:)?author$/

/** The first text of a name counts; a tag may come many times. */
function noteText(item: OpenItem, name: string, text: string) {
  if (text === '') return
  if (name === 'category' || name === 'dc:subject') item.tags.push(text)
  else if (!item.texts.has(name)) item.texts.set(name, text)
}

function noteAuthor(item: OpenItem, name: string, text: string) {
  const field = name.replace('atom:', '')
  if (field === 'name' && text !== '') item.texts.set('author:name', text)
  if (field === 'uri' && text !== '') item.authorId = text
}

function noteAttributes(item: OpenItem, name: string, attributes: Attributes) {
  const { href, rel = 'alternate', term, type = '', url, medium = '' } = attributes
  if (/^(?:atom:)?link$/.test(name) && href) {
    if (rel === 'alternate') item.link ??= href
    if (rel === 'enclosure') noteMedia(item, href, type)
  }
  if (/^(?:atom:)?category$/.test(name) && term) item.tags.push(term)
  if (name === 'enclosure' && url) noteMedia(item, url, type)
  if (name === 'media:content' && url) noteMedia(item, url, medium || type)
  if (name === 'media:thumbnail' && url) noteMedia(item, url, 'image')
}

function noteMedia({ media }: OpenItem, url: string, type: string) {
  const kind = (['image', 'video', 'audio'] as const).find((name) => type.startsWith(name))
  if (kind) media.push({ kind, url })
}

function finished({ texts, tags, media, link, authorId }: OpenItem): FeedItem {
  const first = (...names: readonly string[]) =>
    names.map((name) => texts.get(name)).find((text) => text !== undefined)
  return {
    id: first('guid', 'id', 'atom:id', 'dc:identifier'),
    link: link ?? first('link', 'rss:link', 'feedburner:origlink'),
    title: first('title', 'rss:title', 'atom:title') ?? '',
    html:
      first('content:encoded', 'content', 'atom:content', 'description', 'rss:description') ??
      first('summary', 'atom:summary', 'itunes:summary') ??
      '',
    tags,
    media,
    author: {
      id: authorId,
      name: first('author:name', 'dc:creator', 'itunes:author', 'author'),
    },
    published: first('pubdate', 'published', 'atom:published', 'dc:date', 'issued'),
    updated: first('updated', 'atom:updated', 'dcterms:modified', 'modified'),
  }
}
