import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../../http/error-codes.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import type { CandidateStore } from '../../stores/candidate-store.ts'
import type { ExecutionStore } from '../../stores/execution-store.ts'
import { addCandidates, type Platforms } from '../candidates.ts'
import { asHolder } from '../executions.ts'
import { LIMITS, USUAL_BATCH } from '../limits.ts'
import {
  answerBatch,
  answerWith,
  callerOf,
  refuseFailure,
  refuseWith,
  wireFailure,
} from './collect-envelope.ts'
import {
  CANDIDATE,
  executionId,
  fence,
  itemOf,
  listOf,
  noteId,
  noteObject,
  noteUrl,
  platformName,
  SUMMARY,
  textOf,
  wireCandidate,
} from './shapes.ts'

const OF_CANDIDATES = { access: 'collect', subject: 'Candidates', query: NO_QUERY } as const

const ADD_BODY = z.strictObject({
  items: listOf(
    z.strictObject({
      note_id: noteId().optional().describe('May be left out where the address alone tells it'),
      platform: platformName(),
      note_url: noteUrl(),
      source_keyword: textOf('what it was found with', LIMITS.nameLength).optional(),
    }),
    LIMITS.candidatesPerRequest,
  ),
})

const ADD = {
  ...OF_CANDIDATES,
  methods: ['post'],
  path: '/v1/candidates',
  summary: 'Add notes to be fetched; those that are known are skipped',
  body: ADD_BODY,
  status: 200,
  answer: {
    data: z.object({
      created: z.number(),
      skipped: z.number(),
      items: z
        .array(z.object({ platform: z.string(), note_id: z.string() }))
        .describe('In the order of the request: how each is known from now on'),
    }),
  },
  refusals: ['INVALID_INPUT', 'UNSUPPORTED_OPERATION'],
} as const

const LIST = {
  ...OF_CANDIDATES,
  methods: ['get'],
  path: '/v1/candidates',
  summary: 'Candidates in the order in which they came, with the number in each state',
  query: z.strictObject({
    status: z.enum(['pending', 'processing', 'collected', 'failed']).optional(),
    limit: wholeNumber(1, LIMITS.rowsPerPage).default(100),
    after: z
      .string()
      .regex(/^[^:]+:./, 'platform:note_id of a candidate')
      .optional()
      .describe('platform:note_id of the last one that is known; without it, from the first'),
  }),
  status: 200,
  answer: {
    data: z.object({
      candidates: z.array(CANDIDATE),
      counts: z.record(z.string(), z.number()),
    }),
  },
  refusals: ['INVALID_INPUT'],
} as const

const HOLD = { execution_id: executionId(), fence: fence() }
const WRITER_REFUSALS = ['INVALID_INPUT', 'NOT_FOUND', 'LOCK_LOST'] as const

const CLAIM_BODY = z.strictObject({
  ...HOLD,
  batch_size: z.int().min(1).max(LIMITS.recordsPerRequest).default(USUAL_BATCH),
})

const CLAIM = {
  ...OF_CANDIDATES,
  methods: ['post'],
  path: '/v1/candidates/claim',
  summary: 'Lock the oldest pending candidates for an execution',
  body: CLAIM_BODY,
  status: 200,
  answer: { data: z.object({ records: z.array(CANDIDATE), locked_count: z.number() }) },
  refusals: WRITER_REFUSALS,
} as const

const KEY = { platform: platformName(), note_id: noteId() }

const COMPLETE_BODY = z.strictObject({
  ...HOLD,
  items: listOf(z.strictObject({ ...KEY, note: noteObject }), LIMITS.recordsPerRequest),
})

const COMPLETE = {
  ...OF_CANDIDATES,
  methods: ['post'],
  path: '/v1/candidates/complete',
  summary: 'Write fetched notes, each once; what is not held fails for itself',
  body: COMPLETE_BODY,
  maxBodyBytes: 16 * 1024 * 1024,
  status: 200,
  answer: {
    data: z.object({
      items: z.array(itemOf({ ...KEY, action: z.enum(['created', 'skipped']).optional() })),
      summary: SUMMARY,
    }),
  },
  refusals: [...WRITER_REFUSALS, 'PARTIAL_FAIL'],
} as const

const errorCode = z.enum(Object.keys(ERROR_CODES) as ErrorCode[])

const FAIL_BODY = z.strictObject({
  ...HOLD,
  items: listOf(z.strictObject({ ...KEY, error_code: errorCode }), LIMITS.recordsPerRequest),
})

const FAIL = {
  ...OF_CANDIDATES,
  methods: ['post'],
  path: '/v1/candidates/fail',
  summary: 'Give candidates back: to be tried again, or failed at the third attempt',
  body: FAIL_BODY,
  status: 200,
  answer: {
    data: z.object({
      items: z.array(itemOf({ ...KEY, status: z.enum(['pending', 'failed']).optional() })),
      summary: SUMMARY,
    }),
  },
  refusals: [...WRITER_REFUSALS, 'PARTIAL_FAIL'],
} as const

export interface CandidatesRoutesOptions {
  readonly candidates: CandidateStore
  readonly executions: ExecutionStore
  readonly platforms: Platforms
}

const inData = (items: unknown, summary: unknown) => ({ data: { items, summary } })
const NOT_HELD = { success: false, error: wireFailure({ kind: 'not-held' }) } as const

/** Notes to be fetched: added, claimed, written, given back (SPEC C02, C04, C11). */
export function candidatesRoutes(options: CandidatesRoutesOptions): RouteModule {
  const { candidates, executions } = options
  return (app) => {
    addOperation(app, ADD, async (c) => {
      const body = await readJson(c, ADD_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const given = body.value.items.map(({ source_keyword: sourceKeyword, ...item }) => ({
        platform: item.platform,
        noteId: item.note_id ?? namedBy(options.platforms, item),
        noteUrl: item.note_url,
        ...(sourceKeyword !== undefined && { sourceKeyword }),
      }))
      const added = await addCandidates(options, given, callerOf(c))
      if (!added.ok) return refuseFailure(c, added.failure)
      const items = given.map(({ platform, noteId: id }) => ({ platform, note_id: id }))
      return answerWith(c, { ...added.value, items })
    })

    addOperation(app, LIST, async (c, { status, limit, after }) => {
      const listed = await candidates.list(status, limit, keyFrom(after))
      const counts = await candidates.count()
      return answerWith(c, { candidates: listed.map(wireCandidate), counts })
    })

    addOperation(app, CLAIM, async (c) => {
      const body = await readJson(c, CLAIM_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const { batch_size: batchSize } = body.value
      const claimed = await asHolder(executions, holdOf(body.value), (id) =>
        candidates.claim(id, batchSize, callerOf(c)),
      )
      if (!claimed.ok) return refuseFailure(c, claimed.failure)
      const records = claimed.value.map(wireCandidate)
      return answerWith(c, { records, locked_count: records.length })
    })

    addOperation(app, COMPLETE, async (c) => {
      const body = await readJson(c, COMPLETE_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const notes = body.value.items.map(({ platform, note_id, note }) => ({
        platform,
        noteId: note_id,
        note,
      }))
      const written = await asHolder(executions, holdOf(body.value), (id) =>
        candidates.complete(id, notes, callerOf(c)),
      )
      if (!written.ok) return refuseFailure(c, written.failure)
      const items = written.value.map(({ platform, noteId: id, action }) => ({
        platform,
        note_id: id,
        ...(action === 'not-held' ? NOT_HELD : { success: true, action }),
      }))
      return answerBatch(c, items, { place: inData })
    })

    addOperation(app, FAIL, async (c) => {
      const body = await readJson(c, FAIL_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const failed = body.value.items.map(({ platform, note_id, error_code }) => ({
        platform,
        noteId: note_id,
        errorCode: error_code,
      }))
      const written = await asHolder(executions, holdOf(body.value), (id) =>
        candidates.fail(id, failed, callerOf(c)),
      )
      if (!written.ok) return refuseFailure(c, written.failure)
      const items = written.value.map(({ platform, noteId: id, status }) => ({
        platform,
        note_id: id,
        ...(status === 'not-held' ? NOT_HELD : { success: true, status }),
      }))
      return answerBatch(c, items, { place: inData })
    })
  }
}

/** The other way round than a candidate's key in the mirror is made. */
function keyFrom(after: string | undefined) {
  if (after === undefined) return
  const [platform = ''] = after.split(':', 1)
  return { platform, noteId: after.slice(platform.length + 1) }
}

/** Empty where the address tells none: then it is not one of the platform's, and is refused as such. */
function namedBy(platforms: Platforms, item: { platform: string; note_url: string }): string {
  return platforms.get(item.platform)?.noteIdOf(item.note_url) ?? ''
}

const holdOf = (given: { execution_id: string; fence?: number | undefined }) => ({
  executionId: given.execution_id,
  fence: given.fence,
})
