import { z } from 'zod'
import { redactValue } from '../core/redact.ts'
import type { Config } from './settings.ts'
import { answer } from '../http/envelope.ts'
import type { RouteModule } from '../http/http-env.ts'
import { addOperation, NO_QUERY } from '../http/operation.ts'

const ABOUT = {
  methods: ['get'],
  path: '/api/about',
  access: 'admin',
  subject: 'About',
  summary: 'What runs here, with which settings',
  query: NO_QUERY,
  status: 200,
  answer: {
    version: z.string(),
    runtime: z.string(),
    startedAt: z.iso.datetime(),
    config: z.record(z.string(), z.unknown()),
  },
} as const

export interface AboutOptions {
  readonly version: string
  /** `node 24.21.0` */
  readonly runtime: string
  readonly startedAt: number
  /** What has a meaning here. */
  readonly config: Partial<Config>
}

/** What runs here and with which settings; secrets are masked. */
export function aboutRoutes({ version, runtime, startedAt, config }: AboutOptions): RouteModule {
  return (app) => {
    addOperation(app, ABOUT, (c) =>
      answer(c, {
        version,
        runtime,
        startedAt: new Date(startedAt).toISOString(),
        config: redactValue(config),
      }),
    )
  }
}
