import { html } from 'hono/html'
import { streamSSE } from 'hono/streaming'
import { seconds } from '../../core/duration.ts'
import type { HttpApp } from '../../http/http-env.ts'
import type { Run } from '../../stores/run-store.ts'
import { asTheyAre } from '../../submit/shown-run.ts'
import { bar } from '../bar.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { addPage } from '../page.ts'
import { engineName, siteLink, statusPill, table, tiles, time } from '../parts.ts'
import { siteName } from '../site-name.ts'
import { missingPage } from './missing.ts'
import { messagesSection } from './run-messages.ts'
import { tookOf, triggerName } from './runs-table.ts'

/** As often as a run shows itself (`run-progress.ts`). */
const LOOK_EVERY_MS = seconds(1)

export function runPages(app: HttpApp, deps: DashboardDeps): void {
  const { stores, clock } = deps
  const find = async (id: string): Promise<Run | undefined> => {
    const kept = await stores.runs.get(id)
    const [run] = await asTheyAre(kept ? [kept] : [], stores)
    return run
  }

  addPage(app, deps, { method: 'get', path: '/runs/:id', role: 'read' }, async (call) => {
    const { language, c } = call
    const run = await find(c.req.param('id') ?? '')
    if (!run) return missingPage(language)
    const { words } = language
    const site = await siteName(run.siteId, deps)
    const isLive = run.status === 'running'
    const kind = deps.live === 'events' ? 'events' : 'live'
    return {
      title: `${words.run} · ${site}`,
      isLive,
      body: html`<p class="crumbs"><a href="${siteLink(run.siteId)}">${site}</a></p>
        <div data-live="${isLive ? `/runs/${run.id}/${kind}` : ''}" data-kind="${kind}">
          ${story(run, language)}
        </div>`,
    }
  })

  addPage(app, deps, { method: 'get', path: '/runs/:id/live', role: 'read' }, async (call) => {
    const { c, language } = call
    const run = await find(c.req.param('id') ?? '')
    if (!run) return missingPage(language)
    const state = run.status === 'running' ? 'on' : 'over'
    return c.html(story(run, language), 200, { 'Sluice-Live': state })
  })

  if (deps.live === 'polling') return
  addPage(app, deps, { method: 'get', path: '/runs/:id/events', role: 'read' }, async (call) => {
    const { c, language } = call
    return streamSSE(c, async (stream) => {
      for (let before = ''; !stream.aborted;) {
        const run = await find(c.req.param('id') ?? '')
        const data = run ? String(await story(run, language)) : ''
        if (data !== before) await stream.writeSSE({ event: 'page', data: JSON.stringify(data) })
        before = data
        if (run?.status !== 'running') return stream.writeSSE({ event: 'over', data: '' })
        await clock.sleep(LOOK_EVERY_MS, c.req.raw.signal)
      }
    })
  })
}

/** A run from its start to where it is. */
function story(run: Run, language: Language): Html {
  const { words } = language
  const counts = [
    [words.total, run.total],
    [words.new, run.new],
    [words.cached, run.cached],
    [words.submitted, run.submitted],
    [words.failedCount, run.failed],
    [words.deleted, run.deleted],
  ] as const
  return html`<div class="head">
      <h1>${words.run} ${statusPill(run.status, language)}</h1>
      <p class="dim">
        ${time(run.startedAt, language)} · ${triggerName(run.trigger, language)}
        ${run.finishedAt === undefined ? '' : html`· ${tookOf(run, language)}`}
      </p>
    </div>
    ${run.status === 'running' ? html`<p class="hint">${words.live}</p>` : ''}
    ${tiles(counts, language)}
    <section>
      <h2>${words.progress}</h2>
      ${progressTable(run, language)}
    </section>
    <section>
      <h2>${words.steps}</h2>
      <ol class="steps">
        ${steps(run, language).map((step) => html`<li>${step}</li>`)}
      </ol>
    </section>
    ${messagesSection(run, 'errors', language)} ${messagesSection(run, 'warnings', language)}`
}

interface Progress {
  readonly engine: string
  readonly total: number
  readonly successful: number
  readonly failed: number
  readonly averageMs?: number
  /** Where it cannot send all. */
  readonly goal?: number
}

const BING = 'Bing Webmaster'

function progressOf({ engines, bing }: Run): readonly Progress[] {
  if (!bing) return engines
  // What the quota leaves for another day is not this run's to send.
  const reachable = bing.successful + bing.failed + bing.quotaRemaining
  return [
    ...engines,
    { engine: BING, ...bing, total: bing.total, goal: Math.min(bing.total, reachable) },
  ]
}

function progressTable(run: Run, { words, number, count }: Language): Html {
  const rows = progressOf(run)
  if (rows.length === 0) return html`<p class="dim">${words.stepReading}</p>`
  return table(
    words.progress,
    [
      { name: words.engine },
      { name: words.progress, kind: 'wide' },
      { name: words.accepted, kind: 'number' },
      { name: words.failedCount, kind: 'number' },
      { name: words.total, kind: 'number' },
      { name: words.average, kind: 'number' },
    ],
    rows.map(
      ({ engine, total, successful, failed, averageMs, goal = total }) =>
        html`<tr>
          <th scope="row">${engineName(engine)}</th>
          <td class="wide">
            ${bar({
              label: words.barOf(count(successful), count(failed), count(goal)),
              good: successful,
              failed,
              goal,
            })}
          </td>
          <td class="number">${number(successful)}</td>
          <td class="number ${failed > 0 ? 'bad' : ''}">${number(failed)}</td>
          <td class="number">${number(total)}</td>
          <td class="number">
            ${averageMs === undefined ? '' : `${number(averageMs)} ${words.milliseconds}`}
          </td>
        </tr>`,
    ),
  )
}

function steps(run: Run, { words, count }: Language): readonly string[] {
  const isRead = run.total > 0 || run.engines.length > 0 || run.status !== 'running'
  return [
    isRead ? words.stepRead(count(run.total), count(run.new)) : words.stepReading,
    ...(run.invalid > 0 ? [words.stepInvalid(count(run.invalid))] : []),
    ...(run.deleted > 0 ? [words.stepDeleted(count(run.deleted))] : []),
    ...run.engines.map(({ engine, successful, total }) =>
      words.stepSent(engineName(engine), count(successful), count(total)),
    ),
    ...(run.bing
      ? [words.stepBing(count(run.bing.successful), count(run.bing.quotaRemaining))]
      : []),
    ...(run.status === 'running' ? [] : [words.stepEnd(words[run.status])]),
  ]
}
