import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { minutes } from '../../../src/core/duration.ts'
import { Secret } from '../../../src/core/secret.ts'
import { webhookTarget } from '../../../src/alerts/webhook-target.ts'
import { scenario } from '../../support/scenario.ts'
import { openAlerts, receiver } from './support.ts'

const SIGNING = `whsec_${Buffer.from('a signing secret of 32 bytes....').toString('base64')}`

describe('formats', () => {
  const told = async (format: 'slack' | 'discord' | 'feishu', about: object, signing?: string) => {
    const everybody = await receiver((response) => void response.writeHead(200).end('{"code":0}'))
    const { open, say, clock } = await openAlerts({ everybody: everybody.target(format, signing) })
    await say('raised', about)
    expect(await open().deliver()).toMatchObject({ delivered: 1 })
    return { body: everybody.bodies()[0] ?? {}, clock }
  }
  const nasty = { cause: 'It said <!channel> & <at user_id="all"> @everyone.' }

  scenario('R06', 'Slack gets text in which nothing calls everybody', async () => {
    const { body } = await told('slack', nasty)
    expect(body).toEqual({
      text: [
        '*[Sluice P1] Shop: 20 % of the submissions failed*',
        'Cause: It said &lt;!channel&gt; &amp; &lt;at user_id="all"&gt; @everyone.',
        'Count: 2',
        'What to do: Look at the run.',
      ].join('\n'),
    })
  })

  scenario('R06', 'Discord gets an embed, within its limits, that mentions nobody', async () => {
    const { body } = await told('discord', {
      ...nasty,
      title: 'x'.repeat(500),
      advice: 'y'.repeat(9_000),
    })
    const [embed] = body['embeds'] as { title: string; description: string }[]
    expect(embed?.title).toHaveLength(256)
    expect(embed?.description.length).toBeLessThanOrEqual(4_096)
    expect(body).toMatchObject({
      embeds: [{ color: 0xc62828, timestamp: '2025-01-15T00:00:00.000Z' }],
      allowed_mentions: { parse: [] },
    })
  })

  scenario('R06', 'Feishu gets a post, signed where the bot asks for it', async () => {
    const plain = await told('feishu', nasty)
    expect(plain.body).toEqual({
      msg_type: 'post',
      content: {
        post: {
          zh_cn: {
            title: '[Sluice P1] Shop: 20 % of the submissions failed',
            content: [
              [{ tag: 'text', text: `Cause: ${nasty.cause}` }],
              [{ tag: 'text', text: 'Count: 2' }],
              [{ tag: 'text', text: 'What to do: Look at the run.' }],
            ],
          },
        },
      },
    })

    const { body, clock } = await told('feishu', {}, 'bot-secret')
    const timestamp = String(clock.now() / 1_000)
    const sign = createHmac('sha256', `${timestamp}\nbot-secret`).update('').digest('base64')
    expect(body).toMatchObject({ timestamp, sign, msg_type: 'post' })
  })

  scenario('R06', 'Feishu answers 200 also when it took nothing', async () => {
    const answers = [
      '{"code":19021,"msg":"sign match fail or timestamp is not within one hour"}',
      '{"StatusCode":9499}',
      '<html>',
      '{"StatusCode":0,"StatusMessage":"success"}',
    ]
    const everybody = await receiver((response, number) => {
      response.writeHead(200).end(answers[number - 1])
    })
    const { open, say, clock, lines } = await openAlerts({ everybody: everybody.target('feishu') })
    await say('raised')
    const delivery = open()
    const delivered: number[] = []
    for (let i = 0; i < answers.length; i++) {
      delivered.push((await delivery.deliver()).delivered)
      clock.advance(minutes(10))
    }
    expect(delivered).toEqual([0, 0, 0, 1])
    expect(lines[0]?.msg).toContain('answered 200 with code 19021: sign match fail')
  })

  scenario('R06', 'plain JSON is signed as Standard Webhooks says', async () => {
    const everybody = await receiver()
    const { open, say, clock } = await openAlerts({ everybody: everybody.target('json', SIGNING) })
    await say('raised')
    await open().deliver()

    const { headers = {}, body = '', url } = everybody.seen[0] ?? {}
    vi.useFakeTimers({ now: clock.now() })
    const verified = new Webhook(SIGNING).verify(body, headers as Record<string, string>)
    vi.useRealTimers()

    expect(verified).toMatchObject({ type: 'alert.raised' })
    expect(headers['webhook-id']).toBe(`alert_${clock.now()}_1`)
    expect([url, headers['content-type']]).toEqual([
      '/hook/secret-path',
      'application/json; charset=utf-8',
    ])
  })

  it('hide what slipped into a text', async () => {
    const about = { cause: 'https://x.example/a?key=abcdef failed; web_session=0123456789abcdef' }
    for (const format of ['slack', 'discord', 'feishu'] as const) {
      const { body } = await told(format, about)
      expect(JSON.stringify(body)).not.toMatch(/abcdef/)
    }
  })
})

describe('a webhook’s address', () => {
  const read = (address: string, format?: 'json' | 'slack' | 'discord' | 'feishu') => {
    const target = webhookTarget(new Secret(address), format)
    return target.ok ? target.value.format : target.failure
  }

  it('tells which format its receiver speaks', () => {
    expect(read('https://hooks.slack.com/services/T/B/X')).toBe('slack')
    expect(read('https://discord.com/api/webhooks/1/x')).toBe('discord')
    expect(read('https://canary.discord.com/api/webhooks/1/x')).toBe('discord')
    expect(read('https://discord.com/api/webhooks/1/x/slack')).toBe('slack')
    expect(read('https://discord.com/channels/1')).toBe('json')
    expect(read('https://open.feishu.cn/open-apis/bot/v2/hook/x')).toBe('feishu')
    expect(read('https://open.larksuite.com/open-apis/bot/v2/hook/x')).toBe('feishu')
    expect(read('https://evil-discord.com.example/api/webhooks/1')).toBe('json')
    expect(read('https://hooks.example.com/x')).toBe('json')
    expect(read('https://hooks.example.com/x', 'feishu')).toBe('feishu')
    expect(read('https://hooks.slack.com/services/T/B/X', 'json')).toBe('slack')
  })

  it('may carry the secret to sign with, which is not sent', () => {
    const target = webhookTarget(new Secret(`https://x.example/hook?a=1#${SIGNING}`))
    expect(target.ok && target.value.url.reveal()).toBe('https://x.example/hook?a=1')
    expect(target.ok && target.value.signingSecret?.reveal()).toBe(SIGNING)
    const bare = webhookTarget(new Secret('https://x.example/hook#'))
    expect(bare.ok && [bare.value.url.reveal(), bare.value.signingSecret]).toEqual([
      'https://x.example/hook',
      undefined,
    ])
    expect(read('https://x.example/hook#guess')).toMatch(/whsec_/)
    expect(read('nonsense')).toMatch(/not an http/)
    expect(JSON.stringify(target)).not.toContain('hook')
  })
})
