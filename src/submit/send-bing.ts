import { BING_ENGINE } from '../stores/ledger-store.ts'
import type { Settled } from './channels/channel.ts'
import { type Bing, openBing } from './channels/bing/open.ts'
import { type BingReport, submitToBing } from './channels/bing/submit.ts'
import type { EarlierSlices, EngineWork } from './send-indexnow.ts'
import { settleOutcomes } from './settle-outcomes.ts'
import { withSettled } from './settled-before.ts'
import { rulesOf, type SiteRun } from './site-run.ts'

/** The site's account at Bing, on the day the run began. Undefined where this run does not send there. */
export function openRunBing(run: SiteRun): Bing | undefined {
  const { site, deps, startedAt } = run
  if (!site.bing) return undefined
  const options = {
    siteId: site.id,
    sitemapUrl: site.sitemapUrl,
    settings: site.bing,
    apiUrl: deps.settings.bingApiUrl,
    runStartedAt: startedAt,
    store: deps.stores.quota,
  }
  return openBing(options, sendingOf(run))
}

/** SPEC B07: after IndexNow, and nothing that happens here changes what happened there. */
export async function sendToBing(
  run: SiteRun,
  bing: Bing,
  { urls, total: due, number }: Pick<EngineWork, 'total' | 'number'> & { urls: readonly string[] },
  slices?: EarlierSlices,
): Promise<BingReport> {
  const { deps, progress } = run
  const settle = async (settled: Settled) => {
    const now = deps.clock.now()
    await settleOutcomes(settled, { engine: number, ledger: run.ledger, now })
    run.failedUrls?.settled(BING_ENGINE, settled, now)
    await progress.show()
  }
  const { settled, unsettled } = slices?.split(urls, number) ?? { settled: [], unsettled: urls }
  const sent = await submitToBing(
    { bing, urls: unsettled, total: due },
    { ...sendingOf(run), settle },
  )
  if (sent.stopped === undefined) run.failedUrls?.sentAll(BING_ENGINE)
  const earlier = slices?.reports.find(({ engine }) => engine === sent.engine)
  const report = withSettled(sent, { settled, earlier })
  const { total, successful, failed, quotaUsed, quotaRemaining, rateLimited, error } = report
  progress.bing({
    total,
    successful,
    failed,
    quotaUsed,
    quotaRemaining,
    ...(rateLimited > 0 && { rateLimited }),
    ...(error !== undefined && { error }),
  })
  for (const message of report.errors) progress.error(message)
  for (const message of report.warnings) progress.warning(message)
  return report
}

function sendingOf(run: SiteRun) {
  const { site, deps, log, budget, signal } = run
  const { http, clock } = deps
  return { http, clock, log, pace: deps.paceOf(site), budget, signal, rules: rulesOf(run) }
}
