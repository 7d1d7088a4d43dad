import { minutes } from './duration.ts'

export type AlertSeverity = 'P0' | 'P1' | 'P2'

/** What is watched, and how long it must hold before anybody is told. */
export interface AlertRule {
  /** Names the one thing that is wrong: `bing-key:example.com`. Alerts with one key are one alert. */
  readonly key: string
  readonly severity: AlertSeverity
  /** Raised only when the condition held this long without a break. */
  readonly raiseAfterMs: number
  /** Cleared only when the condition was gone this long without a break, so that it does not flap. */
  readonly clearAfterMs: number
}

/** What a person is told: what happened, why, what to do next. */
export interface AlertText {
  readonly title: string
  readonly cause: string
  readonly advice: string
  readonly count?: number
}

export interface AlertState extends AlertText {
  readonly key: string
  readonly severity: AlertSeverity
  readonly status: 'watching' | 'firing' | 'resolved'
  /** Since when the condition holds (watching, firing) or has been gone (resolved). */
  readonly since: number
  /** While firing: when the condition was first seen gone; a return of it starts the count anew. */
  readonly quietSince?: number
  readonly raisedAt?: number
  readonly resolvedAt?: number
  /** When somebody was last told, and how often since it was raised. */
  readonly notifiedAt?: number
  readonly notifications: number
  /** Somebody knows of it, until it is raised anew. */
  readonly acknowledged?: { readonly at: number; readonly by: string }
}

export type AlertNotice = 'raised' | 'repeated' | 'resolved'

export interface AlertStep {
  /** Undefined: nothing is wrong and nothing is remembered. */
  readonly state: AlertState | undefined
  readonly notice?: AlertNotice
}

/** SPEC C40: after the first notice the next follow 5, 15 and 60 minutes later, then hourly. */
const REPEAT_AFTER_MS = [minutes(5), minutes(15), minutes(60)] as const

export interface AlertObservation {
  readonly rule: AlertRule
  readonly now: number
  /** What is wrong now; undefined when all is well. */
  readonly wrong: AlertText | undefined
}

/** Where an alert goes from here: raised once, repeated by the table, resolved once. */
export function stepAlert(
  before: AlertState | undefined,
  { rule, wrong, now }: AlertObservation,
): AlertStep {
  return wrong ? stepWrong(before, { rule, wrong, now }) : stepWell(before, rule, now)
}

function stepWrong(
  before: AlertState | undefined,
  { rule, wrong, now }: { rule: AlertRule; wrong: AlertText; now: number },
): AlertStep {
  const { key, severity } = rule
  if (before?.status === 'firing') {
    const { quietSince: _quiet, count: _count, ...rest } = before
    const firing = { ...rest, ...wrong, severity }
    return isRepeatDue(firing, now) ? notified(firing, 'repeated', now) : { state: firing }
  }
  const since = before?.status === 'watching' ? before.since : now
  const watching = { key, severity, ...wrong, status: 'watching', since, notifications: 0 } as const
  if (now - since < rule.raiseAfterMs) return { state: watching }
  return notified({ ...watching, status: 'firing', raisedAt: now }, 'raised', now)
}

function stepWell(before: AlertState | undefined, rule: AlertRule, now: number): AlertStep {
  if (before?.status !== 'firing')
    return { state: before?.status === 'resolved' ? before : undefined }
  const quietSince = before.quietSince ?? now
  if (now - quietSince < rule.clearAfterMs) return { state: { ...before, quietSince } }
  const { quietSince: _, ...rest } = before
  return notified({ ...rest, status: 'resolved', since: now, resolvedAt: now }, 'resolved', now)
}

/** Somebody has seen it: nobody need be told again before it is raised anew. What does not fire stays as it is. */
export function acknowledgeAlert(
  before: AlertState | undefined,
  acknowledged: NonNullable<AlertState['acknowledged']>,
): AlertStep {
  if (before?.status !== 'firing' || before.acknowledged) return { state: before }
  return { state: { ...before, acknowledged } }
}

function isRepeatDue(
  { notifications, notifiedAt = 0, acknowledged }: AlertState,
  now: number,
): boolean {
  if (acknowledged) return false
  const wait =
    REPEAT_AFTER_MS[Math.min(notifications, REPEAT_AFTER_MS.length) - 1] ?? REPEAT_AFTER_MS[0]
  return now - notifiedAt >= wait
}

function notified(state: AlertState, notice: AlertNotice, now: number): AlertStep {
  return { state: { ...state, notifiedAt: now, notifications: state.notifications + 1 }, notice }
}
