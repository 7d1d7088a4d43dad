import { z } from 'zod'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Candidate } from '../../stores/candidate-store.ts'
import type { Execution } from '../../stores/execution-store.ts'
import type { SourceRecord } from '../../stores/source-store.ts'
import { LIMITS } from '../limits.ts'
import { isoOf, isoOrNull } from './collect-envelope.ts'

/** A text of 1 to `max` characters; `what` says what it is. */
export function textOf(what: string, max: number) {
  const error = `${what}, 1 to ${max} characters`
  return z
    .string(error)
    .min(1, error)
    .max(max, error)
    .refine(isPrintable, `${what}, without control characters and halves of characters`)
}

/** No two stores keep the others alike: a name would come back as another's. */
function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}

/** A list of 1 to `max`. */
export function listOf<T extends z.ZodType>(entry: T, max: number) {
  const error = `a list of 1 to ${max} entries`
  return z.array(entry, error).min(1, error).max(max, error)
}

export const noteId = () => textOf('the id of a note', LIMITS.noteIdLength)
export const platformName = () => textOf('the name of a platform', LIMITS.nameLength)
export const noteUrl = () => textOf('the http(s) address of a note', LIMITS.urlLength)
export const executionId = () => textOf('the execution_id of an execution', LIMITS.nameLength)
export const fence = () =>
  z.int().min(1).optional().describe('Where given, it must be the fence of the execution')

const json: z.ZodType<Json> = z.json()
export const noteObject: z.ZodType<JsonObject> = z.record(
  z.string(),
  json,
  'the note, as an object',
)

const WIRE_ERROR = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })

export const SUMMARY = z.object({
  total: z.number(),
  succeeded: z.number(),
  failed: z.number(),
})

export const itemOf = (shape: z.ZodRawShape) =>
  z.object({ success: z.boolean(), ...shape, error: WIRE_ERROR.optional() })

export const EXECUTION = z.object({
  execution_id: z.string(),
  workflow_name: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'timeout']),
  fence: z.number(),
  started_at: z.iso.datetime(),
  heartbeat_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable().describe('While it runs: when silence ends it'),
  completed_at: z.iso.datetime().nullable(),
  items_processed: z.number(),
  items_failed: z.number(),
})

export function wireExecution(execution: Execution, lockTimeoutMs: number) {
  const { heartbeatAt, status } = execution
  return {
    execution_id: execution.executionId,
    workflow_name: execution.workflowName,
    status,
    fence: execution.fence,
    started_at: isoOf(execution.startedAt),
    heartbeat_at: isoOf(heartbeatAt),
    expires_at: status === 'running' ? isoOf(heartbeatAt + lockTimeoutMs) : null,
    completed_at: isoOrNull(execution.completedAt),
    items_processed: execution.itemsProcessed,
    items_failed: execution.itemsFailed,
  }
}

export const CANDIDATE = z.object({
  note_id: z.string(),
  platform: z.string(),
  note_url: z.string(),
  status: z.enum(['pending', 'processing', 'collected', 'failed']),
  processing_lock: z.string().nullable(),
  locked_at: z.iso.datetime().nullable(),
  retry_count: z.number(),
  source_keyword: z.string().nullable(),
  last_error_code: z.string().nullable(),
  exec_meta: z.record(z.string(), z.unknown()),
})

export function wireCandidate(candidate: Candidate) {
  return {
    note_id: candidate.noteId,
    platform: candidate.platform,
    note_url: candidate.noteUrl,
    status: candidate.status,
    processing_lock: candidate.processingLock ?? null,
    locked_at: isoOrNull(candidate.lockedAt),
    retry_count: candidate.retryCount,
    source_keyword: candidate.sourceKeyword ?? null,
    last_error_code: candidate.lastErrorCode ?? null,
    exec_meta: candidate.execMeta,
  }
}

export const SOURCE = z.object({
  position: z.number(),
  platform: z.string(),
  note_id: z.string(),
  idempotency_key: z.string(),
  note: z.record(z.string(), z.unknown()),
  retry_count: z.number(),
  exec_meta: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
})

export function wireSource(source: SourceRecord) {
  return {
    position: source.position,
    platform: source.platform,
    note_id: source.noteId,
    idempotency_key: source.idempotencyKey,
    note: source.note,
    retry_count: source.retryCount,
    exec_meta: source.execMeta,
    created_at: isoOf(source.createdAt),
  }
}
