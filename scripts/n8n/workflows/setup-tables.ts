import type { Canvas } from '../canvas.ts'
import { LEASE_WIRES, leaseNodes, MIRROR_LOCK } from '../lease.ts'
import { ANSWERED, ASKING, TABLE_IDS } from '../mirror.ts'
import { call, choose, guardedCode, manual, settingsCall, TELLS_ERRORS } from '../nodes.ts'

const LIST = `
${ASKING('setup-tables')}
return [asking('GET', '?page_size=100')]
`

const MISSING_TABLES = `
${ASKING('setup-tables')}
${ANSWERED}
${TABLE_IDS}
const asks = Object.entries(settings.tables).map(([name, fields]) =>
  ids[name]
    ? asking('GET', '/' + ids[name] + '/fields?page_size=100')
    : asking('POST', '', { table: { name, fields: fields.map(([field_name, type]) => ({ field_name, type })) } }),
)
return asks.map(({ json }, i) => ({ json: { ...json, table: Object.keys(settings.tables)[i], table_id: ids[Object.keys(settings.tables)[i]] ?? null } }))
`

const MISSING_FIELDS = `
${ASKING('setup-tables')}
${ANSWERED}
const asked = $('Missing tables').all(0).map(({ json }) => json)
const failure = answers.map(failureOf).find(Boolean) ?? (answers.length < asked.length ? 'Feishu was given up' : undefined)
if (failure) throw new Error(failure)
const asks = asked.flatMap(({ table, table_id }, i) => {
  if (table_id === null) return []
  const there = new Set(answers[i].items.map(({ field_name }) => field_name))
  return settings.tables[table]
    .filter(([name]) => !there.has(name))
    .map(([field_name, type]) => asking('POST', '/' + table_id + '/fields', { field_name, type }))
})
return asks.length > 0 ? asks.map(({ json }) => ({ json: { ...json, next: 'ask' } })) : [{ json: { next: 'finish' } }]
`

const MADE = `
${ANSWERED}
const failure = answers.map(failureOf).find(Boolean)
if (failure) throw new Error(failure)
return [{ json: { fields_made: answers.length } }]
`

/** SPEC C09: makes the mirror's tables, and the fields that a table of that name lacks; changes nothing that is there. */
export const setupTables: Canvas = {
  id: 'sluice-setup-tables',
  name: 'Sluice · setup-tables',
  publishOrder: 10,
  settings: { ...TELLS_ERRORS, executionTimeout: 1_200 },
  nodes: [
    manual({ name: 'By hand', at: [0, 0] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    ...leaseNodes({ workflow: 'setup-tables', lock: MIRROR_LOCK, column: 2, endColumn: 13 }),
    guardedCode(LIST, { name: 'List', at: [4, 0] }),
    call('sluice-feishu', { name: 'Tables', at: [5, 0] }),
    guardedCode(MISSING_TABLES, { name: 'Missing tables', at: [6, 0] }),
    call('sluice-feishu', { name: 'Make tables', at: [7, 0] }),
    guardedCode(MISSING_FIELDS, { name: 'Missing fields', at: [8, 0] }),
    choose('$json.next', ['ask'], { name: 'Any?', at: [9, 0] }),
    call('sluice-feishu', { name: 'Make fields', at: [10, 0] }),
    guardedCode(MADE, { name: 'Made', at: [11, 0] }),
  ],
  wires: [
    ['By hand', 'Settings'],
    ...LEASE_WIRES,
    ['Acquired?', 'List'],
    ['List', 'Tables'],
    ['Tables', 'Missing tables'],
    ['Missing tables', 'Make tables'],
    ['Make tables', 'Missing fields'],
    ['Missing fields', 'Any?'],
    ['Any?', 'Make fields'],
    [['Any?', 1], 'Finish'],
    ['Make fields', 'Made'],
    ['Made', 'Finish'],
    ...[
      'List',
      'Tables',
      'Missing tables',
      'Make tables',
      'Missing fields',
      'Make fields',
      'Made',
    ].map((name) => [[name, 1], 'Failure'] as const),
  ],
}
