import { z } from 'zod'
import { URL_STATES } from '../../core/ledger/url-state.ts'
import { FAILURE_REASONS, type FailureReason } from '../failure-reason.ts'

/** What answers of the submit side look like, for the API reference. */
const engine = z.object({
  engine: z.string(),
  total: z.number(),
  successful: z.number(),
  failed: z.number(),
  pending: z.number().describe('Of `successful`: accepted before the key was verified'),
  averageMs: z.number(),
  rateLimited: z.number().optional().describe('Requests that were answered 429'),
})

const bingCounts = z.object({
  total: z.number(),
  successful: z.number(),
  failed: z.number(),
  quotaUsed: z.number(),
  quotaRemaining: z.number(),
  rateLimited: z.number().optional(),
  error: z.string().optional(),
})

export const RUN = z.object({
  id: z.string(),
  siteId: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  status: z.enum(['running', 'succeeded', 'partial', 'failed', 'interrupted']),
  trigger: z.string(),
  total: z.number(),
  new: z.number(),
  cached: z.number(),
  submitted: z.number(),
  failed: z.number(),
  deleted: z.number(),
  invalid: z.number(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
  engines: z.array(engine),
  bing: bingCounts.optional(),
})

export const LAST_EXECUTION = z.object({
  runId: z.string(),
  status: RUN.shape.status,
  trigger: z.string(),
  timestamp: z.number().describe('Milliseconds since 1970'),
  finished_at: z.number().nullable(),
  total_urls: z.number(),
  new_urls: z.number(),
  cached_urls: z.number(),
  submitted_urls: z.number(),
  failed_urls: z.number(),
  deleted_urls: z.number(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
  engines: z.array(engine),
  bing: bingCounts.optional(),
})

export const BING_STATUS = z.object({
  enabled: z.boolean(),
  todayQuotaUsed: z.number().optional(),
  todayQuotaRemaining: z.number().nullable().optional(),
  lastSubmission: z.iso.datetime().nullable().optional(),
  error: z.string().optional(),
})

const channelTotals = z.object({ total: z.number(), successful: z.number() })
export const DAY = z.object({ date: z.iso.date(), indexnow: channelTotals, bing: channelTotals })

export const URL_STATE = z.object({
  channel: z.enum(['indexnow', 'bing']),
  engine: z.string(),
  status: z
    .enum([...URL_STATES, 'gone'])
    .describe('gone: was sent as deleted; sent again when a sitemap lists it'),
  submittedAt: z.iso.datetime().nullable(),
  lastmod: z.iso.datetime().nullable(),
  statusCode: z.number().nullable(),
})

export const FAILED_URL = z.object({
  url: z.string(),
  channel: z.enum(['indexnow', 'bing']),
  engine: z.string(),
  status: z.enum(['failed', 'rejected']).describe('rejected: not sent again until it changes'),
  statusCode: z.number().nullable(),
  failedAt: z.iso.datetime(),
  reason: z.enum(Object.keys(FAILURE_REASONS) as FailureReason[]),
  advice: z.string(),
})

export const SITE = z
  .looseObject({ id: z.string() })
  .describe('As it was given, with its defaults; secrets as ****')
