import { z } from 'zod'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { asHolder, type ExecutionsOptions, startExecution } from '../executions.ts'
import { LIMITS } from '../limits.ts'
import { answerWith, callerOf, refuseFailure, refuseWith } from './collect-envelope.ts'
import { EXECUTION, fence, textOf, wireExecution } from './shapes.ts'

const START_BODY = z.strictObject({
  workflow_name: textOf('the name of a workflow', LIMITS.nameLength),
})

const OF_EXECUTIONS = { access: 'collect', subject: 'Executions', query: NO_QUERY } as const

const START = {
  ...OF_EXECUTIONS,
  methods: ['post'],
  path: '/v1/executions',
  summary: "Start a workflow's execution: the lock of the workflow",
  body: START_BODY,
  status: 201,
  answer: { data: EXECUTION },
  refusals: ['INVALID_INPUT', 'LOCKED'],
} as const

const LIST = {
  ...OF_EXECUTIONS,
  methods: ['get'],
  path: '/v1/executions',
  summary: 'Executions, newest first',
  query: z.strictObject({ limit: wholeNumber(1, LIMITS.rowsPerPage).default(100) }),
  status: 200,
  answer: { data: z.object({ executions: z.array(EXECUTION) }) },
  refusals: ['INVALID_INPUT'],
} as const

const HEARTBEAT_BODY = z.strictObject({ fence: fence() })

const HEARTBEAT = {
  ...OF_EXECUTIONS,
  methods: ['put'],
  path: '/v1/executions/:id/heartbeat',
  summary: 'Say that an execution is still at work',
  status: 200,
  answer: { data: EXECUTION },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'LOCK_LOST'],
} as const

const FINISH_BODY = z.strictObject({
  status: z.enum(['completed', 'failed']),
  fence: fence(),
})

const FINISH = {
  ...OF_EXECUTIONS,
  methods: ['post'],
  path: '/v1/executions/:id/finish',
  summary: 'End an execution and free what it still holds',
  body: FINISH_BODY,
  status: 200,
  answer: { data: EXECUTION },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'LOCK_LOST'],
} as const

/** Locks of workflows: started, kept, ended (SPEC C03, C05). */
export function executionsRoutes(options: ExecutionsOptions): RouteModule {
  const { executions, lockTimeoutMs } = options
  return (app) => {
    addOperation(app, START, async (c) => {
      const body = await readJson(c, START_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const started = await startExecution(options, body.value.workflow_name, callerOf(c))
      if (!started.ok) return refuseFailure(c, started.failure)
      return answerWith(c, wireExecution(started.value, lockTimeoutMs), { status: 201 })
    })

    addOperation(app, LIST, async (c, { limit }) => {
      const listed = await executions.list(limit)
      return answerWith(c, {
        executions: listed.map((execution) => wireExecution(execution, lockTimeoutMs)),
      })
    })

    addOperation(app, HEARTBEAT, async (c) => {
      const isBare = (await c.req.text()).trim() === ''
      const body = isBare ? undefined : await readJson(c, HEARTBEAT_BODY)
      if (body?.ok === false) return refuseWith(c, body.failure)
      const hold = { executionId: c.req.param('id') ?? '', fence: body?.value.fence }
      const beaten = await asHolder(executions, hold, (id) => executions.heartbeat(id))
      if (!beaten.ok) return refuseFailure(c, beaten.failure)
      return answerWith(c, wireExecution(beaten.value, lockTimeoutMs))
    })

    addOperation(app, FINISH, async (c) => {
      const body = await readJson(c, FINISH_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const { status, fence: given } = body.value
      const hold = { executionId: c.req.param('id') ?? '', fence: given }
      const ended = await asHolder(executions, hold, (id) =>
        executions.finish(id, status, callerOf(c)),
      )
      if (!ended.ok) return refuseFailure(c, ended.failure)
      return answerWith(c, wireExecution(ended.value, lockTimeoutMs))
    })
  }
}
