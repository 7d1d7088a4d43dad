import { sayNotice } from '../../alerts/say-notice.ts'
import { type AlertObservation, type AlertStep, stepAlert } from '../../core/alert.ts'
import { hours } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'
import type { AlertStore } from '../../stores/alert-store.ts'
import {
  findSilence,
  RUN_RULES,
  type Finding,
  type RunFacts,
  type SilenceFacts,
  SITE_RULE_NAMES,
  siteRule,
  type SiteRuleName,
} from './rules.ts'

/** What a run's end says about its site's alerts. Rules that it says nothing about are left as they are. */
export function observeRun(facts: RunFacts): readonly AlertObservation[] {
  const now = facts.run.finishedAt
  return (Object.keys(RUN_RULES) as (keyof typeof RUN_RULES)[]).flatMap((name) =>
    observation(name, { siteId: facts.site.id, now, finding: RUN_RULES[name](facts) }),
  )
}

/** What the time that has passed says. Asked by the clock and not after a run, since runs may fail to happen. */
export function observeSilence(facts: SilenceFacts): readonly AlertObservation[] {
  const { site, now } = facts
  return observation('no-success', { siteId: site.id, now, finding: findSilence(facts) })
}

function observation(
  name: SiteRuleName,
  { siteId, now, finding }: { siteId: string; now: number; finding: Finding },
): readonly AlertObservation[] {
  if (finding === 'unknown') return []
  const wrong = finding === 'well' ? undefined : finding.wrong
  return [{ rule: siteRule(name, siteId), now, wrong }]
}

/** Moves each alert on and says in the log what people are to be told; the webhooks follow from the store. */
export async function recordObservations(
  { alerts, log }: { readonly alerts: AlertStore; readonly log: Log },
  observations: readonly AlertObservation[],
): Promise<void> {
  for (const seen of observations) {
    const step = await alerts.move(seen.rule.key, (before) => stepDaily(before, seen), seen.now)
    sayNotice(log, step)
  }
}

/** A site that is gone has nothing wrong with it. */
export async function clearAlertsOf(
  alerts: AlertStore,
  siteId: string,
  now: number,
): Promise<void> {
  for (const name of SITE_RULE_NAMES) {
    const rule = siteRule(name, siteId)
    await alerts.move(rule.key, (before) => stepAlert(before, { rule, now, wrong: undefined }), now)
  }
}

/** Sites are run daily: who was told today needs no reminder before tomorrow's run, which may end a little earlier. */
const REPEAT_AFTER_MS = hours(20)

function stepDaily(before: Parameters<typeof stepAlert>[0], seen: AlertObservation): AlertStep {
  const step = stepAlert(before, seen)
  const { notifiedAt, notifications } = before ?? {}
  if (step.notice !== 'repeated' || !step.state) return step
  if (notifiedAt === undefined || notifications === undefined) return step
  if (seen.now - notifiedAt >= REPEAT_AFTER_MS) return step
  return { state: { ...step.state, notifiedAt, notifications } }
}
