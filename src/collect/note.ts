import type { Json, JsonObject } from '../core/json.ts'

/** A number as a platform shows it: what it means, and how it was written ("1.2万" is 12000, or about that). */
export interface Count {
  /** Undefined where nobody can tell: "赞", "—". */
  readonly value: number | undefined
  readonly raw: string
}

export const METRICS = ['likes', 'collects', 'comments', 'shares', 'views'] as const
export type Metric = (typeof METRICS)[number]

export const NOTE_KINDS = ['text', 'image', 'video', 'article', 'audio'] as const
export type NoteKind = (typeof NOTE_KINDS)[number]

export interface Media {
  readonly kind: 'image' | 'video' | 'audio'
  readonly url: string
  readonly width?: number
  readonly height?: number
}

/** Who wrote a note, as far as Sluice keeps it: enough to tell authors apart, not who they are. */
export interface Author {
  /** HMAC of platform and the author's id (or name, where there is no id): 64 hexadecimal digits. */
  readonly hash: string
  /** The first character, then `**`. */
  readonly maskedName: string | undefined
}

/** SPEC C21: what is kept of a public note, whatever platform it comes from. Times are milliseconds. */
export interface Note {
  readonly platform: string
  readonly noteId: string
  /** Where people find it: without tokens, sessions and trackers. */
  readonly canonicalUrl: string
  readonly kind: NoteKind
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
  readonly media: readonly Media[]
  readonly author: Author | undefined
  readonly metrics: Readonly<Partial<Record<Metric, Count>>>
  readonly publishedAt: number | undefined
  readonly editedAt: number | undefined
  readonly crawledAt: number
  /** What read it, with the version of its reading: `xhs-page@1`. */
  readonly adapter: string
}

/** A note as the API, the source record and the mirror have it. */
export function wireNote(note: Note): JsonObject {
  return {
    platform: note.platform,
    note_id: note.noteId,
    canonical_url: note.canonicalUrl,
    kind: note.kind,
    title: note.title,
    text: note.text,
    tags: note.tags,
    media: note.media.map(({ kind, url, width, height }) => ({
      kind,
      url,
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    })),
    author: note.author
      ? { hash: note.author.hash, masked_name: note.author.maskedName ?? null }
      : null,
    metrics: wireMetrics(note.metrics),
    published_at: wireTime(note.publishedAt),
    edited_at: wireTime(note.editedAt),
    crawled_at: wireTime(note.crawledAt),
    adapter: note.adapter,
  }
}

function wireMetrics(metrics: Note['metrics']): JsonObject {
  const known = METRICS.flatMap((name): [string, Json][] => {
    const count = metrics[name]
    return count ? [[name, { value: count.value ?? null, raw: count.raw }]] : []
  })
  return Object.fromEntries(known)
}

function wireTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
