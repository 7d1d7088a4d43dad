import { type Canvas, workflowOf } from './canvas.ts'
import { alerts } from './workflows/alerts.ts'
import { candidatesIn } from './workflows/candidates-in.ts'
import { collect } from './workflows/collect.ts'
import { error } from './workflows/error.ts'
import { feishuWriter } from './workflows/feishu-writer.ts'
import { feishu } from './workflows/feishu.ts'
import { notify } from './workflows/notify.ts'
import { reconcile } from './workflows/reconcile.ts'
import { recover } from './workflows/recover.ts'
import { settings } from './workflows/settings.ts'
import { setupTables } from './workflows/setup-tables.ts'

const CANVASES: readonly Canvas[] = [
  settings,
  feishu,
  notify,
  error,
  collect,
  feishuWriter,
  candidatesIn,
  alerts,
  recover,
  reconcile,
  setupTables,
]

/** Every file of n8n/workflows, by its name, with its text. */
export function workflowFiles(): ReadonlyMap<string, string> {
  return new Map(
    CANVASES.map((canvas) => [
      `${canvas.id.replace(/^sluice-/, '')}.json`,
      `${JSON.stringify(workflowOf(canvas), null, 2)}\n`,
    ]),
  )
}
