import { z } from 'zod'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import type { CandidateStore } from '../../stores/candidate-store.ts'
import type { OutboxStore } from '../../stores/outbox-store.ts'
import type { SourceStore } from '../../stores/source-store.ts'
import { LIMITS } from '../limits.ts'
import { answerWith, callerOf, isoOf, refuseWith } from './collect-envelope.ts'
import { listOf, SOURCE, wireSource } from './shapes.ts'

const OF_MIRROR = { access: 'collect', subject: 'Mirror', query: NO_QUERY } as const

const RECOVER = {
  ...OF_MIRROR,
  methods: ['post'],
  path: '/v1/recover',
  subject: 'Executions',
  summary: 'Time out silent executions and free what they held',
  status: 200,
  answer: {
    data: z.object({
      executions_timed_out: z.number(),
      records_released: z.number(),
      records_failed: z.number(),
    }),
  },
} as const

const SOURCES = {
  ...OF_MIRROR,
  methods: ['get'],
  path: '/v1/sources',
  summary: 'Collected notes, in the order in which they were written',
  query: z.strictObject({
    since: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(0)
      .describe('The position of the last one that is known; 0 for all'),
    limit: wholeNumber(1, LIMITS.rowsPerPage).default(100),
  }),
  status: 200,
  answer: { data: z.object({ sources: z.array(SOURCE), next: z.number() }) },
  refusals: ['INVALID_INPUT'],
} as const

const OUTBOX_ENTRY = z.object({
  id: z.number(),
  table: z.enum(['tbl_cookie', 'tbl_candidate', 'tbl_crawl_execution', 'tbl_source']),
  op: z.literal('upsert'),
  key: z.string(),
  fields: z.record(z.string(), z.unknown()),
  client_token: z.string(),
  request_id: z.string(),
  created_at: z.iso.datetime(),
})

const OUTBOX = {
  ...OF_MIRROR,
  methods: ['get'],
  path: '/v1/outbox',
  summary: 'Changes that the mirror has yet to take over, oldest first',
  query: z.strictObject({ limit: wholeNumber(1, LIMITS.rowsPerPage).default(100) }),
  status: 200,
  answer: { data: z.object({ entries: z.array(OUTBOX_ENTRY), depth: z.number() }) },
  refusals: ['INVALID_INPUT'],
} as const

const ACK_BODY = z.strictObject({ ids: listOf(z.int().min(1), LIMITS.rowsPerPage) })

const ACK = {
  ...OF_MIRROR,
  methods: ['post'],
  path: '/v1/outbox/ack',
  summary: 'Say that changes were taken over; again does nothing',
  body: ACK_BODY,
  status: 200,
  answer: { data: z.object({ acknowledged: z.number(), depth: z.number() }) },
  refusals: ['INVALID_INPUT'],
} as const

export interface MirrorRoutesOptions {
  readonly candidates: CandidateStore
  readonly sources: SourceStore
  readonly outbox: OutboxStore
  readonly lockTimeoutMs: number
}

/** What was collected, and every change for whoever keeps a mirror of it; recovery. */
export function mirrorRoutes(options: MirrorRoutesOptions): RouteModule {
  const { candidates, sources, outbox, lockTimeoutMs } = options
  return (app) => {
    addOperation(app, RECOVER, async (c) => {
      const recovered = await candidates.recover(lockTimeoutMs, callerOf(c))
      return answerWith(c, {
        executions_timed_out: recovered.executionsTimedOut,
        records_released: recovered.recordsReleased,
        records_failed: recovered.recordsFailed,
      })
    })

    addOperation(app, SOURCES, async (c, { since, limit }) => {
      const found = await sources.since(since, limit)
      return answerWith(c, {
        sources: found.map(wireSource),
        next: found.at(-1)?.position ?? since,
      })
    })

    addOperation(app, OUTBOX, async (c, { limit }) => {
      const [page, depth] = [await outbox.page(limit), await outbox.depth()]
      const entries = page.map(({ clientToken, requestId, createdAt, ...entry }) => ({
        ...entry,
        client_token: clientToken,
        request_id: requestId,
        created_at: isoOf(createdAt),
      }))
      return answerWith(c, { entries, depth })
    })

    addOperation(app, ACK, async (c) => {
      const body = await readJson(c, ACK_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const acknowledged = await outbox.ack(body.value.ids)
      return answerWith(c, { acknowledged, depth: await outbox.depth() })
    })
  }
}
