import type { Canvas } from '../canvas.ts'
import { LEASE_WIRES, leaseNodes, MIRROR_LOCK } from '../lease.ts'
import { ANSWERED, ASKING, CELLS, PLAIN, TABLE_IDS } from '../mirror.ts'
import {
  call,
  choose,
  cron,
  guardedCode,
  manual,
  settingsCall,
  sluice,
  TELLS_ERRORS,
} from '../nodes.ts'

const WAITING = `
// With nothing to write, nothing is asked of Feishu.
${ASKING('feishu-writer')}
const { statusCode, body, error } = $input.first().json
if (statusCode !== 200) throw new Error('Sluice gave no changes: ' + (body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode))
const { json } = asking('GET', '?page_size=100')
return [{ json: { ...json, next: body.data.entries.length > 0 ? 'write' : 'finish' } }]
`

const CHANGES = `
// Rows are looked up by their key before anything is created.
${ASKING('feishu-writer')}
${ANSWERED}
${TABLE_IDS}
const missing = Object.keys(settings.tables).filter((name) => !ids[name])
if (missing.length > 0) throw new Error('The Base has no ' + missing.join(', ') + '. Run the workflow "Sluice · setup-tables" once.')
const { entries } = $('Page').first().json.body.data
const KEYS_PER_SEARCH = 50
return Object.keys(settings.tables).flatMap((table) => {
  const keys = [...new Set(entries.filter((entry) => entry.table === table).map(({ key }) => key))]
  const searches = []
  for (let start = 0; start < keys.length; start += KEYS_PER_SEARCH) {
    const conditions = keys
      .slice(start, start + KEYS_PER_SEARCH)
      .map((key) => ({ field_name: 'idempotency_key', operator: 'is', value: [key] }))
    const search = { field_names: ['idempotency_key'], filter: { conjunction: 'or', conditions } }
    const { json } = asking('POST', '/' + ids[table] + '/records/search?page_size=500', search)
    searches.push({ json: { ...json, table, table_id: ids[table] } })
  }
  return searches
})
`

const WRITES = `
// The last change of each row is all that matters. At most one request that creates and one that changes for each table. A batch is told from its repeat by the token of its first change.
${ASKING('feishu-writer')}
${CELLS}
${ANSWERED}
${PLAIN}
const searches = $('Changes').all(0).map(({ json }) => json)
const failure = answers.map(failureOf).find(Boolean) ?? (answers.length < searches.length ? 'Feishu was given up' : undefined)
if (failure) throw new Error(failure)
const known = new Map()
answers.forEach(({ items }, i) => {
  for (const { record_id, fields } of items) {
    const name = searches[i].table + ' ' + plain(fields.idempotency_key)
    // Of duplicates the first is kept up to date, as the nightly reconcile keeps it.
    if (!known.has(name)) known.set(name, record_id)
  }
})
const tableIds = new Map(searches.map(({ table, table_id }) => [table, table_id]))
const rows = new Map()
for (const entry of $('Page').first().json.body.data.entries) {
  const name = entry.table + ' ' + entry.key
  rows.set(name, { ...entry, record_id: known.get(name), ids: [...(rows.get(name)?.ids ?? []), entry.id] })
}
const withoutNulls = (cells) => Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== null))
return [...tableIds].flatMap(([table, table_id]) => {
  const own = [...rows.values()].filter((row) => row.table === table)
  const created = own.filter(({ record_id }) => record_id === undefined)
  const changed = own.filter(({ record_id }) => record_id !== undefined)
  const path = '/' + table_id + '/records/'
  const create = () => asking('POST', path + 'batch_create?client_token=' + created[0].client_token, {
    records: created.map(({ key, fields }) => ({ fields: withoutNulls(cellsOf(table, key, fields)) })),
  }, false)
  const change = () => asking('POST', path + 'batch_update', {
    records: changed.map(({ record_id, key, fields }) => ({ record_id, fields: cellsOf(table, key, fields) })),
  }, false)
  const done = (rows) => rows.flatMap((row) => row.ids)
  return [
    ...(created.length > 0 ? [{ json: { ...create().json, ids: done(created), created: created.length } }] : []),
    ...(changed.length > 0 ? [{ json: { ...change().json, ids: done(changed) } }] : []),
  ]
})
`

const WRITTEN = `
// What Bitable has is acknowledged, whatever became of the rest.
${ANSWERED}
const writes = $('Writes').all(0).map(({ json }) => json)
// Fewer rows than were sent: nobody knows which. The next run looks them up.
const shortOf = ({ created }, answer) =>
  answer?.outcome === 'done' && created !== undefined && answer.count !== created
    ? 'Feishu created ' + answer.count + ' of ' + created + ' rows; the next run looks them up.'
    : undefined
const failure = answers.map(failureOf).find(Boolean) ?? writes.map((write, i) => shortOf(write, answers[i])).find(Boolean) ?? null
const ids = writes.flatMap((write, i) => (answers[i]?.outcome === 'done' && !shortOf(write, answers[i]) ? write.ids : []))
if (ids.length === 0) throw new Error(failure)
return [{ json: { ids, failure } }]
`

const ACKNOWLEDGED = `
const { statusCode, body, error } = $input.first().json
if (statusCode !== 200) throw new Error('Sluice did not take the acknowledgement: ' + (body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode))
const { failure } = $('Written').first(0).json
if (failure) throw new Error(failure)
const pages = $runIndex + 1
const { pages_per_run } = $('Settings').first().json
const isMore = body.data.depth > 0 && pages < pages_per_run
return [{ json: { acknowledged: body.data.acknowledged, depth: body.data.depth, next: isMore ? 'more' : 'finish' } }]
`

const STILL_HELD = `
const { statusCode, body, error } = $input.first().json
if (statusCode !== 200) throw new Error('The lock is lost: ' + (body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode))
return [{ json: {} }]
`

/** SPEC C01, C30: the one who writes Bitable, a page of the outbox at a time, and acknowledges what is there. */
export const feishuWriter: Canvas = {
  id: 'sluice-feishu-writer',
  name: 'Sluice · feishu-writer',
  publishOrder: 10,
  // Below the 30 minutes after which its lock is taken from it: nobody else writes while it may still.
  settings: { ...TELLS_ERRORS, executionTimeout: 1_500 },
  nodes: [
    cron('0 * * * * *', { name: 'Every minute', at: [0, 0] }),
    manual({ name: 'By hand', at: [0, 1] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    ...leaseNodes({ workflow: 'feishu-writer', lock: MIRROR_LOCK, column: 2, endColumn: 17 }),
    sluice('feishu-writer', {
      name: 'Page',
      at: [4, 0],
      method: 'GET',
      path: "/v1/outbox?limit={{ $('Settings').first().json.page_size }}",
    }),
    guardedCode(WAITING, { name: 'Waiting', at: [5, 0] }),
    choose('$json.next', ['write'], { name: 'Any?', at: [6, 0] }),
    call('sluice-feishu', { name: 'Tables', at: [7, 0] }),
    guardedCode(CHANGES, { name: 'Changes', at: [8, 0] }),
    call('sluice-feishu', { name: 'Look up', at: [9, 0] }),
    guardedCode(WRITES, { name: 'Writes', at: [10, 0] }),
    call('sluice-feishu', { name: 'Write', at: [11, 0] }),
    guardedCode(WRITTEN, { name: 'Written', at: [12, 0] }),
    sluice('feishu-writer', {
      name: 'Ack',
      at: [13, 0],
      method: 'POST',
      path: '/v1/outbox/ack',
      body: '={{ JSON.stringify({ ids: $json.ids }) }}',
    }),
    guardedCode(ACKNOWLEDGED, { name: 'Acknowledged', at: [14, 0] }),
    choose('$json.next', ['more'], { name: 'More?', at: [15, 0] }),
    sluice('feishu-writer', {
      name: 'Heartbeat',
      at: [6, 1],
      method: 'PUT',
      path: "/v1/executions/{{ $('Acquire').first().json.body.data.execution_id }}/heartbeat",
    }),
    guardedCode(STILL_HELD, { name: 'Still held', at: [5, 1] }),
  ],
  wires: [
    ['Every minute', 'Settings'],
    ['By hand', 'Settings'],
    ...LEASE_WIRES,
    ['Acquired?', 'Page'],
    ['Page', 'Waiting'],
    ['Waiting', 'Any?'],
    ['Any?', 'Tables'],
    [['Any?', 1], 'Finish'],
    ['Tables', 'Changes'],
    ['Changes', 'Look up'],
    ['Look up', 'Writes'],
    ['Writes', 'Write'],
    ['Write', 'Written'],
    ['Written', 'Ack'],
    ['Ack', 'Acknowledged'],
    ['Acknowledged', 'More?'],
    ['More?', 'Heartbeat'],
    [['More?', 1], 'Finish'],
    ['Heartbeat', 'Still held'],
    ['Still held', 'Page'],
    ...[
      'Waiting',
      'Tables',
      'Changes',
      'Look up',
      'Writes',
      'Write',
      'Written',
      'Acknowledged',
      'Still held',
    ].map((name) => [[name, 1], 'Failure'] as const),
  ],
}
