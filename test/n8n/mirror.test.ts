import { afterAll, beforeAll, describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { openStage, type Stage } from './stage.ts'

describe('the mirror in a real n8n', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage.close())

  scenario('C09', 'setup-tables makes the four tables', async () => {
    const kept = await stage.run('setup-tables')
    console.log(JSON.stringify(kept.data.resultData).slice(0, 3000))

    expect(kept.status).toBe('success')
    expect(stage.bitable.rows('tbl_source')).toEqual([])
  })

  scenario('C30', 'feishu-writer', async () => {
    await stage.addNotes(0, 3)
    await stage.run('collect')

    const kept = await stage.run('feishu-writer')
    console.log(JSON.stringify(kept.data.resultData).slice(0, 6000))

    expect(kept.status).toBe('success')
    console.log(
      stage.bitable.rows('tbl_source'),
      stage.bitable.rows('tbl_candidate'),
      stage.bitable.rows('tbl_crawl_execution'),
    )
    console.log(stage.bitable.complaints)
  })
})
