import { html } from 'hono/html'
import { utcDayOf, utcDaysUntil } from '../../core/utc-day.ts'
import type { HttpApp } from '../../http/http-env.ts'
import type { Execution } from '../../stores/execution-store.ts'
import type { CollectDeps, DashboardDeps } from '../deps.ts'
import { figure, type Plot } from '../figure.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { addPage, type Call } from '../page.ts'
import { empty, pill, type PillKind, table, tiles, time } from '../parts.ts'
import { candidatesSection } from './candidates.ts'
import { beginsToday, censusPlots } from './census-plots.ts'
import { collectTabs } from './collect-tabs.ts'
import { cookiePages } from './cookies.ts'
import { sourcesPage } from './sources.ts'

const DAYS_SHOWN = 30
const EXECUTIONS_SHOWN = 20

/** What is collected, by whom, and with which cookies (SPEC X06). */
export function collectPages(app: HttpApp, deps: DashboardDeps, collect: CollectDeps): void {
  addPage(app, deps, { method: 'get', path: '/collect', role: 'read' }, async (call) => {
    const { words } = call.language
    return {
      title: words.collectTitle,
      hasPlots: true,
      body: html`<h1>${words.collectTitle}</h1>
        ${collectTabs('/collect', call.language)} ${await standing(call, collect)}`,
    }
  })
  cookiePages(app, deps, collect)
  sourcesPage(app, deps, collect)
}

async function standing(call: Call, collect: CollectDeps): Promise<Html> {
  const { language, now } = call
  const { words } = language
  const { executions, candidates, census, outbox } = collect.stores
  const days = utcDaysUntil(utcDayOf(now), DAYS_SHOWN)
  const [counts, depth, daily, taken, newest] = await Promise.all([
    candidates.count(),
    outbox.depth(),
    executions.daily(days),
    census.list(days),
    executions.list(EXECUTIONS_SHOWN),
  ])
  const states = (['pending', 'processing', 'collected', 'failed'] as const).map(
    (state) => [words.candidateState[state], counts[state]] as const,
  )
  const plot: Plot = {
    title: words.collectedPerDay,
    kind: 'bars',
    nothing: words.noExecutions,
    series: [
      { name: words.collectedCount, values: daily.map(({ processed }) => processed) },
      { name: words.failedCount, values: daily.map(({ failed }) => failed) },
    ],
  }
  const plots = [...censusPlots({ days, taken, counts }, language), plot]
  return html`${tiles([...states, [words.waitingForMirror, depth]], language)}
    <section>
      <h2>${words.last30}</h2>
      <p class="hint">${beginsToday({ days, taken }) ? words.censusBegins : words.censusHint}</p>
      <div class="plots">${plots.map((drawn) => figure(drawn, days, language))}</div>
    </section>
    <section>
      <h2>${words.executions}</h2>
      ${executionsTable(newest, { language, now, lockTimeoutMs: collect.lockTimeoutMs })}
    </section>
    ${await candidatesSection(call, collect, counts)}`
}

interface Around {
  readonly language: Language
  readonly now: number
  readonly lockTimeoutMs: number
}

function executionsTable(executions: readonly Execution[], around: Around): Html {
  const { words } = around.language
  if (executions.length === 0) return empty(words.noExecutions, words.noExecutionsHint)
  return table(
    words.executions,
    [
      { name: words.started },
      { name: words.workflow },
      { name: words.status },
      { name: words.lastSign },
      { name: words.collectedCount, kind: 'number' },
      { name: words.failedCount, kind: 'number' },
      { name: words.duration, kind: 'number' },
    ],
    executions.map((execution) => executionRow(execution, around)),
  )
}

const STATES = {
  running: 'running',
  completed: 'succeeded',
  failed: 'failed',
  timeout: 'failed',
} as const satisfies Record<Execution['status'], PillKind>

function executionRow(execution: Execution, around: Around): Html {
  const { language, now } = around
  const { words, number, duration } = language
  const { status, itemsFailed, startedAt, completedAt = now } = execution
  return html`<tr>
    <th scope="row">${time(startedAt, language)}</th>
    <td>${execution.workflowName}</td>
    <td>${pill(STATES[status], words.executionState[status])}</td>
    <td>
      ${status === 'running' ? leaseAge(execution, around) : time(execution.heartbeatAt, language)}
    </td>
    <td class="number">${number(execution.itemsProcessed)}</td>
    <td class="number ${itemsFailed > 0 ? 'bad' : ''}">${number(itemsFailed)}</td>
    <td class="number">${duration(Math.max(0, completedAt - startedAt))}</td>
  </tr>`
}

/** How long the lock was not heard of, and when it is free unless that changes. */
function leaseAge({ heartbeatAt }: Execution, { language, now, lockTimeoutMs }: Around): Html {
  const { words, duration } = language
  const left = heartbeatAt + lockTimeoutMs - now
  return html`${words.ago(duration(Math.max(0, now - heartbeatAt)))}
    <span class="dim">${left > 0 ? words.lockFreeIn(duration(left)) : words.lockFree}</span>`
}
