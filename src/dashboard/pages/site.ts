import { html } from 'hono/html'
import type { HttpApp } from '../../http/http-env.ts'
import { RUNS_KEPT_PER_SITE, type Run } from '../../stores/run-store.ts'
import type { SiteRecord } from '../../stores/site-store.ts'
import { asTheyAre } from '../../submit/shown-run.ts'
import { describeUnusable, siteOf } from '../../submit/sealed-settings.ts'
import { type ShownSite, shownSite } from '../../submit/sites.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { daysShown, numbersOf } from '../overview-numbers.ts'
import { addPage, type Call, originOf, type Shown } from '../page.ts'
import { action, doneNotice, notice, said, siteLink } from '../parts.ts'
import { plots } from '../plots.ts'
import { failedUrlsSection } from './failed-urls.ts'
import { missingPage } from './missing.ts'
import { acceptedCell, bingCell, nextRun, standingPill } from './overview.ts'
import { runHistory } from './runs-table.ts'
import { lookUpSection } from './look-up.ts'
import { badgePath } from './badge.ts'

export function sitePage(app: HttpApp, deps: DashboardDeps): void {
  addPage(app, deps, { method: 'get', path: '/sites/:id', role: 'read' }, async (call) => {
    const record = await deps.stores.sites.get(call.c.req.param('id') ?? '')
    return record ? shown(record, call, deps) : missingPage(call.language)
  })
}

async function shown(record: SiteRecord, call: Call, deps: DashboardDeps): Promise<Shown> {
  const { language, now, c } = call
  const { words } = language
  const { stores, sites } = deps
  const site = shownSite(record, sites.defaults)
  const days = daysShown(now)
  const [numbers, kept, usable] = await Promise.all([
    numbersOf(site, { stores, defaults: sites.defaults, now, days }),
    stores.runs.list(site.id, RUNS_KEPT_PER_SITE).then((runs) => asTheyAre(runs, stores)),
    siteOf(record, sites.sealer, sites.defaults),
  ])
  const { current, last, daily } = numbers
  const body = html`<div class="head">
      <h1>${site.name} ${standingPill({ site, current, last }, language)}</h1>
      <div class="actions">${siteActions({ site, current, last }, call, deps)}</div>
    </div>
    ${doneNotice(c.req.query('done'), language)}
    ${
      usable.ok
        ? ''
        : notice(html`${words.unusable}${said(describeUnusable(usable.failure), language)}`, 'bad')
    }
    ${site.enabled ? '' : notice(words.pausedHint, 'bad')}
    <dl class="tiles">
      <div>
        <dt>${words.accepted}</dt>
        <dd>${acceptedCell({ site, daily }, language)}</dd>
      </div>
      <div>
        <dt>${words.bingQuota}</dt>
        <dd>${bingCell(numbers.bingLeft, language, now)}</dd>
      </div>
      <div>
        <dt>${words.nextRun}</dt>
        <dd>${nextRun(site.enabled ? deps.nextRunAt?.(now) : undefined, language)}</dd>
      </div>
    </dl>
    <section>
      <h2>${words.last30}</h2>
      ${plots({ days, daily, runs: kept }, language)}
    </section>
    ${await failedUrlsSection(site.id, deps, language)}
    <section id="runs">
      <div class="head">
        <h2>${words.runs}</h2>
        ${
          kept.length > 0
            ? html`<a href="${siteLink(site.id)}/runs.csv" download>${words.downloadCsv}</a>`
            : ''
        }
      </div>
      ${runHistory(kept, call)}
    </section>
    ${await lookUpSection(record, call, deps)}
    ${settingsSection(site, call, await badgePath(site.id, deps.sessions))}`
  return { title: site.name, body, hasPlots: true }
}

interface Standing {
  readonly site: ShownSite
  readonly current: Run | undefined
  readonly last: Run | undefined
}

function siteActions({ site, current, last }: Standing, call: Call, deps: DashboardDeps): Html {
  const { language, session } = call
  const { words } = language
  const to = (what: string) => `${siteLink(site.id)}/${what}`
  if (session.role !== 'admin') return html``
  const failed = last?.failed ?? 0
  return html`${
      current
        ? html`<a class="button main" href="/runs/${current.id}">${words.progress}</a>`
        : action({ to: to('run'), text: words.runNow, kind: 'main' }, session)
    }
    ${
      !current && failed > 0
        ? action(
            {
              to: to('run'),
              text: words.retryFailed(language.count(failed)),
              hint: words.retryHint,
            },
            session,
          )
        : ''
    }
    ${
      deps.plan
        ? action({ to: to('plan'), text: words.dryRun, hint: words.dryRunHint }, session)
        : ''
    }
    ${
      deps.examine
        ? html`<a class="button" href="${to('edit')}?check=1" title="${words.checkHint}"
            >${words.check}</a
          >`
        : ''
    }
    ${action(
      {
        to: to('enabled'),
        text: site.enabled ? words.pause : words.resume,
        fields: { enabled: site.enabled ? 'no' : 'yes' },
      },
      session,
    )} <a class="button" href="${to('edit')}">${words.edit}</a>`
}

function settingsSection(site: ShownSite, { c, language, session }: Call, badge: string): Html {
  const { words } = language
  const rows: readonly (readonly [string, string | number | null])[] = [
    [words.siteId, site.id],
    [words.sitemapUrl, site.sitemapUrl],
    [words.keyLocation, site.keyLocation],
    [words.searchEngines, site.searchEngines.join(', ')],
    [words.bing, site.bingEnabled ? String(site.bingDailyQuota) : words.off],
    [words.submitMode, words.choiceOf[site.submitMode]],
    [words.cacheTtlDays, site.cacheTtlDays],
  ]
  return html`<section>
    <h2>${words.settings}</h2>
    <dl class="facts">
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value ?? ''}</dd>
          </div>`,
      )}
      <div>
        <dt>${words.badge}</dt>
        <dd>
          <img src="${badge}" alt="${site.name}" height="20" /> <code>${originOf(c)}${badge}</code>
          <span class="hint">${words.badgeHint}</span>
        </dd>
      </div>
    </dl>
    ${session.role === 'admin' ? removal(site, { language, session }) : ''}
  </section>`
}

function removal(
  site: ShownSite,
  { language: { words }, session }: { language: Language; session: Call['session'] },
): Html {
  return html`<details class="removal">
    <summary>${words.remove}</summary>
    <p>${words.removeHint}</p>
    ${action({ to: `${siteLink(site.id)}/remove`, text: words.removeSure, kind: 'danger' }, session)}
  </details>`
}
