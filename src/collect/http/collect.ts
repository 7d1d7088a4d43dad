import { z } from 'zod'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation } from '../../http/operation.ts'
import type { Collector } from '../collector.ts'
import { answerWith, callerOf, refuseFailure } from './collect-envelope.ts'

const COLLECT = {
  methods: ['post'],
  path: '/v1/collect',
  access: 'collect',
  subject: 'Executions',
  summary: 'Collect now, as the schedule does: claim, fetch, write, until nothing is left',
  query: z.strictObject({
    wait: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Answer when it is over, with what became of the notes and 200'),
    given_up: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Try those that were given up once more, instead of those that wait'),
  }),
  status: 202,
  answer: {
    data: z.object({
      execution_id: z.string(),
      claimed: z.number().optional(),
      created: z.number().optional(),
      skipped: z.number().optional().describe('Were there already'),
      failed: z.number().optional(),
      left_over: z.number().optional().describe('Given back untried, at no cost'),
      ending: z.enum(['nothing-left', 'budget', 'stopped', 'paused', 'lock-lost']).optional(),
    }),
  },
  refusals: ['LOCKED'],
} as const

/** A run by hand. */
export function collectRoutes(collector: Pick<Collector, 'collect'>): RouteModule {
  return (app) => {
    addOperation(app, COLLECT, async (c, { wait, given_up: givenUp }) => {
      const wanted = givenUp === 'true' ? 'given-up' : 'waiting'
      const started = await collector.collect(callerOf(c), wanted)
      if (!started.ok) return refuseFailure(c, started.failure)
      const { executionId, done } = started.value
      if (wait === 'false') return answerWith(c, { execution_id: executionId }, { status: 202 })
      const { executionId: _id, leftOver, ...counts } = await done
      return answerWith(c, { execution_id: executionId, ...counts, left_over: leftOver })
    })
  }
}
