import { refuse } from '../http/envelope.ts'
import type { RouteModule } from '../http/http-env.ts'
import { addOperation, NO_QUERY } from '../http/operation.ts'
import { RUNS_KEPT_PER_SITE, type Run } from '../stores/run-store.ts'
import type { SubmitStores } from '../stores/stores.ts'
import { siteMissing } from '../submit/http/site-parameter.ts'
import { asTheyAre, shownRun } from '../submit/shown-run.ts'

const COLUMNS = [
  'id',
  'startedAt',
  'finishedAt',
  'status',
  'trigger',
  'total',
  'new',
  'cached',
  'submitted',
  'failed',
  'deleted',
  'invalid',
] as const

export const CSV_TYPE = 'text/csv; charset=utf-8'

const RUNS_CSV = {
  methods: ['get'],
  path: '/api/sites/:id/runs.csv',
  access: 'read',
  subject: 'Runs',
  summary: 'The runs of a site as a table',
  query: NO_QUERY,
  status: 200,
  media: 'text/csv',
  answer: {},
  refusals: ['NOT_FOUND'],
} as const

export function runsCsvRoutes(stores: SubmitStores): RouteModule {
  return (app) => {
    addOperation(app, RUNS_CSV, async (c) => {
      const id = c.req.param('id') ?? ''
      if (!(await stores.sites.get(id))) return refuse(c, siteMissing(id))
      return c.body(await runsCsv(id, stores), 200, { 'Content-Type': CSV_TYPE })
    })
  }
}

/** The kept runs of a site, newest first, a line each (RFC 4180). */
export async function runsCsv(siteId: string, stores: SubmitStores): Promise<string> {
  const runs = await asTheyAre(await stores.runs.list(siteId, RUNS_KEPT_PER_SITE), stores)
  const head = [...COLUMNS, 'bingSuccessful', 'bingFailed', 'errors', 'warnings']
  return [head, ...runs.map(rowOf)].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function rowOf(run: Run): readonly (string | number | null)[] {
  const shown = shownRun(run)
  return [
    ...COLUMNS.map((column) => shown[column]),
    run.bing?.successful ?? null,
    run.bing?.failed ?? null,
    run.errors.join(' | '),
    run.warnings.join(' | '),
  ]
}

/** A cell that begins as a formula would be one in a spreadsheet, and errors quote what strangers answered. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
