import type { Log } from '../core/log.ts'
import { webhookTarget } from '../alerts/webhook-target.ts'
import type { Config } from './settings.ts'

/** Where every alert goes, if the settings name a place. */
export function globalWebhook({ alertWebhookUrl, alertWebhookFormat }: Config, log: Log) {
  if (!alertWebhookUrl) return undefined
  const target = webhookTarget(alertWebhookUrl, alertWebhookFormat)
  if (target.ok) return target.value
  log.error('alert.no_receiver', `ALERT_WEBHOOK_URL cannot be used: ${target.failure}`)
  return undefined
}
