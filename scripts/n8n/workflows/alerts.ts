import type { Canvas } from '../canvas.ts'
import {
  call,
  choose,
  code,
  cron,
  manual,
  noOp,
  settingsCall,
  sluice,
  stop,
  TELLS_ERRORS,
} from '../nodes.ts'

const NEWS = `
// Sluice decides when an alert is raised, repeated and resolved; here it is only told once each time.
const { statusCode, body, error } = $input.first().json
if (statusCode !== 200) throw new Error('Sluice gave no alerts: ' + (body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode))
const told = $getWorkflowStaticData('global').told ?? {}
const { alerts } = body.data
const isNews = ({ key, status, notified_at }) => (told[key] ?? '') !== status + ' ' + notified_at
// What was over before anybody looked is no news.
const news = alerts.filter((alert) => isNews(alert) && (alert.status === 'firing' || told[alert.key] !== undefined))
if (news.length === 0) return [{ json: { next: 'quiet' } }]
const text = ({ severity, status, title, cause, advice, count }) =>
  status === 'resolved'
    ? '[' + severity + '] resolved: ' + title
    : '[' + severity + '] ' + title + '\\n' + cause + '\\n' + advice
return news.map((alert) => ({ json: { next: 'tell', key: alert.key, mark: alert.status + ' ' + alert.notified_at, text: text(alert) } }))
`

const REMEMBERED = `
// Only after it was told: a bot that does not answer is asked again in a minute.
const memory = $getWorkflowStaticData('global')
memory.told = { ...memory.told, ...Object.fromEntries($('News').all().map(({ json }) => [json.key, json.mark])) }
return [{ json: { told: Object.keys(memory.told).length } }]
`

/** SPEC C40: what Sluice raised goes to the team's bot, signed. */
export const alerts: Canvas = {
  id: 'sluice-alerts',
  name: 'Sluice · alerts',
  publishOrder: 10,
  settings: { ...TELLS_ERRORS, executionTimeout: 300 },
  nodes: [
    cron('40 * * * * *', { name: 'Every minute', at: [0, 0] }),
    manual({ name: 'By hand', at: [0, 1] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    sluice('alerts', { name: 'Alerts', at: [2, 0], method: 'GET', path: '/v1/alerts' }),
    code(NEWS, { name: 'News', at: [3, 0] }),
    choose('$json.next', ['tell'], { name: 'Any?', at: [4, 0] }),
    call('sluice-notify', { name: 'Notify', at: [5, 0] }),
    code(REMEMBERED, { name: 'Remembered', at: [6, 0] }),
    noOp({ name: 'Nothing new', at: [5, 1] }),
    stop('The alerts were not told: the workflow "Sluice · notify" says why.', {
      name: 'Not told',
      at: [6, 1],
    }),
  ],
  wires: [
    ['Every minute', 'Settings'],
    ['By hand', 'Settings'],
    ['Settings', 'Alerts'],
    ['Alerts', 'News'],
    ['News', 'Any?'],
    ['Any?', 'Notify'],
    [['Any?', 1], 'Nothing new'],
    ['Notify', 'Remembered'],
    [['Notify', 1], 'Not told'],
  ],
}
