import type { Metric, Note, NoteKind } from '../../note.ts'
import type { NamedAuthor } from '../author.ts'
import { countOf } from '../counts.ts'
import { fieldOf, type Fields, fieldsOf, listOf, textOf } from '../fields.ts'

/** What JSON-LD says of a page's subject. */
export interface Subject {
  readonly kind: NoteKind
  readonly title: string | undefined
  readonly text: string | undefined
  readonly description: string | undefined
  readonly url: string | undefined
  readonly tags: readonly string[]
  readonly images: readonly string[]
  readonly video: string | undefined
  readonly author: NamedAuthor
  readonly metrics: Note['metrics']
  readonly published: string | undefined
  readonly modified: string | undefined
}

/** Most telling first. */
const KINDS: readonly (readonly [type: RegExp, kind: NoteKind])[] = [
  [
    /^(?:\w*Article|BlogPosting|SocialMediaPosting|DiscussionForumPosting|Report|Review)$/,
    'article',
  ],
  [/^(?:VideoObject|Clip|Movie)$/, 'video'],
  [/^(?:AudioObject|PodcastEpisode)$/, 'audio'],
  [/^(?:ImageObject|Photograph)$/, 'image'],
  [/^(?:Recipe|HowTo|Product|Event|Question|CreativeWork|WebPage)$/, 'article'],
]

const MAX_NODES = 500
const MAX_DEPTH = 5

export function readLinkedData(texts: readonly string[]): Subject | undefined {
  const nodes: Fields[] = []
  for (const text of texts) gather(parsed(text), nodes, MAX_DEPTH)
  for (const [type, kind] of KINDS) {
    const found = nodes.find((node) => typesOf(node).some((name) => type.test(name)))
    if (found) return subjectOf(found, kind)
  }
  return undefined
}

/** A broken one is as good as none: many are. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function gather(value: unknown, nodes: Fields[], depth: number): void {
  if (depth === 0 || nodes.length >= MAX_NODES) return
  for (const item of Array.isArray(value) ? value : [value]) {
    const node = fieldsOf(item)
    if (!node || nodes.length >= MAX_NODES) continue
    nodes.push(node)
    gather(node['@graph'] ?? node['mainEntity'], nodes, depth - 1)
  }
}

function typesOf(node: Fields): readonly string[] {
  const type = node['@type']
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
}

function subjectOf(node: Fields, kind: NoteKind): Subject {
  return {
    kind,
    title: textOf(node['headline']) ?? textOf(node['name']),
    text: textOf(node['articleBody']) ?? textOf(node['text']) ?? textOf(node['transcript']),
    description: textOf(node['description']),
    url: addressOf(node['url']) ?? addressOf(node['mainEntityOfPage']),
    tags: wordsOf(node['keywords']),
    images: [node['image'], node['thumbnailUrl']]
      .flatMap(several)
      .flatMap((image) => addressOf(image) ?? []),
    video: addressOf(node['contentUrl']) ?? addressOf(fieldOf(node['video'], 'contentUrl')),
    author: authorOf(several(node['author'] ?? node['creator'])[0]),
    metrics: metricsOf(node),
    published: textOf(node['datePublished']) ?? textOf(node['uploadDate']),
    modified: textOf(node['dateModified']),
  }
}

const several = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function addressOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(fieldOf(value, 'url')) ?? textOf(fieldOf(value, '@id'))
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(/[,，、;；]/)
  return listOf(value).flatMap((word) => textOf(word) ?? textOf(fieldOf(word, 'name')) ?? [])
}

function authorOf(author: unknown): NamedAuthor {
  if (typeof author === 'string') return { name: author }
  return {
    id: textOf(fieldOf(author, '@id')) ?? textOf(fieldOf(author, 'url')),
    name: textOf(fieldOf(author, 'name')),
  }
}

const ACTIONS: readonly (readonly [action: RegExp, metric: Metric])[] = [
  [/LikeAction$/, 'likes'],
  [/(?:Comment|Reply|Discuss)Action$/, 'comments'],
  [/ShareAction$/, 'shares'],
  [/BookmarkAction$/, 'collects'],
  [/(?:Watch|View|Read|Listen)Action$/, 'views'],
]

function metricsOf(node: Fields): Note['metrics'] {
  const comments = countOf(node['commentCount'])
  const told = several(node['interactionStatistic']).flatMap((statistic) => {
    const type = fieldOf(statistic, 'interactionType')
    const action = textOf(type) ?? textOf(fieldOf(type, '@type')) ?? ''
    const metric = ACTIONS.find(([name]) => name.test(action))?.[1]
    const count = countOf(fieldOf(statistic, 'userInteractionCount'))
    return metric && count ? [[metric, count] as const] : []
  })
  return { ...(comments && { comments }), ...Object.fromEntries(told) }
}
