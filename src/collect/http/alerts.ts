import { z } from 'zod'
import type { AlertState } from '../../core/alert.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import type { AlertStore } from '../../stores/alert-store.ts'
import { answerWith, isoOf, isoOrNull } from './collect-envelope.ts'

const ALERTS = {
  methods: ['get'],
  path: '/v1/alerts',
  access: 'collect',
  subject: 'Alerts',
  summary: 'Alerts that are firing or were resolved',
  query: NO_QUERY,
  status: 200,
  answer: {
    data: z.object({
      alerts: z.array(
        z.object({
          key: z.string(),
          severity: z.enum(['P0', 'P1', 'P2']),
          status: z.enum(['firing', 'resolved']),
          title: z.string(),
          cause: z.string(),
          advice: z.string(),
          count: z.number().nullable(),
          since: z.iso.datetime(),
          raised_at: z.iso.datetime().nullable(),
          resolved_at: z.iso.datetime().nullable(),
          notified_at: z.iso.datetime().nullable(),
          notifications: z.number(),
          acknowledged_at: z.iso.datetime().nullable(),
        }),
      ),
    }),
  },
} as const

/** What is wrong now, and what was (SPEC C40). */
export function alertsRoutes({ alerts }: { readonly alerts: AlertStore }): RouteModule {
  return (app) => {
    addOperation(app, ALERTS, async (c) => {
      const told = (await alerts.list()).filter(({ status }) => status !== 'watching')
      return answerWith(c, { alerts: told.toSorted(worstFirst).map(wireAlert) })
    })
  }
}

function worstFirst(one: AlertState, other: AlertState): number {
  const resolved = Number(one.status === 'resolved') - Number(other.status === 'resolved')
  return resolved || one.severity.localeCompare(other.severity)
}

function wireAlert(alert: AlertState) {
  const { key, severity, status, title, cause, advice, count, notifications } = alert
  return {
    key,
    severity,
    status,
    title,
    cause,
    advice,
    count: count ?? null,
    since: isoOf(alert.since),
    raised_at: isoOrNull(alert.raisedAt),
    resolved_at: isoOrNull(alert.resolvedAt),
    notified_at: isoOrNull(alert.notifiedAt),
    notifications,
    acknowledged_at: isoOrNull(alert.acknowledged?.at),
  }
}
