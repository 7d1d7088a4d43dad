import { z } from 'zod'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import type { Collector } from '../collector.ts'
import { answerWith, callerOf, refuseFailure } from './collect-envelope.ts'

const COLLECT = {
  methods: ['post'],
  path: '/v1/collect',
  access: 'collect',
  subject: 'Executions',
  summary: 'Collect now, as the schedule does: claim, fetch, write, until nothing is left',
  query: NO_QUERY,
  status: 200,
  answer: {
    data: z.object({
      execution_id: z.string(),
      claimed: z.number(),
      created: z.number(),
      skipped: z.number().describe('Were there already'),
      failed: z.number(),
      left_over: z.number().describe('Given back untried, at no cost'),
      ending: z.enum(['nothing-left', 'budget', 'stopped', 'paused', 'lock-lost']),
    }),
  },
  refusals: ['LOCKED'],
} as const

/** A run by hand. */
export function collectRoutes(collector: Pick<Collector, 'collect'>): RouteModule {
  return (app) => {
    addOperation(app, COLLECT, async (c) => {
      const collected = await collector.collect(callerOf(c))
      if (!collected.ok) return refuseFailure(c, collected.failure)
      const { executionId, leftOver, ...counts } = collected.value
      return answerWith(c, { execution_id: executionId, ...counts, left_over: leftOver })
    })
  }
}
