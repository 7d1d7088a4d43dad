import type { ServerResponse } from 'node:http'
import type { AlertState } from '../../../src/core/alert.ts'
import { httpClient } from '../../../src/core/http.ts'
import { type LogLine, openLog } from '../../../src/core/log.ts'
import { Secret } from '../../../src/core/secret.ts'
import type { FinishedRun } from '../../../src/stores/run-store.ts'
import { openAlertDelivery } from '../../../src/alerts/deliver.ts'
import { type RunFacts, siteOfAlert, siteRule } from '../../../src/submit/alerts/rules.ts'
import {
  type WebhookFormat,
  type WebhookTarget,
  webhookTarget,
} from '../../../src/alerts/webhook-target.ts'
import { begin } from '../../contracts/backend.ts'
import { finishedRun } from '../../contracts/run-store.ts'
import { type LocalServer, serve } from '../../support/local-server.ts'
import { sqliteBackend } from '../../support/sqlite-backend.ts'

export const SITE = {
  id: 'example.com',
  name: 'Shop',
  host: 'example.com',
  sitemapUrl: 'https://example.com/sitemap.xml?token=abc',
  enabled: true,
}

/** What one engine came to. */
export function engine(counts: { successful?: number; failed?: number; pending?: number }) {
  const { successful = 0, failed = 0, pending = 0 } = counts
  const total = successful + failed
  return { engine: 'www.bing.com', total, successful, failed, pending, averageMs: 5 }
}

/** A run with everything well, but for what is said. */
export function runOf(changes: Partial<FinishedRun> = {}): FinishedRun {
  const { bing: _, ...run } = finishedRun({ siteId: SITE.id, total: 10, errors: [] })
  return { ...run, engines: [engine({ successful: 10 })], ...changes }
}

export function factsOf(changes: Partial<RunFacts> = {}): RunFacts {
  return {
    site: SITE,
    run: runOf(),
    earlier: [],
    sitemap: 'whole',
    bingKey: 'not-used',
    ...changes,
  }
}

type Answer = (response: ServerResponse, number: number) => void

export interface Receiver extends LocalServer {
  /** The bodies it got, read as JSON. */
  bodies(): readonly Readonly<Record<string, unknown>>[]
  target(format?: WebhookFormat, signing?: string): WebhookTarget
}

/** A receiver that answers what `answer` says, 204 otherwise. */
export async function receiver(
  answer: Answer = (response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  let number = 0
  const server = await serve((_, response) => answer(response, ++number))
  return {
    ...server,
    bodies: () => server.seen.map(({ body }) => JSON.parse(body)),
    target(format, signing) {
      const address = `${server.origin}/hook/secret-path${signing ? `#${signing}` : ''}`
      const target = webhookTarget(new Secret(address), format)
      if (!target.ok) throw new Error(target.failure)
      return target.value
    },
  }
}

/** Alerts over a real store, told over real HTTP. */
export async function openAlerts({
  everybody,
  own,
}: {
  everybody?: WebhookTarget | undefined
  own?: Secret | undefined
} = {}) {
  const { stores, clock } = await begin(sqliteBackend)
  const { alerts } = stores
  const lines: LogLine[] = []
  const log = openLog({ clock, level: 'debug', write: (line) => lines.push(line) })
  const http = httpClient({ fetch, clock, userAgent: 'Sluice/test', allowPrivate: true })
  const open = () =>
    openAlertDelivery({
      leases: stores.leases,
      holder: 'server-1',
      alerts,
      http,
      clock,
      log,
      everybody,
      siteOf: siteOfAlert,
      webhookOf: async (id) => (id === SITE.id ? own : undefined),
    })
  /** Says that something is wrong, or well again, and gives the notice that follows. */
  const say = async (
    notice: 'raised' | 'repeated' | 'resolved',
    about: Partial<AlertState> = {},
  ) => {
    const { severity, key } = siteRule('failed-urls', SITE.id)
    const state: AlertState = {
      key,
      severity,
      title: 'Shop: 20 % of the submissions failed',
      cause: '2 of 10 submissions failed.',
      advice: 'Look at the run.',
      count: 2,
      status: notice === 'resolved' ? 'resolved' : 'firing',
      since: clock.now(),
      raisedAt: clock.now(),
      notifications: 1,
      ...about,
    }
    await alerts.move(state.key, () => ({ state, notice }), clock.now())
  }
  return { stores, alerts, clock, log, lines, open, say }
}
