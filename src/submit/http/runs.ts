import { z } from 'zod'
import { requires } from '../../http/access.ts'
import { answer, type Refusal, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { readQuery } from '../../http/read-query.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import type { Runner, StartRefused } from '../runner.ts'
import { describeUnusable } from '../sealed-settings.ts'
import { shownRun } from '../shown-run.ts'
import { chooseSite, siteMissing } from './site-parameter.ts'

const TRIGGER = z.object({
  site: z.string().optional(),
  channel: z.enum(['all', 'indexnow', 'bing']).default('all'),
  wait: z.enum(['true', 'false']).default('false'),
})

const RUNS = z.object({ limit: z.coerce.number().int().min(1).max(100).default(100) })

export interface RunsRoutesOptions {
  readonly stores: SubmitStores
  readonly runner: Runner
}

/** Starts a run by hand, and shows runs. */
export function runsRoutes({ stores, runner }: RunsRoutesOptions): RouteModule {
  return (app) => {
    app.on(['GET', 'POST'], '/trigger', requires('admin'), async (c) => {
      const query = readQuery(c, TRIGGER)
      if (!query.ok) return refuse(c, query.failure)
      const site = await chooseSite(stores.sites, query.value.site)
      if (!site.ok) return refuse(c, site.failure)
      const { channel, wait } = query.value
      const started = await runner.start({ siteId: site.value, channel, trigger: 'manual' })
      if (!started.ok) return refuse(c, refusalOf(started.failure, site.value))
      if (wait === 'false') return answer(c, { runId: started.value.id }, { status: 202 })
      const { run } = await started.value.done
      return answer(c, { run: shownRun(run) })
    })

    app.get('/api/sites/:id/runs', requires('read'), async (c) => {
      const id = c.req.param('id')
      const query = readQuery(c, RUNS)
      if (!query.ok) return refuse(c, query.failure)
      if (!(await stores.sites.get(id))) return refuse(c, siteMissing(id))
      const runs = await stores.runs.list(id, query.value.limit)
      return answer(c, { runs: runs.map(shownRun) })
    })

    app.get('/api/runs/:id', requires('read'), async (c) => {
      const run = await stores.runs.get(c.req.param('id'))
      if (run) return answer(c, { run: shownRun(run) })
      return refuse(c, {
        code: 'NOT_FOUND',
        message:
          'There is no such run. The last 100 of each site are kept; GET /api/sites/{id}/runs lists them.',
      })
    })
  }
}

function refusalOf(failure: StartRefused, siteId: string): Refusal {
  switch (failure.kind) {
    case 'site-missing':
      return siteMissing(siteId)
    case 'secret-does-not-open':
    case 'settings-unreadable':
      return { code: 'INVALID_INPUT', message: describeUnusable(failure) }
    case 'bing-disabled':
      return {
        code: 'INVALID_INPUT',
        message: `Bing submission is not enabled for this site. Set bingEnabled and bingApiKey with PUT /api/sites/${siteId}.`,
      }
    case 'lease-taken':
      return {
        code: 'LOCKED',
        message: `A run of ${siteId} is going on (${failure.holder}). Wait for it to end; GET /status?site=${siteId} shows how far it is.`,
      }
  }
}
