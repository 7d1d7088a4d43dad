import { z } from 'zod'
import { requires } from '../../http/access.ts'
import { answer, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { readJson } from '../../http/read-json.ts'
import { readQuery } from '../../http/read-query.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import type { Runner } from '../runner.ts'
import { describeUnusable } from '../sealed-settings.ts'
import { urlHistory } from '../url-history.ts'
import { chooseSite, siteMissing } from './site-parameter.ts'

const MAX_URLS = 10_000

const SUBMISSION = z.strictObject({
  site: z.string().optional(),
  urls: z
    .array(z.string())
    .min(1, 'should name at least one URL')
    .max(MAX_URLS, `should name at most ${MAX_URLS} URLs: send the rest in a second request`),
})

const LOOKUP = z.object({ url: z.string().min(1, 'should be the URL to look up') })

export interface UrlsRoutesOptions {
  readonly stores: SubmitStores
  readonly runner: Runner
}

/** Submits URLs at once, and tells what happened to one. */
export function urlsRoutes({ stores, runner }: UrlsRoutesOptions): RouteModule {
  return (app) => {
    app.post('/api/urls', requires('admin'), async (c) => {
      const body = await readJson(c, SUBMISSION)
      if (!body.ok) return refuse(c, body.failure)
      const site = await chooseSite(stores.sites, body.value.site)
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

    app.get('/api/sites/:id/urls', requires('read'), async (c) => {
      const id = c.req.param('id')
      const query = readQuery(c, LOOKUP)
      if (!query.ok) return refuse(c, query.failure)
      if (!(await stores.sites.get(id))) return refuse(c, siteMissing(id))
      const { url } = query.value
      const states = await urlHistory(stores.ledger, id, url)
      if (states.ok) return answer(c, { url, states: states.value })
      return refuse(c, {
        code: 'INVALID_INPUT',
        message: `url: is not a URL of a page (${states.failure}). Give it whole, percent-encoded: ?url=https%3A%2F%2Fexample.com%2Fpage`,
      })
    })
  }
}
