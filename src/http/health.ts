import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import type { Result } from '../core/result.ts'
import { answer, refuse } from './envelope.ts'
import type { RouteModule } from './http-env.ts'
import { addOperation } from './operation.ts'

/** Why nothing should be sent here now. The words are told to anybody. */
export type NotReady = 'stopping' | 'store-unavailable'

const ADVICE: Readonly<Record<NotReady, string>> = {
  stopping:
    'The server is stopping and takes no new work. Ask another one, or again once it is back.',
  'store-unavailable': 'The store does not answer. The log of the server says why.',
}

const RETRY_AFTER_S = '5'

const OPEN = {
  methods: ['get'],
  access: 'anybody',
  subject: 'About',
  // Whoever watches may add what it likes, to get around a cache: that is no illness.
  query: z.object({}),
  status: 200,
} as const

const HEALTH = {
  ...OPEN,
  path: '/health',
  summary: 'Whether the process lives',
  answer: { status: z.literal('ok'), version: z.string(), uptimeSeconds: z.number() },
} as const

const READY = {
  ...OPEN,
  path: '/ready',
  summary: 'Whether it can work',
  answer: { status: z.literal('ready') },
  refusals: ['NOT_READY'],
} as const

export interface HealthOptions {
  readonly clock: Clock
  readonly version: string
  readonly startedAt: number
  readonly checkReady: () => Promise<Result<void, NotReady>>
}

/** `/health`: the process lives. `/ready`: it can work, too. */
export function healthRoutes({
  clock,
  version,
  startedAt,
  checkReady,
}: HealthOptions): RouteModule {
  return (app) => {
    addOperation(app, HEALTH, (c) => {
      const uptimeSeconds = Math.floor((clock.now() - startedAt) / 1_000)
      return answer(c, { status: 'ok', version, uptimeSeconds })
    })

    addOperation(app, READY, async (c) => {
      const ready = await checkReady()
      if (ready.ok) return answer(c, { status: 'ready' })
      const message = ADVICE[ready.failure]
      return refuse(c, { code: 'NOT_READY', message, headers: { 'Retry-After': RETRY_AFTER_S } })
    })
  }
}
