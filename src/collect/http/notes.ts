import { z } from 'zod'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import type { HttpContext } from '../../http/http-env.ts'
import { choosePlatform, platformOf, type Platforms } from '../candidates.ts'
import { NOT_TRIED } from '../failures.ts'
import { type FetchedNote, fetchNotes, type Fetching, searchNotes } from '../fetch-notes.ts'
import { LIMITS } from '../limits.ts'
import { wireNote } from '../note.ts'
import { type FoundNote, PLATFORM_NAMES } from '../platforms/platform.ts'
import {
  answerBatch,
  answerWith,
  callerOf,
  isoOrNull,
  refuseFailure,
  refuseWith,
  wireFailure,
  type WireItem,
} from './collect-envelope.ts'
import { itemOf, listOf, noteId, noteUrl, platformName, SUMMARY, textOf } from './shapes.ts'

const OF_NOTES = { access: 'collect', subject: 'Notes', query: NO_QUERY } as const

const DETAIL_BODY = z.strictObject({
  items: listOf(
    z.strictObject({ id: noteId(), platform: platformName(), url: noteUrl() }),
    LIMITS.notesPerRequest,
  ),
})

const PLATFORM_REFUSALS = ['INVALID_INPUT', 'UNSUPPORTED_OPERATION'] as const

const DETAIL = {
  ...OF_NOTES,
  methods: ['post'],
  path: '/v1/notes/detail',
  summary: 'Fetch up to 20 notes now; each item for itself',
  body: DETAIL_BODY,
  status: 200,
  answer: {
    items: z
      .array(
        itemOf({
          id: z.string(),
          data: z.record(z.string(), z.unknown()).optional(),
          tried: z
            .literal(false)
            .optional()
            .describe('Nobody was asked for it: no cookie, a resting host, no time left'),
        }),
      )
      .describe('In the order asked'),
    summary: SUMMARY,
  },
  refusals: [...PLATFORM_REFUSALS, 'PARTIAL_FAIL'],
} as const

const SEARCH_BODY = z.strictObject({
  platform: platformName(),
  keyword: textOf('what to look for', LIMITS.nameLength).optional(),
  source_url: noteUrl().optional(),
  page: z.int().min(1).max(1_000).default(1),
  limit: z.int().min(1).max(LIMITS.foundNotes).default(20),
})

const SEARCH = {
  ...OF_NOTES,
  methods: ['post'],
  path: '/v1/search',
  summary: 'Find notes, where a platform can',
  body: SEARCH_BODY,
  status: 200,
  answer: {
    data: z.object({
      items: z.array(
        z.object({
          note_id: z.string(),
          platform: z.string(),
          note_url: z.string(),
          title: z.string(),
          link: z.string().nullable(),
          published_at: z.iso.datetime().nullable(),
        }),
      ),
    }),
  },
  refusals: [
    ...PLATFORM_REFUSALS,
    'NOT_FOUND',
    'COOKIE_INVALID',
    'COOKIE_EXHAUSTED',
    'PLATFORM_ERROR',
    'NETWORK_ERROR',
    'TIMEOUT_ERROR',
  ],
} as const

const ADAPTERS = {
  ...OF_NOTES,
  methods: ['get'],
  path: '/v1/adapters',
  summary: 'Every platform, what it can do, and whether it is on',
  status: 200,
  answer: {
    data: z.object({
      adapters: z.array(
        z.object({
          platform: z.string(),
          enabled: z.boolean(),
          detail: z.boolean().optional(),
          search: z.boolean().optional(),
          cookie: z.enum(['required', 'optional', 'none']).optional(),
        }),
      ),
    }),
  },
} as const

export interface NotesRoutesOptions {
  readonly platforms: Platforms
  readonly fetching: Fetching
}

/** Notes from platforms, fetched and found now (SPEC C08, C14). */
export function notesRoutes(options: NotesRoutesOptions): RouteModule {
  const detail = (c: HttpContext) => fetchGiven(c, options)
  const search = (c: HttpContext) => searchGiven(c, options)
  return (app) => {
    addOperation(app, DETAIL, detail)
    // The founding document's names for the same.
    addOperation(app, { ...DETAIL, path: '/api/note/detail' }, detail)
    addOperation(app, SEARCH, search)
    addOperation(app, { ...SEARCH, path: '/api/search' }, search)

    addOperation(app, ADAPTERS, (c) => {
      const adapters = PLATFORM_NAMES.map((name) => {
        const platform = options.platforms.get(name)
        if (!platform) return { platform: name, enabled: false }
        return { platform: name, enabled: true, ...platform.can, cookie: platform.cookie }
      })
      return answerWith(c, { adapters })
    })
  }
}

async function fetchGiven(
  c: HttpContext,
  { platforms, fetching }: NotesRoutesOptions,
): Promise<Response> {
  const body = await readJson(c, DETAIL_BODY)
  if (!body.ok) return refuseWith(c, body.failure)
  const asks = []
  for (const [number, { id, platform: named, url }] of body.value.items.entries()) {
    const note = { item: `items[${number}]`, platform: named, noteId: id, url }
    const platform = platformOf(platforms, note)
    if (!platform.ok) return refuseFailure(c, platform.failure)
    asks.push({ platform: platform.value, noteId: id, url })
  }
  const fetched = await fetchNotes(fetching, asks, {
    caller: callerOf(c),
    signal: c.req.raw.signal,
  })
  const names = new Set(fetched.flatMap(({ cookieUsed }) => cookieUsed ?? []))
  return answerBatch(c, fetched.map(wireFetched), {
    place: (items, summary) => ({ items, summary }),
    cookieUsed: names.size === 0 ? undefined : [...names].join(','),
  })
}

function wireFetched({ noteId: id, result }: FetchedNote): WireItem {
  if (result.ok) return { id, success: true, data: wireNote(result.value) }
  const { failure } = result
  return {
    id,
    success: false,
    error: wireFailure(failure),
    ...(NOT_TRIED.has(failure.kind) && { tried: false }),
  }
}

async function searchGiven(
  c: HttpContext,
  { platforms, fetching }: NotesRoutesOptions,
): Promise<Response> {
  const body = await readJson(c, SEARCH_BODY)
  if (!body.ok) return refuseWith(c, body.failure)
  const { platform: named, source_url: sourceUrl, ...asked } = body.value
  const platform = choosePlatform(platforms, named)
  if (!platform.ok) return refuseFailure(c, platform.failure)
  const ask = { ...asked, sourceUrl, platform: platform.value }
  const { result, cookieUsed } = await searchNotes(fetching, ask, {
    caller: callerOf(c),
    signal: c.req.raw.signal,
  })
  if (!result.ok) return refuseFailure(c, result.failure, { cookieUsed })
  return answerWith(c, { items: result.value.map(wireFound) }, { cookieUsed })
}

function wireFound({ platform, noteId: id, url, title, link, publishedAt }: FoundNote) {
  return {
    note_id: id,
    platform,
    note_url: url,
    title,
    link: link ?? null,
    published_at: isoOrNull(publishedAt),
  }
}
