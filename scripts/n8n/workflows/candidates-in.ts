import type { Canvas } from '../canvas.ts'
import { LEASE_WIRES, leaseNodes, MIRROR_LOCK } from '../lease.ts'
import { ANSWERED, ASKING, PLAIN, TABLE_IDS } from '../mirror.ts'
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

const LIST = `
${ASKING('candidates-in')}
return [asking('GET', '?page_size=100')]
`

const NEW_ROWS = `
// A person's row has no key yet: every row that the mirror wrote has one. One that was refused waits until its error code is cleared.
${ASKING('candidates-in')}
${ANSWERED}
${TABLE_IDS}
if (!ids.tbl_candidate) throw new Error('The Base has no tbl_candidate. Run the workflow "Sluice · setup-tables" once.')
const conditions = [['idempotency_key', 'isEmpty'], ['last_error_code', 'isEmpty'], ['note_url', 'isNotEmpty']]
  .map(([field_name, operator]) => ({ field_name, operator, value: [] }))
const { json } = asking('POST', '/' + ids.tbl_candidate + '/records/search?page_size=500', {
  field_names: ['note_id', 'platform', 'note_url', 'source_keyword'],
  filter: { conjunction: 'and', conditions },
})
return [{ json: { ...json, table_id: ids.tbl_candidate } }]
`

const ROWS = `
${ANSWERED}
${PLAIN}
const [found] = answers
const failure = failureOf(found)
if (failure) throw new Error(failure)
if (found.items.length === 0) return [{ json: { next: 'finish' } }]
const text = (cell) => String(plain(cell) ?? '').trim()
// All are marked in one write, and Bitable takes a thousand: the next run takes the others.
const ROWS_PER_RUN = 500
return found.items.slice(0, ROWS_PER_RUN).map(({ record_id, fields }) => {
  const item = { platform: text(fields.platform), note_url: text(fields.note_url), note_id: text(fields.note_id), source_keyword: text(fields.source_keyword) }
  // What is empty is left out: the address may tell it.
  const items = [Object.fromEntries(Object.entries(item).filter(([, value]) => value !== ''))]
  return { json: { next: 'add', record_id, body: JSON.stringify({ items }) } }
})
`

const MARKS = `
// Taken over: the row gets its key, so that the mirror finds it. Refused: the row says so.
${ASKING('candidates-in')}
const rows = $('Rows').all(0).map(({ json }) => json)
const { table_id } = $('New rows').first(0).json
const records = $input.all().flatMap(({ json: { statusCode, body } }, i) => {
  const { record_id } = rows[i]
  if (statusCode === 200) {
    const [{ platform, note_id }] = body.data.items
    const fields = { idempotency_key: platform + ':' + note_id, note_id, status: 'pending', retry_count: 0 }
    return [{ record_id, fields }]
  }
  if (statusCode !== 400) return []
  return [{ record_id, fields: { status: 'failed', last_error_code: body.error.code, exec_meta: body.error.message } }]
})
const isAll = records.length === rows.length
if (records.length === 0) throw new Error('Sluice took no row: ' + ($input.first().json.error?.message ?? 'HTTP ' + $input.first().json.statusCode))
const { json } = asking('POST', '/' + table_id + '/records/batch_update', { records }, false)
return [{ json: { ...json, isAll } }]
`

const MARKED = `
${ANSWERED}
const failure = failureOf(answers[0]) ?? ($('Marks').first(0).json.isAll ? undefined : 'Sluice did not answer for every row; the others are asked for again.')
if (failure) throw new Error(failure)
return [{ json: { rows: answers[0].count } }]
`

/**
 * Rows that people add to the Base become candidates. Under the mirror's lock: were the outbox written between the adding and
 * the key, the row would be there twice.
 */
export const candidatesIn: Canvas = {
  id: 'sluice-candidates-in',
  name: 'Sluice · candidates-in',
  publishOrder: 10,
  settings: { ...TELLS_ERRORS, executionTimeout: 1_200 },
  nodes: [
    cron('30 */2 * * * *', { name: 'Every 2 minutes', at: [0, 0] }),
    manual({ name: 'By hand', at: [0, 1] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    ...leaseNodes({ workflow: 'candidates-in', lock: MIRROR_LOCK, column: 2, endColumn: 15 }),
    guardedCode(LIST, { name: 'List', at: [4, 0] }),
    call('sluice-feishu', { name: 'Tables', at: [5, 0] }),
    guardedCode(NEW_ROWS, { name: 'New rows', at: [6, 0] }),
    call('sluice-feishu', { name: 'Search', at: [7, 0] }),
    guardedCode(ROWS, { name: 'Rows', at: [8, 0] }),
    choose('$json.next', ['add'], { name: 'Any?', at: [9, 0] }),
    // One row a request: a row that cannot be taken stops no other.
    sluice('candidates-in', {
      name: 'Add',
      at: [10, 0],
      method: 'POST',
      path: '/v1/candidates',
      body: '={{ $json.body }}',
    }),
    guardedCode(MARKS, { name: 'Marks', at: [11, 0] }),
    call('sluice-feishu', { name: 'Mark', at: [12, 0] }),
    guardedCode(MARKED, { name: 'Marked', at: [13, 0] }),
  ],
  wires: [
    ['Every 2 minutes', 'Settings'],
    ['By hand', 'Settings'],
    ...LEASE_WIRES,
    ['Acquired?', 'List'],
    ['List', 'Tables'],
    ['Tables', 'New rows'],
    ['New rows', 'Search'],
    ['Search', 'Rows'],
    ['Rows', 'Any?'],
    ['Any?', 'Add'],
    [['Any?', 1], 'Finish'],
    ['Add', 'Marks'],
    ['Marks', 'Mark'],
    ['Mark', 'Marked'],
    ['Marked', 'Finish'],
    ...['List', 'Tables', 'New rows', 'Search', 'Rows', 'Marks', 'Mark', 'Marked'].map(
      (name) => [[name, 1], 'Failure'] as const,
    ),
  ],
}
