import { z } from 'zod'
import { answer, type Refusal, refuse } from '../../http/envelope.ts'
import type { HttpContext, RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import type { SiteChanged, SiteExists, SiteMissing } from '../../stores/site-store.ts'
import { type InvalidSettings, SITE_SCHEMA } from '../site-settings.ts'
import { changeSite, createSite, removeSite, type RemoveOptions, shownSite } from '../sites.ts'
import { SITE } from './shapes.ts'

const ONE = { path: '/api/sites/:id', subject: 'Sites', query: NO_QUERY, status: 200 } as const
const ALL = { path: '/api/sites', subject: 'Sites', query: NO_QUERY } as const

const ADD = {
  ...ALL,
  methods: ['post'],
  access: 'admin',
  summary: 'Add a site',
  body: SITE_SCHEMA,
  status: 201,
  answer: { site: SITE },
  refusals: ['INVALID_INPUT', 'ALREADY_EXISTS'],
} as const

const LIST = {
  ...ALL,
  methods: ['get'],
  access: 'read',
  summary: 'Every site, by id',
  status: 200,
  answer: { sites: z.array(SITE) },
} as const

const SHOW = {
  ...ONE,
  methods: ['get'],
  access: 'read',
  summary: 'One site',
  answer: { site: SITE },
  refusals: ['NOT_FOUND'],
} as const

const CHANGE = {
  ...ONE,
  methods: ['put'],
  access: 'admin',
  summary: 'Change the fields that are given; null clears one',
  body: z.object(SITE_SCHEMA.shape).partial(),
  answer: { site: SITE },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'LOCKED'],
} as const

const REMOVE = {
  ...ONE,
  methods: ['delete'],
  access: 'admin',
  summary: 'Forget a site with its ledger and its runs',
  answer: { site: SITE },
  refusals: ['NOT_FOUND', 'LOCKED'],
} as const

/** Sites (docs/spec.md R01): added, looked at, changed and removed. */
export function sitesRoutes(options: RemoveOptions): RouteModule {
  const { sites, defaults } = options
  return (app) => {
    addOperation(app, ADD, async (c) => {
      const body = await readJson(c, ANYTHING)
      if (!body.ok) return refuse(c, body.failure)
      const created = await createSite(options, body.value)
      if (!created.ok) return refuse(c, refusalOf(created.failure))
      logSite(c, 'created', created.value.id)
      return answer(c, { site: shownSite(created.value, defaults) }, { status: 201 })
    })

    addOperation(app, LIST, async (c) => {
      const records = await sites.list()
      return answer(c, { sites: records.map((record) => shownSite(record, defaults)) })
    })

    addOperation(app, SHOW, async (c) => {
      const id = c.req.param('id') ?? ''
      const record = await sites.get(id)
      if (!record) return refuse(c, refusalOf({ kind: 'site-missing', id }))
      return answer(c, { site: shownSite(record, defaults) })
    })

    addOperation(app, CHANGE, async (c) => {
      const body = await readJson(c, ANYTHING)
      if (!body.ok) return refuse(c, body.failure)
      const changed = await changeSite(options, c.req.param('id') ?? '', body.value)
      if (!changed.ok) return refuse(c, refusalOf(changed.failure))
      logSite(c, 'changed', changed.value.id)
      return answer(c, { site: shownSite(changed.value, defaults) })
    })

    addOperation(app, REMOVE, async (c) => {
      const id = c.req.param('id') ?? ''
      const removed = await removeSite(options, id)
      if (!removed.ok) {
        const { failure } = removed
        return refuse(c, failure.kind === 'lease-taken' ? isRunning(id) : refusalOf(failure))
      }
      logSite(c, 'removed', removed.value.id)
      return answer(c, { site: shownSite(removed.value, defaults) })
    })
  }
}

/** `createSite` and `changeSite` read the body themselves: what a change means depends on what is stored. */
const ANYTHING = z.unknown()

function logSite(c: HttpContext, became: 'created' | 'changed' | 'removed', siteId: string): void {
  c.get('request').log.info(`site.${became}`, `The site ${siteId} was ${became}.`, { siteId })
}

function isRunning(id: string): Refusal {
  return {
    code: 'LOCKED',
    message: `A run of ${id} is going on. Wait for it to end, then remove the site; GET /status?site=${encodeURIComponent(id)} shows how far it is.`,
  }
}

function refusalOf(failure: InvalidSettings | SiteExists | SiteMissing | SiteChanged): Refusal {
  switch (failure.kind) {
    case 'invalid-settings':
      return { code: 'INVALID_INPUT', message: failure.problems.join(' ') }
    case 'site-exists':
      return {
        code: 'ALREADY_EXISTS',
        message: `There is a site "${failure.id}" already. Change it with PUT /api/sites/${encodeURIComponent(failure.id)}, or give the new one an id of its own.`,
      }
    case 'site-missing':
      return {
        code: 'NOT_FOUND',
        message: `There is no site "${failure.id}". GET /api/sites lists those there are.`,
      }
    case 'site-changed':
      return {
        code: 'LOCKED',
        message: `The site "${failure.id}" is being changed by others at the same time. Try again.`,
      }
  }
}
