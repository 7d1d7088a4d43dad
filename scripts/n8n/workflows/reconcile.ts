import type { Canvas } from '../canvas.ts'
import { LEASE_WIRES, leaseNodes, MIRROR_LOCK } from '../lease.ts'
import { ANSWERED, ASKING, CELLS, PLAIN, TABLE_IDS } from '../mirror.ts'
import {
  call,
  choose,
  code,
  cron,
  guardedCode,
  manual,
  settingsCall,
  sluice,
  TELLS_ERRORS,
} from '../nodes.ts'

const READING = `
// What is read of Sluice, one after the other; the changes that still wait are the writer's.
return [{ json: { kind: 'outbox', path: '/v1/outbox?limit=1000' } }]
`

const READ = `
const { kind } = $('Reading').first().json
const { statusCode, body, error } = $input.first().json
if (statusCode !== 200) throw new Error('Sluice gave no ' + kind + ': ' + (body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode))
const PAGE = 1000
const { data } = body
const rowsOf = {
  outbox: () => data.entries.map(({ table, key }) => ({ table, key })),
  executions: () =>
    data.executions
      .filter(({ workflow_name }) => !workflow_name.startsWith('mirror:'))
      .map((fields) => ({ table: 'tbl_crawl_execution', key: fields.execution_id, fields, isMoving: fields.status === 'running' })),
  candidates: () =>
    data.candidates.map((fields) => ({
      table: 'tbl_candidate', key: fields.platform + ':' + fields.note_id, fields, isMoving: fields.status === 'processing',
    })),
  sources: () =>
    data.sources.map(({ note, position, ...own }) => ({ table: 'tbl_source', key: own.idempotency_key, fields: { ...note, ...own } })),
}
const rows = rowsOf[kind]()
const isMore = rows.length === PAGE && (kind === 'candidates' || kind === 'sources')
const nextOf = {
  outbox: { kind: 'executions', path: '/v1/executions?limit=1000' },
  executions: { kind: 'candidates', path: '/v1/candidates?limit=1000' },
  candidates: isMore
    ? { kind, path: '/v1/candidates?limit=1000&after=' + encodeURIComponent(rows.at(-1).key) }
    : { kind: 'sources', path: '/v1/sources?limit=1000' },
  sources: isMore ? { kind, path: '/v1/sources?limit=1000&since=' + data.next } : { kind: 'all' },
}
return [{ json: { rows, run: $runIndex, ...nextOf[kind], read: kind, next: nextOf[kind].kind === 'all' ? 'compare' : 'read' } }]
`

const NEXT = `
const { kind, path } = $input.first().json
return [{ json: { kind, path } }]
`

const LIST = `
${ASKING('reconcile')}
return [asking('GET', '?page_size=100')]
`

const LISTS = `
${ASKING('reconcile')}
${ANSWERED}
${TABLE_IDS}
const missing = Object.keys(settings.tables).filter((name) => !ids[name])
if (missing.length > 0) throw new Error('The Base has no ' + missing.join(', ') + '. Run the workflow "Sluice · setup-tables" once.')
return Object.keys(settings.tables).map((table) => {
  const { json } = asking('POST', '/' + ids[table] + '/records/search?page_size=500', {})
  return { json: { ...json, table, table_id: ids[table] } }
})
`

const COMPARE = `
// Sluice is right. Of rows with one key the first stays; a row that is missing or differs is written; what Sluice does not know is told and left.
${ASKING('reconcile')}
${CELLS}
${ANSWERED}
${PLAIN}
const lists = $('Lists').all(0).map(({ json }) => json)
const failure = answers.map(failureOf).find(Boolean) ?? (answers.length < lists.length ? 'Feishu was given up' : undefined)
if (failure) throw new Error(failure)

const wanted = new Map()
const waiting = new Set()
for (let run = 0; run <= $('Read').first(0).json.run; run++) {
  const { read, rows } = $('Read').first(0, run).json
  for (const row of rows) {
    const name = row.table + ' ' + row.key
    if (read === 'outbox') waiting.add(name)
    else wanted.set(name, row)
  }
}

// What people took out of a full Base stays out: a row older than mirror_days is not missed. A candidate is as old as its note.
const oldest = settings.mirror_days > 0 ? Date.now() - settings.mirror_days * 86_400_000 : 0
const collectedAt = new Map(
  [...wanted.values()]
    .filter(({ table }) => table === 'tbl_source')
    .map(({ fields }) => [fields.platform + ':' + fields.note_id, fields.created_at]),
)
const bornAt = {
  tbl_source: ({ fields }) => fields.created_at,
  tbl_candidate: ({ key }) => collectedAt.get(key),
  tbl_crawl_execution: ({ fields }) => fields.started_at,
}
const isOld = (row) => Date.parse(bornAt[row.table]?.(row)) < oldest

// Written at every turn without a change of the row, so never the same in the mirror.
const NOT_COMPARED = ['heartbeat_at', 'exec_meta', 'locked_at', 'processing_lock']
const isSame = (table, cells, shown) =>
  settings.tables[table].every(([name]) => NOT_COMPARED.includes(name) || String(cells[name] ?? '') === String(plain(shown[name]) ?? ''))
const withoutNulls = (cells) => Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== null))
const chunks = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
const LARGEST_BATCH = 500
// Names one batch: when its answer is lost, the repeat creates nothing.
const uuid = () => 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(Math.random() * 16).toString(16))

const report = { duplicates: 0, missing: 0, drifted: 0, unknown: 0 }
const asks = lists.flatMap(({ table, table_id }, i) => {
  const seen = new Map()
  const superfluous = []
  for (const { record_id, fields } of answers[i].items) {
    const key = plain(fields.idempotency_key)
    // Without a key: a person's row, which candidates-in will take.
    if (!key) continue
    if (seen.has(key)) superfluous.push(record_id)
    else seen.set(key, { record_id, fields })
  }
  const own = [...wanted.values()].filter((row) => row.table === table && !waiting.has(table + ' ' + row.key))
  const missing = own.filter((row) => !seen.has(row.key) && !isOld(row))
  const drifted = own.filter(({ key, fields, isMoving }) => seen.has(key) && !isMoving && !isSame(table, cellsOf(table, key, fields), seen.get(key).fields))
  if (table === 'tbl_source' || table === 'tbl_candidate') {
    report.unknown += [...seen.keys()].filter((key) => !wanted.has(table + ' ' + key) && !waiting.has(table + ' ' + key)).length
  }
  report.duplicates += superfluous.length
  report.missing += missing.length
  report.drifted += drifted.length
  const path = '/' + table_id + '/records/'
  return [
    ...chunks(superfluous, LARGEST_BATCH).map((records) => asking('POST', path + 'batch_delete', { records }, false)),
    ...chunks(missing, LARGEST_BATCH).map((rows) =>
      asking('POST', path + 'batch_create?client_token=' + uuid(), { records: rows.map(({ key, fields }) => ({ fields: withoutNulls(cellsOf(table, key, fields)) })) }, false),
    ),
    ...chunks(drifted, LARGEST_BATCH).map((rows) =>
      asking('POST', path + 'batch_update', {
        records: rows.map(({ key, fields }) => ({ record_id: seen.get(key).record_id, fields: cellsOf(table, key, fields) })),
      }, false),
    ),
  ]
})
if (asks.length === 0) return [{ json: { next: 'nothing', report } }]
return asks.map(({ json }) => ({ json: { ...json, next: 'repair', report } }))
`

const REPAIRED = `
${ANSWERED}
const asked = $('Compare').all(0)
const failure = answers.map(failureOf).find(Boolean) ?? (answers.length < asked.length ? 'Feishu was given up' : undefined)
if (failure) throw new Error(failure)
return [{ json: { report: asked[0].json.report } }]
`

const REPORT = `
const { duplicates, missing, drifted, unknown } = $('Compare').first(0).json.report
const total = duplicates + missing + drifted + unknown
const text = 'Reconciled the Base with Sluice: ' + duplicates + ' duplicates removed, ' + missing + ' missing rows written, ' +
  drifted + ' differing rows mended, ' + unknown + ' rows that Sluice does not know left alone.'
return [{ json: { text, next: total > 0 ? 'tell' : 'quiet' } }]
`

/** Nightly: what a lost answer, a crash or a hand has done to the mirror is found, mended and told. */
export const reconcile: Canvas = {
  id: 'sluice-reconcile',
  name: 'Sluice · reconcile',
  publishOrder: 10,
  settings: { ...TELLS_ERRORS, executionTimeout: 1_500 },
  nodes: [
    cron('15 17 3 * * *', { name: 'Nightly', at: [0, 0] }),
    manual({ name: 'By hand', at: [0, 1] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    ...leaseNodes({ workflow: 'reconcile', lock: MIRROR_LOCK, column: 2, endColumn: 17 }),
    guardedCode(READING, { name: 'Begin', at: [4, 0] }),
    code(NEXT, { name: 'Reading', at: [5, 0] }),
    sluice('reconcile', {
      name: 'Ask Sluice',
      at: [6, 0],
      method: 'GET',
      path: '{{ $json.path }}',
    }),
    guardedCode(READ, { name: 'Read', at: [7, 0] }),
    choose('$json.next', ['read', 'compare'], { name: 'More?', at: [8, 0] }),
    guardedCode(LIST, { name: 'List', at: [9, 0] }),
    call('sluice-feishu', { name: 'Tables', at: [10, 0] }),
    guardedCode(LISTS, { name: 'Lists', at: [11, 0] }),
    call('sluice-feishu', { name: 'All rows', at: [12, 0] }),
    guardedCode(COMPARE, { name: 'Compare', at: [13, 0] }),
    choose('$json.next', ['repair'], { name: 'Any?', at: [14, 0] }),
    call('sluice-feishu', { name: 'Repair', at: [15, 0] }),
    guardedCode(REPAIRED, { name: 'Repaired', at: [16, 0] }),
    code(REPORT, { name: 'Report', at: [21, 0] }),
    choose('$json.next', ['tell'], { name: 'Worth telling?', at: [22, 0] }),
    call('sluice-notify', { name: 'Notify', at: [23, 0] }),
  ],
  wires: [
    ['Nightly', 'Settings'],
    ['By hand', 'Settings'],
    ...LEASE_WIRES,
    ['Acquired?', 'Begin'],
    ['Begin', 'Reading'],
    ['Reading', 'Ask Sluice'],
    ['Ask Sluice', 'Read'],
    ['Read', 'More?'],
    ['More?', 'Reading'],
    [['More?', 1], 'List'],
    ['List', 'Tables'],
    ['Tables', 'Lists'],
    ['Lists', 'All rows'],
    ['All rows', 'Compare'],
    ['Compare', 'Any?'],
    ['Any?', 'Repair'],
    [['Any?', 1], 'Finish'],
    ['Repair', 'Repaired'],
    ['Repaired', 'Finish'],
    ['Done', 'Report'],
    ['Report', 'Worth telling?'],
    ['Worth telling?', 'Notify'],
    ...[
      'Begin',
      'Read',
      'List',
      'Tables',
      'Lists',
      'All rows',
      'Compare',
      'Repair',
      'Repaired',
    ].map((name) => [[name, 1], 'Failure'] as const),
  ],
}
