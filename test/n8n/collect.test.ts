import { afterAll, beforeAll, describe, expect } from 'vitest'
import { noteIdOf } from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { outputOf, ranNodes } from './execution.ts'
import { openStage, type Stage } from './stage.ts'

interface Shown {
  readonly note_id: string
  readonly status: string
  readonly retry_count: number
  readonly last_error_code: string | null
  readonly exec_meta: { readonly request_id: string }
}

describe('collecting in a real n8n', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage.close())

  const candidates = async (): Promise<Readonly<Record<string, Shown>>> => {
    const { candidates: all } = await stage.ask<{ candidates: Shown[] }>('GET', '/v1/candidates')
    return Object.fromEntries(all.map((one) => [Number.parseInt(one.note_id, 16), one]))
  }

  scenario('C30', 'a batch of three with one time-out: two collected, one pending', async () => {
    await stage.addNotes(0, 3)
    const { length } = stage.xhs.requests
    stage.xhs.script({}, { fault: 'hang' })

    const kept = await stage.run('collect')

    const { 0: first, 1: second, 2: third } = await candidates()
    expect(kept.status).toBe('success')
    expect([first?.status, second?.status, third?.status].toSorted()).toEqual([
      'collected',
      'collected',
      'pending',
    ])
    expect(stage.xhs.requests.length - length).toBe(3)
    const [hung] = [first, second, third].filter((one) => one?.status === 'pending')
    expect(hung).toMatchObject({ retry_count: 1, last_error_code: 'TIMEOUT_ERROR' })
    console.log(kept.id, noteIdOf(0), ranNodes(kept), outputOf(kept, 'Done'))
  })
})
