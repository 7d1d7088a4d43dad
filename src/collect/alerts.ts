import { sayNotice } from '../alerts/say-notice.ts'
import {
  type AlertRule,
  type AlertState,
  type AlertStep,
  type AlertText,
  stepAlert,
} from '../core/alert.ts'
import type { Clock } from '../core/clock.ts'
import { minutes } from '../core/duration.ts'
import type { Log } from '../core/log.ts'
import type { AlertStore } from '../stores/alert-store.ts'
import type { CandidateStore } from '../stores/candidate-store.ts'
import type { CookieRecord, CookieStore } from '../stores/cookie-store.ts'
import type { ExecutionStore } from '../stores/execution-store.ts'
import { isUsable } from './cookies/pool.ts'
import { isAwake } from './cookies/state.ts'
import { IMPORT_WORKFLOW } from './import-notes.ts'

/** SPEC C40. What was raised is cleared at a lower mark than it was raised at, so that it does not flap. */
const MARKS = {
  successRate: { raise: 0.9, clear: 0.93 },
  pending: { raise: 500, clear: 450 },
} as const
const LEAST_SAMPLES = 20
const SAMPLED_MS = minutes(10)
/** More executions than this do not fit into ten minutes, unless many small imports come at once. */
const EXECUTIONS_LOOKED_AT = 1_000

const RULES = {
  'no-active-cookie': { severity: 'P0', raiseAfterMs: 0, clearAfterMs: minutes(5) },
  'success-rate': { severity: 'P1', raiseAfterMs: minutes(10), clearAfterMs: minutes(10) },
  'many-pending': { severity: 'P2', raiseAfterMs: minutes(30), clearAfterMs: minutes(5) },
} as const satisfies Record<string, Omit<AlertRule, 'key'>>

/** Whether it is one of these, and not of a site. */
export function isOfCollecting(key: string): boolean {
  return Object.hasOwn(RULES, key.split(':', 1)[0] ?? '')
}

/** What a look at the stores finds: something wrong, all well, or too little to say either. */
type Finding = { readonly wrong: AlertText } | 'well' | 'unknown'

export interface CollectWatch {
  readonly alerts: AlertStore
  readonly cookies: CookieStore
  readonly executions: ExecutionStore
  readonly candidates: CandidateStore
  readonly clock: Clock
  readonly log: Log
  /** Those that are on and ask nothing without a cookie. */
  readonly platformsWithCookies: readonly string[]
}

/** To be called again and again (`check-alerts` in src/schedule.ts). */
export async function watchCollecting(watch: CollectWatch): Promise<void> {
  for (const platform of watch.platformsWithCookies) {
    const finding = await findActiveCookie(watch, platform)
    const { severity, ...holds } = RULES['no-active-cookie']
    await observe(watch, { key: `no-active-cookie:${platform}`, severity, ...holds }, () => finding)
  }
  const samples = await recentSamples(watch)
  await observe(watch, { key: 'success-rate', ...RULES['success-rate'] }, (isFiring) =>
    findSuccessRate(samples, isFiring),
  )
  const { pending } = await watch.candidates.count()
  await observe(watch, { key: 'many-pending', ...RULES['many-pending'] }, (isFiring) =>
    findPending(pending, isFiring),
  )
}

async function observe(
  { alerts, clock, log }: CollectWatch,
  rule: AlertRule,
  look: (isFiring: boolean) => Finding,
): Promise<void> {
  const now = clock.now()
  const step = (before: AlertState | undefined): AlertStep => {
    const finding = look(before?.status === 'firing')
    // What was only being watched did not hold without a break; what is firing stays until it is known to be well.
    if (finding === 'unknown') return { state: before?.status === 'watching' ? undefined : before }
    return stepAlert(before, { rule, now, wrong: finding === 'well' ? undefined : finding.wrong })
  }
  sayNotice(log, await alerts.move(rule.key, step, now))
}

const NONE_ACTIVE = {
  title: 'no cookie is active',
  advice:
    'Log in with a browser and add its cookie (sluice cookies add), or reactivate one that is good again.',
}
const USED_UP = {
  title: 'every active cookie has reached its daily limit',
  advice: 'Add another cookie (sluice cookies add), or wait: the counts begin anew at 00:00 UTC.',
}

async function findActiveCookie(
  { cookies, clock }: CollectWatch,
  platform: string,
): Promise<Finding> {
  const own = (await cookies.list()).filter((cookie) => cookie.platform === platform)
  const now = clock.now()
  if (own.some((cookie) => isUsable(cookie, now))) return 'well'
  // None is usable: one that is awake has reached its limit.
  const isUsedUp = (cookie: CookieRecord) => isAwake(cookie, now)
  const states = Map.groupBy(own, (cookie) =>
    isUsedUp(cookie) ? `${cookie.status} and used up` : cookie.status,
  )
  const told = [...states].map(([status, those]) => `${those.length} ${status}`).join(', ')
  const cause = own.length === 0 ? 'There is no cookie at all.' : `Of ${own.length}: ${told}.`
  const text = own.some(isUsedUp) ? USED_UP : NONE_ACTIVE
  return {
    wrong: { ...text, title: `${platform}: ${text.title}`, cause, count: own.length },
  }
}

interface Samples {
  readonly processed: number
  readonly failed: number
}

/** What the executions of the last ten minutes came to. What somebody brought was not collected, and says nothing. */
async function recentSamples({ executions, clock }: CollectWatch): Promise<Samples> {
  const since = clock.now() - SAMPLED_MS
  const recent = (await executions.list(EXECUTIONS_LOOKED_AT)).filter(
    ({ heartbeatAt, workflowName }) => heartbeatAt > since && workflowName !== IMPORT_WORKFLOW,
  )
  const sum = (count: (execution: (typeof recent)[number]) => number) =>
    recent.reduce((all, execution) => all + count(execution), 0)
  return { processed: sum((one) => one.itemsProcessed), failed: sum((one) => one.itemsFailed) }
}

function findSuccessRate({ processed, failed }: Samples, isFiring: boolean): Finding {
  const total = processed + failed
  if (total < LEAST_SAMPLES) return 'unknown'
  const { raise, clear } = MARKS.successRate
  if (processed / total >= (isFiring ? clear : raise)) return 'well'
  return {
    wrong: {
      title: `Only ${Math.floor((processed / total) * 100)} % of the notes could be collected`,
      cause: `${failed} of ${total} failed within 10 minutes.`,
      advice:
        'GET /v1/candidates?status=failed shows the codes; look at the cookies, or collect more slowly.',
      count: failed,
    },
  }
}

function findPending(pending: number, isFiring: boolean): Finding {
  const { raise, clear } = MARKS.pending
  if (pending <= (isFiring ? clear : raise)) return 'well'
  return {
    wrong: {
      title: `${pending} candidates are waiting`,
      cause: 'More notes are found than are collected, or nobody collects.',
      advice:
        'Look whether executions run (GET /v1/executions); collect more often, or find fewer notes.',
      count: pending,
    },
  }
}
