import { redactValue } from '../core/redact.ts'
import type { Config } from './settings.ts'
import { requires } from '../http/access.ts'
import { answer } from '../http/envelope.ts'
import type { RouteModule } from '../http/http-env.ts'

export interface AboutOptions {
  readonly version: string
  /** `node 24.21.0` */
  readonly runtime: string
  readonly startedAt: number
  readonly config: Config
}

/** What runs here and with which settings; secrets are masked. */
export function aboutRoutes({ version, runtime, startedAt, config }: AboutOptions): RouteModule {
  return (app) => {
    app.get('/api/about', requires('admin'), (c) =>
      answer(c, {
        version,
        runtime,
        startedAt: new Date(startedAt).toISOString(),
        config: redactValue(config),
      }),
    )
  }
}
