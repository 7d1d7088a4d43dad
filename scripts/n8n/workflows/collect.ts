import type { Canvas } from '../canvas.ts'
import { LEASE_WIRES, leaseNodes } from '../lease.ts'
import {
  choose,
  code,
  cron,
  guardedCode,
  manual,
  settingsCall,
  sluice,
  TELLS_ERRORS,
} from '../nodes.ts'

const RECORDS = `
// What was claimed, and what became of it so far.
const { statusCode, body, error } = $input.first().json
if (statusCode !== 200) throw new Error('Claiming failed: ' + (body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode))
const ask = body.data.records.map(({ note_id, platform, note_url }) => ({ id: note_id, platform, url: note_url }))
return [{ json: { ask, failed: [], next: ask.length > 0 ? 'fetch' : 'finish' } }]
`

const SORT = `
// Each item for itself: collected, failed, or (nobody tried it) left to the end of the execution, which frees it at no cost.
const { ask, failed } = $('Fetch').first().json
const { statusCode, body, error } = $input.first().json
const failing = (items, error_code) => items.map(({ id, platform }) => ({ platform, note_id: id, error_code }))
const ended = (complete, fail) => [{ json: { ask: [], failed: fail, complete, next: 'write' } }]

if (statusCode === undefined) {
  const message = error?.message ?? ''
  return ended([], [...failed, ...failing(ask, /time/i.test(message) ? 'TIMEOUT_ERROR' : 'NETWORK_ERROR')])
}
if (!Array.isArray(body?.items)) {
  const refused = body?.error ?? { code: 'PLATFORM_ERROR', message: '' }
  // Of the notes only these two speak; a wrong token, a limit, a server that is going: nobody tried them.
  if (statusCode !== 400 && statusCode !== 500) throw new Error('Fetching failed: HTTP ' + statusCode + ' ' + refused.message)
  if (statusCode === 500) return ended([], [...failed, ...failing(ask, refused.code)])
  // Refused as a whole because of one: that one fails, the others are asked for again.
  const number = /items\\[(\\d+)\\]/.exec(refused.message)?.[1]
  const named = ask.filter(({ platform }, i) => number === undefined ? refused.message.includes(platform) : i === Number(number))
  const culprits = named.length > 0 ? named : ask
  const rest = ask.filter((item) => !culprits.includes(item))
  const all = [...failed, ...failing(culprits, refused.code)]
  return rest.length === 0 ? ended([], all) : [{ json: { ask: rest, failed: all, next: 'fetch' } }]
}
// In the order asked: two platforms may have notes of one id.
const answered = ask.map((item, i) => ({ item, ...body.items[i] }))
const complete = answered
  .filter(({ success }) => success)
  .map(({ item, data }) => ({ platform: item.platform, note_id: item.id, note: data }))
const fail = answered
  .filter(({ success, tried }) => !success && tried !== false)
  .flatMap(({ item, error }) => failing([item], error.code))
return ended(complete, [...failed, ...fail])
`

const WRITES = `
const { complete, failed } = $input.first().json
const { execution_id, fence } = $('Acquire').first().json.body.data
const writes = [['complete', complete], ['fail', failed]].filter(([, items]) => items.length > 0)
if (writes.length === 0) return [{ json: { path: 'complete', body: '', next: 'finish' } }]
return writes.map(([path, items]) => ({ json: { path, body: JSON.stringify({ execution_id, fence, items }), next: 'write' } }))
`

const WRITTEN = `
// 207: some were no longer held; each item says so, and nothing of them was written.
for (const { json } of $input.all()) {
  const { statusCode, body, error } = json
  if (statusCode !== 200 && statusCode !== 207) throw new Error('Writing failed: ' + (body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode))
}
return [{ json: { written: $input.all().map(({ json }) => json.body.data.summary) } }]
`

/** SPEC C30: acquire, claim 10, fetch, write each, finish; the lock is given back on every path. */
export const collect: Canvas = {
  id: 'sluice-collect',
  name: 'Sluice · collect',
  publishOrder: 10,
  // Below the 30 minutes after which its lock is taken from it.
  settings: { ...TELLS_ERRORS, executionTimeout: 1_200 },
  nodes: [
    cron('0 */5 * * * *', { name: 'Every 5 minutes', at: [0, 0] }),
    manual({ name: 'By hand', at: [0, 1] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    ...leaseNodes({ workflow: 'collect', lock: 'collect', column: 2, endColumn: 13 }),
    sluice('collect', {
      name: 'Claim',
      at: [4, 0],
      method: 'POST',
      path: '/v1/candidates/claim',
      body: "={{ JSON.stringify({ execution_id: $json.body.data.execution_id, fence: $json.body.data.fence, batch_size: $('Settings').first().json.batch_size }) }}",
    }),
    guardedCode(RECORDS, { name: 'Records', at: [5, 0] }),
    choose('$json.next', ['fetch', 'write', 'finish'], { name: 'Next?', at: [6, 0] }),
    code('return $input.all()', { name: 'Fetch', at: [7, 0] }),
    sluice('collect', {
      name: 'Detail',
      at: [8, 0],
      method: 'POST',
      path: '/v1/notes/detail',
      body: '={{ JSON.stringify({ items: $json.ask }) }}',
      // The API answers within a minute.
      timeoutMs: 75_000,
    }),
    guardedCode(SORT, { name: 'Sort', at: [9, 0] }),
    guardedCode(WRITES, { name: 'Writes', at: [7, 1] }),
    choose('$json.next', ['write'], { name: 'Anything?', at: [8, 1] }),
    sluice('collect', {
      name: 'Write',
      at: [9, 1],
      method: 'POST',
      path: '/v1/candidates/{{ $json.path }}',
      body: '={{ $json.body }}',
    }),
    guardedCode(WRITTEN, { name: 'Written', at: [10, 1] }),
  ],
  wires: [
    ['Every 5 minutes', 'Settings'],
    ['By hand', 'Settings'],
    ...LEASE_WIRES,
    ['Acquired?', 'Claim'],
    ['Claim', 'Records'],
    ['Records', 'Next?'],
    ['Next?', 'Fetch'],
    [['Next?', 1], 'Writes'],
    [['Next?', 2], 'Finish'],
    ['Fetch', 'Detail'],
    ['Detail', 'Sort'],
    ['Sort', 'Next?'],
    ['Writes', 'Anything?'],
    ['Anything?', 'Write'],
    [['Anything?', 1], 'Finish'],
    ['Write', 'Written'],
    ['Written', 'Finish'],
    [['Records', 1], 'Failure'],
    [['Sort', 1], 'Failure'],
    [['Writes', 1], 'Failure'],
    [['Written', 1], 'Failure'],
  ],
}
