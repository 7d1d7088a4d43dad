import { canonicalUrl } from '../../../core/canonical-url.ts'
import type { Media, Note, NoteKind } from '../../note.ts'
import type { NamedAuthor } from '../author.ts'
import { readTime } from '../dates.ts'
import { mediaUrl } from '../fields.ts'
import { readLinkedData, type Subject } from './linked-data.ts'
import { readHtml } from './read-html.ts'

/** A page as a note, before its author is hidden. */
export interface ReadPage extends Pick<
  Note,
  | 'canonicalUrl'
  | 'kind'
  | 'title'
  | 'text'
  | 'tags'
  | 'media'
  | 'metrics'
  | 'publishedAt'
  | 'editedAt'
> {
  readonly namedAuthor: NamedAuthor
}

/** Undefined where the page says nothing at all of itself. What JSON-LD says goes before OpenGraph, that before the rest. */
export function readPage(
  html: string,
  { url, now }: { readonly url: string; readonly now: number },
): ReadPage | undefined {
  const facts = readHtml(html)
  const subject = readLinkedData(facts.linkedData)
  const said = (...names: readonly string[]) =>
    names.map((name) => facts.meta.get(name)?.[0]).find((value) => value !== undefined)
  const all = (...names: readonly string[]) => names.flatMap((name) => facts.meta.get(name) ?? [])
  const at = (text: string | undefined) => (text === undefined ? undefined : readTime(text, now))

  const title = subject?.title ?? said('og:title', 'twitter:title') ?? facts.title
  const description =
    subject?.description ?? said('og:description', 'description', 'twitter:description')
  const text = longest(subject?.text, facts.article, description)
  if (title === '' && text === '') return undefined

  const base = URL.parse(facts.base ?? '', url)?.href ?? url
  const media = mediaOf(subject, all, base)
  return {
    canonicalUrl: ownAddress([facts.canonical, said('og:url'), subject?.url], url),
    kind: kindOf(subject, said('og:type'), media),
    title,
    text,
    tags: [
      ...(subject?.tags ?? []),
      ...all('article:tag', 'og:video:tag'),
      ...(said('keywords') ?? '').split(/[,，、;；]/),
    ],
    media,
    metrics: subject?.metrics ?? {},
    publishedAt:
      at(subject?.published) ??
      at(said('article:published_time', 'datepublished', 'pubdate', 'date')),
    editedAt:
      at(subject?.modified) ?? at(said('article:modified_time', 'og:updated_time', 'datemodified')),
    namedAuthor: authorOf(subject, said),
  }
}

function longest(...texts: readonly (string | undefined)[]): string {
  const [body, article = '', description = ''] = texts
  return body ?? (article.length > description.length ? article : description)
}

function kindOf(
  subject: Subject | undefined,
  type: string | undefined,
  media: readonly Media[],
): NoteKind {
  if (type?.startsWith('video')) return 'video'
  if (type?.startsWith('music')) return 'audio'
  if (subject) return subject.kind
  return type !== 'article' && media.some(({ kind }) => kind === 'video') ? 'video' : 'article'
}

/** The first that is an address of the web; a page that names itself elsewhere is believed only on its own host. */
function ownAddress(named: readonly (string | undefined)[], url: string): string {
  const { host } = new URL(url)
  for (const address of named) {
    const absolute = address === undefined ? null : URL.parse(address, url)
    const canonical =
      absolute && sameSite(absolute.host, host) ? canonicalUrl(absolute.href) : undefined
    if (canonical?.ok) return canonical.value
  }
  const asked = canonicalUrl(withoutTrackers(url))
  return asked.ok ? asked.value : url
}

const withoutWww = (host: string) => host.replace(/^(?:www|m|mobile|amp)\./, '')

function sameSite(left: string, right: string): boolean {
  return withoutWww(left) === withoutWww(right)
}

function withoutTrackers(url: string): string {
  const parsed = new URL(url)
  const names = [...parsed.searchParams.keys()].filter((name) =>
    /^(?:utm_\w+|fbclid|gclid|spm)$/.test(name),
  )
  for (const name of names) parsed.searchParams.delete(name)
  return parsed.href
}

function mediaOf(
  subject: Subject | undefined,
  all: (...names: readonly string[]) => readonly string[],
  base: string,
): readonly Media[] {
  const found = (kind: Media['kind'], addresses: readonly (string | undefined)[]): Media[] =>
    addresses.flatMap((address) => {
      const url = mediaUrl(address, base)
      return url === undefined ? [] : [{ kind, url }]
    })
  return [
    ...found('image', [
      ...all('og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image'),
      ...(subject?.images ?? []),
    ]),
    ...found('video', [...all('og:video', 'og:video:url', 'og:video:secure_url'), subject?.video]),
    ...found('audio', all('og:audio')),
  ]
}

function authorOf(
  subject: Subject | undefined,
  said: (...names: readonly string[]) => string | undefined,
): NamedAuthor {
  if (subject?.author.id !== undefined || subject?.author.name !== undefined) return subject.author
  const author = said('article:author', 'author', 'twitter:creator')
  // A profile's address is an id, and no name to be shown, not even masked.
  return author !== undefined && /^https?:/.test(author) ? { id: author } : { name: author }
}
