import { createHmac } from 'node:crypto'
import type { Clock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { json, openStandIn, type StandIn } from '../support/stand-ins/stand-in.ts'

export interface FeishuBot extends StandIn {
  readonly url: string
  /** What it was told, first to last. */
  readonly texts: readonly string[]
}

const PATH = '/open-apis/bot/v2/hook/stand-in'

/** A custom bot of Feishu with a signing secret: refuses with HTTP 200 and a code, as the real one does. */
export async function openFeishuBot({
  clock,
  secret,
}: {
  readonly clock: Clock
  readonly secret: string
}): Promise<FeishuBot> {
  const texts: string[] = []
  const standIn = await openStandIn({
    clock,
    decide({ method, target, body }, complain) {
      const refuse = (code: number, msg: string) => {
        complain(msg)
        return { reply: json(200, { code, msg }) }
      }
      if (method !== 'POST' || target !== PATH) return { reply: json(404, { code: 404, msg: '' }) }
      const message = JSON.parse(body) as {
        timestamp?: string
        sign?: string
        msg_type?: string
        content?: { text?: string }
      }
      const key = `${message.timestamp}\n${secret}`
      const isFresh =
        Math.abs(clock.now() / 1_000 - Number(message.timestamp)) * 1_000 < minutes(60)
      if (!isFresh || message.sign !== createHmac('sha256', key).digest('base64')) {
        return refuse(
          19021,
          'sign match fail or timestamp is not within one hour from current time',
        )
      }
      const { text } = message.content ?? {}
      if (message.msg_type !== 'text' || !text) return refuse(9499, 'Bad Request')
      return {
        reply: json(200, { code: 0, msg: 'success', data: {} }),
        commit: () => void texts.push(text),
      }
    },
  })
  return Object.assign(standIn, { url: `${standIn.origin}${PATH}`, texts })
}
