import { openLedger, type UrlRecord } from '../core/ledger/ledger.ts'
import { ledgerSeconds } from '../core/ledger/ledger-seconds.ts'
import type { ChannelReport, Settled } from './channels/channel.ts'
import { hashesOf } from './settle-outcomes.ts'
import type { SiteRun } from './site-run.ts'

/** Of some URLs that are due: what this run has settled already, and what it has yet to send. */
export interface SplitUrls {
  readonly settled: readonly Settled[]
  readonly unsettled: readonly string[]
}

/**
 * What the earlier slices of a run have settled at an engine, by its number. The ledger tells, so that a slice which was
 * killed has lost nothing: whatever it wrote down is not sent again.
 */
export type SplitSettled = (urls: readonly string[], engine: number) => SplitUrls

export async function loadSettled({ ledger, startedAt }: SiteRun): Promise<SplitSettled> {
  const known = openLedger(await ledger.load())
  const since = ledgerSeconds(startedAt)
  return (urls, engine) => {
    const hashes = hashesOf(urls)
    const unsettled: string[] = []
    const byState = new Map<Settled['state'], string[]>()
    urls.forEach((url, i) => {
      const record = known.lookUp(hashes[2 * i] as number, hashes[2 * i + 1] as number)
      const state = stateSince(record?.engines[engine], since)
      const those = state && byState.get(state)
      if (!state) unsettled.push(url)
      else if (those) those.push(url)
      else byState.set(state, [url])
    })
    return {
      unsettled,
      settled: [...byState].map(([state, those]) => ({ state, urls: those, statusCode: 0 })),
    }
  }
}

function stateSince(
  engine: UrlRecord['engines'][number] | undefined,
  since: number,
): Settled['state'] | undefined {
  if (engine?.whenSeconds === undefined || engine.whenSeconds < since) return undefined
  const { state, statusCode = 0 } = engine
  // It changed after it was sent in this very run, or was sent as deleted: what it changes is for a later run.
  if (state === 'changed') return answeredWith(statusCode)
  return state === 'unsent' || state === 'baseline' ? undefined : state
}

function answeredWith(statusCode: number): Settled['state'] {
  if (statusCode === 202) return 'pending'
  return statusCode < 300 ? 'accepted' : 'rejected'
}

/** What came of an engine in this slice, together with what was settled before it. */
export function withSettled<Report extends ChannelReport>(
  report: Report,
  { settled, earlier }: { settled: readonly Settled[]; earlier: ChannelReport | undefined },
): Report {
  const count = (states: readonly Settled['state'][]) =>
    settled.reduce((sum, { urls, state }) => sum + (states.includes(state) ? urls.length : 0), 0)
  const successful = report.successful + count(['accepted', 'pending'])
  const failed = report.failed + count(['failed', 'rejected'])
  const requests = report.requests + (earlier?.requests ?? 0)
  const spentMs =
    report.averageMs * report.requests + (earlier ? earlier.averageMs * earlier.requests : 0)
  return {
    ...report,
    successful,
    failed,
    pending: report.pending + count(['pending']),
    left: Math.max(0, report.total - successful - failed),
    requests,
    rateLimited: report.rateLimited + (earlier?.rateLimited ?? 0),
    averageMs: requests === 0 ? 0 : Math.round(spentMs / requests),
    errors: [...new Set([...(earlier?.errors ?? []), ...report.errors])],
    warnings: [...new Set([...(earlier?.warnings ?? []), ...report.warnings])],
  }
}
