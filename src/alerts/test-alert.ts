import type { HttpClient } from '../core/http.ts'
import type { AlertMessage } from '../stores/alert-store.ts'
import { sendToWebhook } from './webhook.ts'
import type { WebhookTarget } from './webhook-target.ts'

export interface ToldReceiver {
  readonly host: string
  /** For people; undefined where it took the message. */
  readonly failure: string | undefined
}

/** Tells every receiver that nothing is wrong, to see whether it hears. Nothing is kept of it. */
export async function sendTestAlert(
  targets: readonly WebhookTarget[],
  { http, now }: { readonly http: HttpClient; readonly now: number },
): Promise<readonly ToldReceiver[]> {
  const distinct = [...new Map(targets.map((target) => [target.key, target])).values()]
  return Promise.all(
    distinct.map(async (target) => {
      const sent = await sendToWebhook(
        target,
        { ...testMessage(now), site: undefined },
        { http, now },
      )
      return { host: target.host, failure: sent.ok ? undefined : sent.failure.what }
    }),
  )
}

function testMessage(now: number): AlertMessage {
  return {
    id: 0,
    notice: 'raised',
    at: now,
    deliveredAt: undefined,
    alert: {
      key: 'test',
      severity: 'P2',
      status: 'firing',
      since: now,
      raisedAt: now,
      notifications: 1,
      title: 'A test of Sluice',
      cause: 'Somebody pressed the button on the page of alerts. Nothing is wrong.',
      advice: 'Nothing is to be done: alerts arrive here.',
    },
  }
}
