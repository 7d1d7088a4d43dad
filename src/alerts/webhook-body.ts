import type { AlertNotice } from '../core/alert.ts'
import type { JsonObject } from '../core/json.ts'
import { redactText } from '../core/redact.ts'
import type { AlertMessage } from '../stores/alert-store.ts'
import type { WebhookFormat } from './webhook-target.ts'

/** A message, and the site it is about; undefined where it is about none. */
export type AlertNews = AlertMessage & { readonly site: string | undefined }

/** A message in the words that a receiver understands. */
export function webhookBody(format: WebhookFormat, news: AlertNews): JsonObject {
  return BODIES[format](news)
}

/** Each service cuts or refuses what is longer. */
const LIMITS = {
  slackText: 3_000,
  discordTitle: 256,
  discordDescription: 4_000,
  feishuText: 4_000,
} as const

const BODIES = {
  /** In the manner of Standard Webhooks: what happened, when, and all that is known of it. */
  json: ({ id, notice, at, alert, site }) => ({
    type: `alert.${notice}`,
    timestamp: isoOf(at),
    data: {
      id,
      key: alert.key,
      site: site ?? null,
      severity: alert.severity,
      status: alert.status,
      title: redactText(alert.title),
      cause: redactText(alert.cause),
      advice: redactText(alert.advice),
      count: alert.count ?? null,
      raisedAt: alert.raisedAt === undefined ? null : isoOf(alert.raisedAt),
      resolvedAt: alert.resolvedAt === undefined ? null : isoOf(alert.resolvedAt),
    },
  }),
  slack: (message) => ({
    text: cut(
      `*${slackText(titleOf(message))}*\n${slackText(linesOf(message).join('\n'))}`,
      LIMITS.slackText,
    ),
  }),
  discord: (message) => ({
    embeds: [
      {
        title: cut(titleOf(message), LIMITS.discordTitle),
        description: cut(linesOf(message).join('\n'), LIMITS.discordDescription),
        color: COLOURS[message.notice],
        timestamp: isoOf(message.at),
      },
    ],
    // What engines and sites answered must not be able to call everybody.
    allowed_mentions: { parse: [] },
  }),
  /** A "post": unlike in a plain text, nothing in it can call everybody. */
  feishu: (message) => ({
    msg_type: 'post',
    content: {
      post: {
        zh_cn: {
          title: titleOf(message),
          content: linesOf(message).map((text) => [
            { tag: 'text', text: cut(text, LIMITS.feishuText) },
          ]),
        },
      },
    },
  }),
} as const satisfies Record<WebhookFormat, (news: AlertNews) => JsonObject>

const COLOURS = { raised: 0xc62828, repeated: 0xef6c00, resolved: 0x2e7d32 } as const

const PREFIXES: Readonly<Record<AlertNotice, string>> = {
  raised: '',
  repeated: 'Still: ',
  resolved: 'Resolved: ',
}

function titleOf({ notice, alert }: AlertMessage): string {
  return redactText(`[Sluice ${alert.severity}] ${PREFIXES[notice]}${alert.title}`)
}

function linesOf({ notice, at, alert }: AlertMessage): string[] {
  if (notice === 'resolved') {
    const since =
      alert.raisedAt === undefined ? '' : `, after it was raised at ${isoOf(alert.raisedAt)}`
    return [`All is well again since ${isoOf(at)}${since}.`]
  }
  return [
    `Cause: ${redactText(alert.cause)}`,
    ...(alert.count === undefined ? [] : [`Count: ${alert.count}`]),
    `What to do: ${redactText(alert.advice)}`,
  ]
}

/** Slack takes `<!channel>` for a call to everybody; escaped it is text. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

const isoOf = (instant: number) => new Date(instant).toISOString()
