import { z } from 'zod'
import { canonicalUrl } from '../../../core/canonical-url.ts'
import type { Clock } from '../../../core/clock.ts'
import { nearestName } from '../../../core/nearest-name.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import type { NewCandidate } from '../../../stores/candidate-store.ts'
import { METRICS, type Note, NOTE_KINDS } from '../../note.ts'
import { type Authors, maskedName } from '../author.ts'
import { countOf } from '../counts.ts'
import { readTime } from '../dates.ts'
import { bounded, mediaUrl } from '../fields.ts'
import { MAX_IMPORT_LINE_LENGTH } from '../limits.ts'
import { type Platform, PLATFORM_NAMES } from '../platform.ts'

/** A line is a whole note, or the address of one that is still to be fetched. */
export type ImportedLine =
  | { readonly kind: 'note'; readonly line: number; readonly note: Note }
  | { readonly kind: 'candidate'; readonly line: number; readonly candidate: NewCandidate }
  | { readonly kind: 'error'; readonly line: number; readonly why: string }

export interface ImportOptions {
  readonly authors: Authors
  readonly clock: Clock
  /** Those that are on: they tell which note an address names. */
  readonly platforms: readonly Platform[]
}

const ADAPTER = 'import@1'
const NOTE_ID = /^[\w.:@-]{1,128}$/
/** The keys of xhs's notes do not name their platform (SPEC C02): `page_1` would have that of the page 1. */
const LIKE_ANOTHER = new RegExp(`^(?:${PLATFORM_NAMES.join('|')})_`)

const word = z.string().trim().min(1)
/** Ids of 17 digits and more are rounded when they are read as numbers: such a note would be another one. */
const id = z.union([word, z.int().transform(String)], {
  error: 'a text; a number of more than 15 digits must stand in quotes',
})
const address = z.string().refine((text) => canonicalUrl(text).ok, {
  error: 'not an http(s) address without name and password, of 2048 characters at most',
})
const time = z.union([z.string(), z.number()]).nullish()
const count = z.union([
  z.number(),
  z.string(),
  z.object({ value: z.number().nullish(), raw: z.string() }),
])

/**
 * The names are those of the API, so that a note that `GET /v1/sources` gives can be brought back. Others are refused:
 * a note is written once, so what was left out of it cannot be brought later.
 */
const LINE = z.strictObject({
  platform: z.enum(PLATFORM_NAMES).default('import'),
  note_id: id.optional(),
  note_url: address.optional(),
  url: address.optional(),
  canonical_url: address.optional(),
  source_keyword: word.optional(),
  kind: z.enum(NOTE_KINDS).default('article'),
  title: z.string().optional(),
  text: z.string().optional(),
  tags: z.array(z.string()).default([]),
  media: z
    .array(
      z.union(
        [
          z.string(),
          z.strictObject({
            kind: z.enum(['image', 'video', 'audio']),
            url: z.string(),
            width: z.number().optional(),
            height: z.number().optional(),
          }),
        ],
        { error: 'an address, or an object with kind (image, video, audio) and url' },
      ),
    )
    .default([]),
  author: z
    .union(
      [
        z.string(),
        z.strictObject({
          id: id.optional(),
          name: z.string().optional(),
          hash: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .optional(),
          masked_name: z.string().nullish(),
        }),
      ],
      {
        error:
          'a name, or an object with id and name, or with hash and masked_name as they went out; an id of more than 15 digits must stand in quotes',
      },
    )
    .nullish(),
  metrics: z.partialRecord(z.enum(METRICS), count).default({}),
  published_at: time,
  edited_at: time,
  // Written anew.
  crawled_at: z.unknown().optional(),
  adapter: z.unknown().optional(),
})
type Line = z.infer<typeof LINE>

const FIELDS = Object.keys(LINE.shape)
/** What others call it. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  id: 'note_id',
  body: 'text',
  content: 'text',
  desc: 'text',
  description: 'text',
  address: 'note_url',
  link: 'note_url',
  author_name: 'author',
  author_id: 'author',
  date: 'published_at',
  keyword: 'source_keyword',
}

/** Reads JSON Lines one by one; a bad line is told with its number and why, and the next is read. */
export async function* readLines(
  lines: Iterable<string> | AsyncIterable<string>,
  options: ImportOptions,
): AsyncGenerator<ImportedLine> {
  let line = 0
  for await (const text of lines) {
    line++
    const trimmed = text.replace(/^\uFEFF/, '').trim()
    if (trimmed === '') continue
    const read = lineOf(trimmed)
    yield read.ok
      ? await imported(read.value, line, options)
      : { kind: 'error', line, why: read.failure }
  }
}

function lineOf(text: string): Result<Line, string> {
  if (text.length > MAX_IMPORT_LINE_LENGTH) {
    return fail(`the line is longer than ${MAX_IMPORT_LINE_LENGTH} characters`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail('this is not JSON; every line must be one object in {…}')
  }
  const read = LINE.safeParse(value)
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  const where = issue?.path.join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') return fail(unknownField(where, issue.keys[0] ?? ''))
  return fail(
    where === ''
      ? 'this is not an object in {…}'
      : `${where}: ${issue?.message ?? 'not understood'}`,
  )
}

function unknownField(where: string, name: string): string {
  if (where !== '') return `${where}: "${name.slice(0, 80)}" is not known there; leave it out`
  const meant = Object.hasOwn(ALSO_CALLED, name) ? ALSO_CALLED[name] : nearestName(name, FIELDS)
  const advice = meant ? `did you mean ${meant}?` : `known are ${FIELDS.join(', ')}`
  return `"${name.slice(0, 80)}" is no field of a line; ${advice}`
}

async function imported(given: Line, line: number, options: ImportOptions): Promise<ImportedLine> {
  const url = given.note_url ?? given.url ?? given.canonical_url
  const platform = options.platforms.find(({ name }) => name === given.platform)
  const named = url === undefined ? undefined : platform?.noteIdOf(url)
  const noteId = given.note_id ?? named
  const refuse = (why: string): ImportedLine => ({ kind: 'error', line, why })
  if (noteId === undefined) {
    return refuse(
      given.platform === 'import' && url !== undefined
        ? 'note_id is missing; to have note_url fetched, say from where: "platform":"page"'
        : 'note_id is missing, and there is no note_url that tells it',
    )
  }
  if (!NOTE_ID.test(noteId))
    return refuse('note_id may have letters, digits and _ . : @ - only, 128 at most')
  if (given.platform === 'xhs' && LIKE_ANOTHER.test(noteId))
    return refuse('note_id of xhs may not begin like that of another platform')
  if (given.title !== undefined || given.text !== undefined) {
    const note = await noteOf(given, { noteId, address: url }, options)
    return { kind: 'note', line, note }
  }
  if (url === undefined) return refuse('there is neither a text nor a note_url to fetch it from')
  if (!platform)
    return refuse(`the platform "${given.platform}" is off; add it to COLLECT_PLATFORMS`)
  if (!platform.accepts(url))
    return refuse(`note_url is no address that "${platform.name}" could ask`)
  if (named !== undefined && named !== noteId)
    return refuse(`note_id is not that of note_url, which is ${named}; leave it out`)
  const candidate = { platform: given.platform, noteId, noteUrl: url }
  const { source_keyword: sourceKeyword } = given
  return {
    kind: 'candidate',
    line,
    candidate: sourceKeyword === undefined ? candidate : { ...candidate, sourceKeyword },
  }
}

async function noteOf(
  given: Line,
  { noteId, address }: { readonly noteId: string; readonly address: string | undefined },
  { authors, clock }: ImportOptions,
): Promise<Note> {
  const now = clock.now()
  const { title = '', text = '', tags, platform } = given
  const media = given.media.flatMap((one) => {
    const { kind, url } = typeof one === 'string' ? { kind: 'image' as const, url: one } : one
    const absolute = mediaUrl(url)
    return absolute === undefined ? [] : [{ kind, url: absolute }]
  })
  const metrics = METRICS.flatMap((name) => {
    const written = given.metrics[name]
    const counted = countOf(typeof written === 'object' ? written.raw : written)
    return counted ? [[name, counted] as const] : []
  })
  return {
    platform,
    noteId,
    canonicalUrl: given.canonical_url ?? address ?? '',
    kind: given.kind,
    ...bounded({ title, text, tags, media }),
    author: await authorOf(given, authors),
    metrics: Object.fromEntries(metrics),
    publishedAt: readTime(given.published_at ?? undefined, now),
    editedAt: readTime(given.edited_at ?? undefined, now),
    crawledAt: now,
    adapter: ADAPTER,
  }
}

/** A hash that was made before stays what it is. */
async function authorOf({ author, platform }: Line, authors: Authors): Promise<Note['author']> {
  if (author === null || author === undefined) return undefined
  if (typeof author === 'string') return authors.hide(platform, { name: author })
  if (author.hash !== undefined) {
    return {
      hash: author.hash,
      maskedName: author.masked_name?.trim() && masked(author.masked_name),
    }
  }
  return authors.hide(platform, author)
}

/** Whoever brings a name in the place of a masked one does not want it kept. */
function masked(name: string): string {
  return /^[^*]?\*\*$/u.test(name) ? name : maskedName(name.trim())
}
