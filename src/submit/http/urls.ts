import { z } from 'zod'
import { answer, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import type { Runner } from '../runner.ts'
import { describeUnusable, storedHost } from '../sealed-settings.ts'
import { urlHistory } from '../url-history.ts'
import { FAILED_KEPT_PER_ENGINE, type FailedUrl, listFailedUrls } from '../failed-urls.ts'
import { channelOf, FAILURE_REASONS, failureReason } from '../failure-reason.ts'
import { FAILED_URL, URL_STATE } from './shapes.ts'
import { chooseSite, siteMissing } from './site-parameter.ts'

const MAX_URLS = 10_000
const URLS = `a list of 1 to ${MAX_URLS} URLs`

const SUBMISSION = z.strictObject({
  site: z.string().optional(),
  urls: z
    .array(z.string('a URL, as text'), URLS)
    .min(1, URLS)
    .max(MAX_URLS, `${URLS}; send the rest in a second request`),
})

const SUBMIT_URLS = {
  methods: ['post'],
  path: '/api/urls',
  access: 'admin',
  subject: 'URLs',
  summary: 'Submit pages at once, as a publish hook does',
  query: NO_QUERY,
  body: SUBMISSION,
  // 10,000 URLs of 2,048 characters, with quotes and commas.
  maxBodyBytes: 24 * 1024 * 1024,
  status: 200,
  answer: {
    submitted: z.number(),
    skipped: z.number(),
    failed: z.number(),
    invalid: z.array(z.object({ url: z.string(), reason: z.string() })),
    errors: z.array(z.string()),
    warnings: z.array(z.string()),
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
} as const

const LOOK_UP = {
  methods: ['get'],
  path: '/api/sites/:id/urls',
  access: 'read',
  subject: 'URLs',
  summary: 'What happened to a page, at each engine',
  query: z.strictObject({
    url: z.string('the URL to look up').min(1, 'the URL to look up'),
  }),
  status: 200,
  answer: { url: z.string(), states: z.array(URL_STATE) },
  refusals: ['INVALID_INPUT', 'NOT_FOUND'],
} as const

const FAILED = {
  methods: ['get'],
  path: '/api/sites/:id/failed',
  access: 'read',
  subject: 'URLs',
  summary: `Pages that engines did not take, newest first, at most ${FAILED_KEPT_PER_ENGINE} of each engine`,
  query: NO_QUERY,
  status: 200,
  answer: { failed: z.array(FAILED_URL) },
  refusals: ['NOT_FOUND'],
} as const

export interface UrlsRoutesOptions {
  readonly stores: SubmitStores
  readonly runner: Runner
}

/** Submits URLs at once, and tells what happened to one, and which failed. */
export function urlsRoutes({ stores, runner }: UrlsRoutesOptions): RouteModule {
  return (app) => {
    addOperation(app, SUBMIT_URLS, async (c) => {
      const body = await readJson(c, SUBMISSION)
      if (!body.ok) return refuse(c, body.failure)
      const site = await chooseSite(stores.sites, body.value.site, '"site" in the body')
      if (!site.ok) return refuse(c, site.failure)
      const submitted = await runner.submitUrls(site.value, body.value.urls)
      if (submitted.ok) return answer(c, { ...submitted.value })
      const { failure } = submitted
      return refuse(
        c,
        failure.kind === 'site-missing'
          ? siteMissing(site.value)
          : { code: 'INVALID_INPUT', message: describeUnusable(failure) },
      )
    })

    addOperation(app, FAILED, async (c) => {
      const id = c.req.param('id') ?? ''
      if (!(await stores.sites.get(id))) return refuse(c, siteMissing(id))
      const failed = await listFailedUrls(stores.ledger, id)
      return answer(c, { failed: failed.map(wireFailed) })
    })

    addOperation(app, LOOK_UP, async (c, { url }) => {
      const id = c.req.param('id') ?? ''
      const record = await stores.sites.get(id)
      if (!record) return refuse(c, siteMissing(id))
      const host = storedHost(record)
      const states = await urlHistory(stores.ledger, { id, host }, url)
      if (states.ok) return answer(c, { url, states: states.value })
      return refuse(c, {
        code: 'INVALID_INPUT',
        message:
          states.failure === 'foreign-host'
            ? `It is not on ${host}. Ask the site of its own host; GET /api/sites lists them.`
            : `url is not a URL of a page (${states.failure}). Give it whole, percent-encoded: ?url=https%3A%2F%2Fexample.com%2Fpage`,
      })
    })
  }
}

function wireFailed(failed: FailedUrl): z.input<typeof FAILED_URL> {
  const { url, engine, state, statusCode, at } = failed
  const reason = failureReason(failed)
  return {
    url,
    channel: channelOf(failed),
    engine,
    status: state,
    statusCode: statusCode === 0 ? null : statusCode,
    failedAt: new Date(at).toISOString(),
    reason,
    advice: `${FAILURE_REASONS[reason].what} ${FAILURE_REASONS[reason].advice}`,
  }
}
