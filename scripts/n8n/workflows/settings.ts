import { type Canvas, TYPES } from '../canvas.ts'
import { called, code, KEEPS_NOTHING } from '../nodes.ts'
import { MIRROR_TABLES } from '../tables.ts'

/** What an operator edits, once, for all workflows. No secret: those are credentials. */
const EDIT_HERE = {
  sluice_url: 'http://sluice:8787',
  feishu_url: 'https://open.feishu.cn',
  app_token: 'the token of your Base: what stands after /base/ in its address',
  bot_webhook_url: '',
  backoff_seconds: [5, 15, 45],
  batch_size: 10,
  page_size: 500,
  pages_per_run: 10,
  mirror_days: 0,
}

const TABLES = `
// The mirror's tables: name, then fields as [name, type]; 1 is text, 2 a number, 5 a date.
const tables = ${JSON.stringify(MIRROR_TABLES, null, 1).replaceAll(/\[\s+"(\w+)",\s+(\d)\s+\]/g, '["$1", $2]')}
return [{ json: { ...$input.first().json, tables } }]
`

/** The one place with addresses and numbers. */
export const settings: Canvas = {
  id: 'sluice-settings',
  name: 'Sluice · settings',
  publishOrder: 0,
  settings: KEEPS_NOTHING,
  nodes: [
    called({ name: 'Called', at: [0, 0] }),
    {
      ...TYPES.set,
      name: 'Edit here',
      at: [1, 0],
      parameters: { mode: 'raw', jsonOutput: JSON.stringify(EDIT_HERE, null, 2), options: {} },
    },
    code(TABLES, { name: 'Tables', at: [2, 0] }),
  ],
  wires: [
    ['Called', 'Edit here'],
    ['Edit here', 'Tables'],
  ],
}
