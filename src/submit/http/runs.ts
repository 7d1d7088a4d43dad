import { z } from 'zod'
import { answer, type Refusal, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import type { Runner, StartRefused } from '../runner.ts'
import { describeUnusable } from '../sealed-settings.ts'
import { asTheyAre, shownRun } from '../shown-run.ts'
import { RUN } from './shapes.ts'
import { chooseSite, siteMissing } from './site-parameter.ts'

const TRIGGER = {
  methods: ['get', 'post'],
  path: '/trigger',
  access: 'admin',
  subject: 'Runs',
  summary: 'Run a site now',
  query: z.strictObject({
    site: z.string().optional().describe('Its id; may be left out where there is only one'),
    channel: z.enum(['all', 'indexnow', 'bing']).default('all'),
    wait: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Answer when the run is over, with `run` and 200; 202 if it goes on elsewhere'),
  }),
  status: 202,
  answer: { runId: z.string() },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'LOCKED'],
} as const

const SITE_RUNS = {
  methods: ['get'],
  path: '/api/sites/:id/runs',
  access: 'read',
  subject: 'Runs',
  summary: 'The runs of a site, newest first',
  query: z.strictObject({ limit: wholeNumber(1, 100).default(100) }),
  status: 200,
  answer: { runs: z.array(RUN) },
  refusals: ['INVALID_INPUT', 'NOT_FOUND'],
} as const

const ONE_RUN = {
  methods: ['get'],
  path: '/api/runs/:id',
  access: 'read',
  subject: 'Runs',
  summary: 'One run, also while it goes on',
  query: NO_QUERY,
  status: 200,
  answer: { run: RUN },
  refusals: ['NOT_FOUND'],
} as const

export interface RunsRoutesOptions {
  readonly stores: SubmitStores
  readonly runner: Runner
}

/** Starts a run by hand, and shows runs. */
export function runsRoutes({ stores, runner }: RunsRoutesOptions): RouteModule {
  return (app) => {
    addOperation(app, TRIGGER, async (c, { site: named, channel, wait }) => {
      const site = await chooseSite(stores.sites, named)
      if (!site.ok) return refuse(c, site.failure)
      const started = await runner.start({ siteId: site.value, channel, trigger: 'manual' })
      if (!started.ok) return refuse(c, refusalOf(started.failure, site.value))
      if (wait === 'false') return answer(c, { runId: started.value.id }, { status: 202 })
      const end = await started.value.done
      if (end === 'goes-on') return answer(c, { runId: started.value.id }, { status: 202 })
      return answer(c, { run: shownRun(end.run) })
    })

    addOperation(app, SITE_RUNS, async (c, { limit }) => {
      const id = c.req.param('id') ?? ''
      if (!(await stores.sites.get(id))) return refuse(c, siteMissing(id))
      const runs = await asTheyAre(await stores.runs.list(id, limit), stores)
      return answer(c, { runs: runs.map(shownRun) })
    })

    addOperation(app, ONE_RUN, async (c) => {
      const kept = await stores.runs.get(c.req.param('id') ?? '')
      const [run] = await asTheyAre(kept ? [kept] : [], stores)
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
