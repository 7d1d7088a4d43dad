/** Pieces of Code that several workflows share: how a row of Sluice is written in Bitable. */

/** `cellsOf(table, fields)`: what Bitable takes. `null` empties a cell. */
export const CELLS = `
const LONGEST_CELL = 100_000
const cellOf = (type, value) => {
  if (value === null || value === undefined) return null
  if (type === 2) return Number(value)
  if (type === 5) return typeof value === 'number' ? value : Date.parse(value)
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST_CELL)
}
const cellsOf = (table, key, fields) =>
  Object.fromEntries(
    settings.tables[table].map(([name, type]) => [name, cellOf(type, name === 'idempotency_key' ? key : fields[name])]),
  )
`

/** `asking({…})`: an item for the workflow that talks to Feishu; `recordsOf(table, call)`: a path. */
export const ASKING = (workflow: string) => `
const settings = $('Settings').first().json
const asking = (method, path, body, fields_kept = true) => ({
  json: {
    feishu_url: settings.feishu_url,
    backoff_seconds: settings.backoff_seconds,
    request_id: 'n8n-${workflow}-' + $execution.id,
    method,
    path: '/open-apis/bitable/v1/apps/' + settings.app_token + '/tables' + path,
    body: body === undefined ? '' : JSON.stringify(body),
    fields_kept,
  },
})
`

/** Answers of Feishu, or the reason why there are none. */
export const ANSWERED = `
const failureOf = ({ outcome, code, msg, attempts }) =>
  outcome === 'done' ? undefined : 'Feishu ' + (outcome === 'refused' ? 'refused' : 'did not answer well after ' + attempts + ' tries') + ': code ' + code + ' ' + msg
const answers = $input.all().map(({ json }) => json)
`

/** Which table has which id. */
export const TABLE_IDS = `
const [tables] = answers
const failure = failureOf(tables ?? { outcome: 'gave-up', code: null, msg: 'no answer', attempts: 0 })
if (failure) throw new Error(failure)
const ids = Object.fromEntries(tables.items.map(({ name, table_id }) => [name, table_id]))
`

/** Bitable gives a text as a string or as parts, by the call. */
export const PLAIN = `
const plain = (cell) => (Array.isArray(cell) ? cell.map((part) => part.text ?? part).join('') : cell ?? null)
`
