import type { Media } from '../../note.ts'
import { fieldOf, fieldsOf, listOf, textOf } from '../fields.ts'
import { MAX_FEED_ITEMS } from '../limits.ts'
import type { FeedItem } from './item.ts'

/** JSON Feed 1 and 1.1. Undefined where the document is none. */
export function readJsonFeed(text: string): readonly FeedItem[] | undefined {
  const feed = parsed(text)
  const version = textOf(fieldOf(feed, 'version'))
  if (!version?.includes('jsonfeed.org')) return undefined
  return listOf(fieldOf(feed, 'items'))
    .slice(0, MAX_FEED_ITEMS)
    .filter((item) => fieldsOf(item) !== undefined)
    .map(itemOf)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function itemOf(item: unknown): FeedItem {
  const field = (name: string) => textOf(fieldOf(item, name))
  const author = listOf(fieldOf(item, 'authors'))[0] ?? fieldOf(item, 'author')
  return {
    id: field('id'),
    link: field('url') ?? field('external_url'),
    title: field('title') ?? '',
    html: field('content_html') ?? escaped(field('content_text') ?? field('summary') ?? ''),
    tags: listOf(fieldOf(item, 'tags')).flatMap((tag) => textOf(tag) ?? []),
    media: mediaOf(item),
    author: { id: textOf(fieldOf(author, 'url')), name: textOf(fieldOf(author, 'name')) },
    published: field('date_published'),
    updated: field('date_modified'),
  }
}

function mediaOf(item: unknown): readonly Media[] {
  const image = textOf(fieldOf(item, 'image'))
  const attached = listOf(fieldOf(item, 'attachments')).flatMap((attachment): Media[] => {
    const url = textOf(fieldOf(attachment, 'url'))
    const type = textOf(fieldOf(attachment, 'mime_type')) ?? ''
    const kind = (['image', 'video', 'audio'] as const).find((name) => type.startsWith(name))
    return url && kind ? [{ kind, url }] : []
  })
  return [...(image ? [{ kind: 'image' as const, url: image }] : []), ...attached]
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')
}
