import { html } from 'hono/html'
import type { HttpApp } from '../../http/http-env.ts'
import { describeUnusable } from '../../submit/sealed-settings.ts'
import { changeSite, removeSite } from '../../submit/sites.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { addPage, type Shown } from '../page.ts'
import { messageList, said, siteLink, statusPill } from '../parts.ts'
import type { PlannedRun } from '../../submit/plan-run.ts'
import { siteName } from '../site-name.ts'
import { missingPage } from './missing.ts'
import { CSV_TYPE, runsCsv } from '../runs-csv.ts'

/** A page of addresses is enough to see whether they are the right ones. */
const URLS_SHOWN = 200

/** What the buttons of a site do. Each leads to a page that shows what came of it. */
export function siteActionPages(app: HttpApp, deps: DashboardDeps): void {
  const { stores, sites, runner, clock, plan } = deps
  const of = async (id: string) => ({ id, name: await siteName(id, deps) })
  const post = (path: string) =>
    ({ method: 'post', path: `/sites/:id/${path}`, role: 'admin' }) as const

  addPage(app, deps, post('run'), async ({ c, language }) => {
    const siteId = c.req.param('id') ?? ''
    const started = await runner.start({ siteId, channel: 'all', trigger: 'manual' })
    if (started.ok) return c.redirect(`/runs/${started.value.id}`, 303)
    const { failure } = started
    if (failure.kind === 'site-missing') return missingPage(language)
    if (failure.kind === 'lease-taken')
      return refused(await of(siteId), html`${language.words.startRunning}`)
    if (failure.kind === 'bing-disabled') throw new Error('All channels were asked for.')
    return refused(await of(siteId), said(describeUnusable(failure), language))
  })

  addPage(app, deps, post('enabled'), async ({ c, language, fields }) => {
    const siteId = c.req.param('id') ?? ''
    const enabled = fields.get('enabled') === 'yes'
    const changed = await changeSite(sites, siteId, { enabled })
    if (changed.ok)
      return c.redirect(`${siteLink(siteId)}?done=${enabled ? 'resumed' : 'paused'}`, 303)
    const { failure } = changed
    if (failure.kind === 'site-missing') return missingPage(language)
    return refused(
      await of(siteId),
      failure.kind === 'invalid-settings'
        ? messageList(failure.problems, language)
        : html`${language.words.formStale}`,
    )
  })

  addPage(app, deps, post('remove'), async ({ c, language }) => {
    const siteId = c.req.param('id') ?? ''
    const { alerts, leases } = stores
    const removed = await removeSite({ ...sites, alerts, leases, clock }, siteId)
    if (removed.ok) return c.redirect('/?done=removed', 303)
    if (removed.failure.kind === 'site-missing') return missingPage(language)
    return refused(await of(siteId), html`${language.words.startRunning}`)
  })

  const csv = { method: 'get', path: '/sites/:id/runs.csv', role: 'read' } as const
  addPage(app, deps, csv, async ({ c, language }) => {
    const siteId = c.req.param('id') ?? ''
    if (!(await stores.sites.get(siteId))) return missingPage(language)
    const name = `${siteId.replaceAll(/[^\w.-]/g, '-')}-runs.csv`
    return c.body(await runsCsv(siteId, stores), 200, {
      'Content-Type': CSV_TYPE,
      'Content-Disposition': `attachment; filename="${name}"`,
    })
  })

  if (!plan) return
  addPage(app, deps, post('plan'), async ({ c, language }) => {
    const siteId = c.req.param('id') ?? ''
    const planned = await plan(siteId, c.req.raw.signal)
    if (planned.ok) return plannedPage(await of(siteId), planned.value, language)
    if (planned.failure.kind === 'site-missing') return missingPage(language)
    return refused(await of(siteId), said(describeUnusable(planned.failure), language))
  })
}

interface Named {
  readonly id: string
  readonly name: string
}

function refused({ id, name }: Named, message: Html): Shown {
  return {
    title: name,
    status: 409,
    body: html`<p class="crumbs"><a href="${siteLink(id)}">${name}</a></p>
      <h1>${name}</h1>
      <div class="notice bad" role="alert">${message}</div>`,
  }
}

function plannedPage({ id, name }: Named, { run, urls }: PlannedRun, language: Language): Shown {
  const { words, count } = language
  const shown = urls.slice(0, URLS_SHOWN)
  return {
    title: words.dryRun,
    body: html`<p class="crumbs"><a href="${siteLink(id)}">${name}</a></p>
      <h1>${words.dryRunTitle} ${statusPill(run.status, language)}</h1>
      <p>${words.stepRead(count(run.total), count(urls.length))}</p>
      <p class="hint">${words.dryRunHint}</p>
      ${[...run.errors, ...run.warnings].map(
        (message) => html`<p class="notice bad">${said(message, language)}</p>`,
      )}
      ${
        urls.length === 0
          ? html`<p class="dim">${words.dryRunNone}</p>`
          : html`<ol class="urls">
              ${shown.map((url) => html`<li>${url}</li>`)}
            </ol>`
      }
      ${
        urls.length > shown.length
          ? html`<p class="dim">${words.dryRunCut(count(shown.length), count(urls.length))}</p>`
          : ''
      }`,
  }
}
