/** `SLUICE_MEASURE=1 npm run test:n8n`: how fast changes reach the Base, under the rule of one write at a time. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { openStage, type Stage } from './stage.ts'

const CHANGES = 10_000
const PER_REQUEST = 500

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await stage.run('setup-tables')
  await stage.run('feishu-writer')
})
afterAll(() => stage?.close())

it(
  `mirrors ${CHANGES} changes`,
  async () => {
    for (let from = 0; from < CHANGES; from += PER_REQUEST) {
      await stage.ask('POST', '/v1/candidates', {
        items: Array.from({ length: PER_REQUEST }, (_, n) => ({
          platform: 'page',
          note_url: `https://example.com/${from + n}`,
        })),
      })
    }
    const asked = stage.bitable.requests.length
    const startedAt = performance.now()
    let runs = 0
    for (let depth = CHANGES; depth > 0; runs++) {
      const kept = await stage.run('feishu-writer')
      expect(kept.status).toBe('success')
      depth = (await stage.ask<{ depth: number }>('GET', '/v1/outbox?limit=1')).depth
    }
    const took = performance.now() - startedAt

    const requests = stage.bitable.requests.slice(asked)
    const writes = requests.filter(({ target }) => /batch_(create|update)/.test(target))
    expect(stage.bitable.rows('tbl_candidate')).toHaveLength(CHANGES)
    expect(stage.bitable.conflicts).toEqual([])
    console.log(
      `${CHANGES} changes in ${(took / seconds(1)).toFixed(1)} s: ${Math.round((CHANGES / took) * minutes(1))} records a minute, ` +
        `${runs} runs, ${writes.length} writes of up to ${PER_REQUEST}, ${requests.length} requests to Feishu in all. ` +
        `The last change waited ${(took / seconds(1)).toFixed(1)} s.`,
    )
  },
  minutes(15),
)
