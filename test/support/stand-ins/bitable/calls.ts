import type { SeenRequest } from '../stand-in.ts'

const BASE = '/open-apis/bitable/v1/apps/:app/tables'
const RECORDS = `${BASE}/:table/records`

/** Every call that Bitable understands here: where it goes, and how many a second the reference allows. */
const CALLS = {
  token: ['POST', '/open-apis/auth/v3/tenant_access_token/internal', 100],
  'list-tables': ['GET', BASE, 20],
  'create-table': ['POST', BASE, 10],
  'list-fields': ['GET', `${BASE}/:table/fields`, 20],
  'create-field': ['POST', `${BASE}/:table/fields`, 10],
  'create-record': ['POST', RECORDS, 50],
  'list-records': ['GET', RECORDS, 20],
  'batch-create': ['POST', `${RECORDS}/batch_create`, 50],
  'batch-update': ['POST', `${RECORDS}/batch_update`, 50],
  'batch-delete': ['POST', `${RECORDS}/batch_delete`, 50],
  'batch-get': ['POST', `${RECORDS}/batch_get`, 20],
  search: ['POST', `${RECORDS}/search`, 20],
  'get-record': ['GET', `${RECORDS}/:record`, 20],
  'update-record': ['PUT', `${RECORDS}/:record`, 50],
  'delete-record': ['DELETE', `${RECORDS}/:record`, 50],
} as const satisfies Record<string, readonly [method: string, path: string, perSecond: number]>

export type CallName = keyof typeof CALLS

export interface Call {
  readonly name: CallName
  readonly perSecond: number
  readonly app: string
  readonly table: string
  readonly record: string
  readonly query: URLSearchParams
  readonly request: SeenRequest
}

/** What changes records or fields of a table: two at once on one table are a conflict. */
export const TABLE_WRITES = [
  'create-field',
  'create-record',
  'batch-create',
  'update-record',
  'batch-update',
  'delete-record',
  'batch-delete',
] as const satisfies readonly CallName[]

const PATTERNS = Object.entries(CALLS).map(([name, [method, path, perSecond]]) => ({
  name: name as CallName,
  method,
  perSecond,
  path: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}))

export function callOf(request: SeenRequest): Call | undefined {
  const url = URL.parse(request.target, 'http://bitable')
  if (!url) return
  for (const { name, method, perSecond, path } of PATTERNS) {
    const found = request.method === method ? path.exec(url.pathname) : null
    if (!found) continue
    const { app = '', table = '', record = '' } = found.groups ?? {}
    return { name, perSecond, app, table, record, query: url.searchParams, request }
  }
}
