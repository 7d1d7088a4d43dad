import { type Canvas, TYPES } from '../canvas.ts'
import { call, choose, code, noOp } from '../nodes.ts'

const WHAT_FAILED = `
// Only named fields, and never a token or an address with its query.
const { workflow, execution, trigger } = $input.first().json
const message = String(execution?.error?.message ?? trigger?.error?.message ?? 'It did not say why.')
  .replace(/\\?[^\\s"')]*/g, '')
  .replace(/Bearer\\s+\\S+/gi, 'Bearer ***REDACTED***')
  .slice(0, 500)
// The same failure every minute is one message an hour.
const told = $getWorkflowStaticData('global')
const key = workflow.id + ' ' + message
const hour = Math.floor(Date.now() / 3_600_000)
const next = told[key] === hour ? 'known' : 'tell'
const where = execution?.lastNodeExecuted ? ' in "' + execution.lastNodeExecuted + '"' : ''
const text = 'n8n: ' + workflow.name + ' failed' + where + ' (execution ' + (execution?.id ?? 'none') + ').\\n' + message
return [{ json: { text, next, key, hour } }]
`

const TOLD = `
// Only now: what the bot did not take is told when it fails again.
const { key, hour } = $('What failed').first().json
const told = $getWorkflowStaticData('global')
for (const old of Object.keys(told)) if (told[old] !== hour) delete told[old]
told[key] = hour
return [{ json: { told: key } }]
`

/** The error workflow of all others. Unpublished it is silent. */
export const error: Canvas = {
  id: 'sluice-error',
  name: 'Sluice · error',
  publishOrder: 2,
  nodes: [
    { ...TYPES.failed, name: 'A workflow failed', at: [0, 0], parameters: {} },
    code(WHAT_FAILED, { name: 'What failed', at: [1, 0] }),
    choose('$json.next', ['tell'], { name: 'New?', at: [2, 0] }),
    call('sluice-notify', { name: 'Notify', at: [3, 0] }),
    noOp({ name: 'Told already', at: [3, 1] }),
    code(TOLD, { name: 'Told', at: [4, 0] }),
  ],
  wires: [
    ['A workflow failed', 'What failed'],
    ['What failed', 'New?'],
    ['New?', 'Notify'],
    [['New?', 1], 'Told already'],
    ['Notify', 'Told'],
  ],
}
