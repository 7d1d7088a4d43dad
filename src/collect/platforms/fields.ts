import { MAX_MEDIA, MAX_TAGS, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH } from './limits.ts'
import type { Media, Note } from '../note.ts'

/** Reading what others wrote: a field that is not what it should be is not there. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined
}

/** By its own names only: `constructor` is nobody's note. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const name of path) {
    const fields = fieldsOf(at)
    if (!fields || !Object.hasOwn(fields, name)) return undefined
    at = fields[name]
  }
  return at
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

export function sizeOf(value: unknown): number | undefined {
  const size = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value
  return typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : undefined
}

/** An absolute address for `src`, or none: `data:` and `blob:` lead nowhere. */
export function mediaUrl(src: unknown, base?: string): string | undefined {
  const url = typeof src === 'string' ? URL.parse(src.trim(), base) : null
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password
    ? url.href
    : undefined
}

/** Empty where there is none: such an address is not asked. */
export function hostIn(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/** The parts of a note that come from outside, within their limits and each once. */
export function bounded({
  title,
  text,
  tags,
  media,
}: Pick<Note, 'title' | 'text' | 'tags' | 'media'>): Pick<
  Note,
  'title' | 'text' | 'tags' | 'media'
> {
  return {
    title: cut(title, MAX_TITLE_LENGTH),
    text: cut(text, MAX_TEXT_LENGTH),
    tags: [...new Set(tags.map((tag) => cut(tag.trim(), 200)))].filter(Boolean).slice(0, MAX_TAGS),
    media: [...new Map(media.map((one): [string, Media] => [one.url, one])).values()].slice(
      0,
      MAX_MEDIA,
    ),
  }
}

/** Bytes of no text: some stores and most mirrors refuse a note for one of them. */
const CONTROL = /[^\P{Cc}\n\t]/gu

/** Never in the middle of a surrogate pair: half of one cannot be stored everywhere. */
function cut(text: string, length: number): string {
  const whole = text.toWellFormed().replace(CONTROL, '')
  return whole.length <= length ? whole : whole.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}
