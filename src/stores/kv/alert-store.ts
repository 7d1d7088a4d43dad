import type { AlertState } from '../../core/alert.ts'
import type { AlertMessage, AlertStore } from '../alert-store.ts'
import type { Documents } from './documents.ts'
import { KEYS } from './keys.ts'

interface Alerts {
  readonly alerts: Readonly<Record<string, AlertState>>
  /** Oldest first. */
  readonly messages: readonly AlertMessage[]
  readonly nextId: number
}

const NO_ALERTS: Alerts = { alerts: {}, messages: [], nextId: 1 }

/** Beside those that are undelivered. */
const MESSAGES_KEPT = 200

/** All alerts of all sites in one value: looking after them every few minutes writes nothing unless something changed. */
export function kvAlertStore(documents: Documents): AlertStore {
  const read = async () => (await documents.read<Alerts>(KEYS.alerts)) ?? NO_ALERTS
  return {
    move: (key, step, now) =>
      documents.change(KEYS.alerts, (before: Alerts = NO_ALERTS) => {
        const known = Object.hasOwn(before.alerts, key) ? before.alerts[key] : undefined
        const moved = step(known)
        const isSame = JSON.stringify(moved.state) === JSON.stringify(known)
        if (isSame && !moved.notice) return { answer: moved }
        const { [key]: _, ...others } = before.alerts
        const alerts = moved.state ? { ...others, [key]: moved.state } : others
        if (!moved.notice || !moved.state) return { after: { ...before, alerts }, answer: moved }
        const message = {
          id: before.nextId,
          notice: moved.notice,
          at: now,
          alert: moved.state,
          deliveredAt: undefined,
        }
        const messages = kept([...before.messages, message])
        return { after: { alerts, messages, nextId: before.nextId + 1 }, answer: moved }
      }),
    async list() {
      const { alerts } = await read()
      return Object.values(alerts).toSorted((a, b) => (a.key < b.key ? -1 : 1))
    },
    undelivered: async () =>
      (await read()).messages
        .filter(({ deliveredAt }) => deliveredAt === undefined)
        .map(withDelivery),
    delivered: (id, at) =>
      documents.change(KEYS.alerts, (before: Alerts = NO_ALERTS) => {
        const waits = before.messages.some(
          (message) => message.id === id && message.deliveredAt === undefined,
        )
        if (!waits) return { answer: undefined }
        const messages = before.messages.map((message) =>
          message.id === id ? { ...message, deliveredAt: at } : message,
        )
        return { after: { ...before, messages: kept(messages) }, answer: undefined }
      }),
    messages: async (limit) =>
      (await read()).messages.toReversed().slice(0, limit).map(withDelivery),
  }
}

function kept(messages: readonly AlertMessage[]): readonly AlertMessage[] {
  const old = messages.length - MESSAGES_KEPT
  return messages.filter(({ deliveredAt }, n) => n >= old || deliveredAt === undefined)
}

/** JSON does not keep what is not there. */
function withDelivery(message: AlertMessage): AlertMessage {
  return { ...message, deliveredAt: message.deliveredAt }
}
