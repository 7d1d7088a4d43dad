import type { Canvas } from '../canvas.ts'
import { choose, cron, manual, noOp, settingsCall, sluice, stop, TELLS_ERRORS } from '../nodes.ts'

/** SPEC C05: what a dead execution held goes back. Sluice does it in one transaction, so this needs no lock. */
export const recover: Canvas = {
  id: 'sluice-recover',
  name: 'Sluice · recover',
  publishOrder: 10,
  settings: { ...TELLS_ERRORS, executionTimeout: 300 },
  nodes: [
    cron('20 */15 * * * *', { name: 'Every 15 minutes', at: [0, 0] }),
    manual({ name: 'By hand', at: [0, 1] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    sluice('recover', { name: 'Recover', at: [2, 0], method: 'POST', path: '/v1/recover' }),
    choose('$json.statusCode', ['200'], { name: 'Recovered?', at: [3, 0] }),
    noOp({ name: 'Done', at: [4, 0] }),
    stop('=Recovering failed: {{ $json.body?.error?.message ?? $json.error?.message }}', {
      name: 'Failed',
      at: [4, 1],
    }),
  ],
  wires: [
    ['Every 15 minutes', 'Settings'],
    ['By hand', 'Settings'],
    ['Settings', 'Recover'],
    ['Recover', 'Recovered?'],
    ['Recovered?', 'Done'],
    [['Recovered?', 1], 'Failed'],
  ],
}
