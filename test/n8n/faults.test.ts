import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { refuses } from '../support/stand-ins/bitable/codes.ts'
import { afterEffect, breaks, json, type SeenRequest } from '../support/stand-ins/stand-in.ts'
import { ranNodes } from './execution.ts'
import { expectMirrored } from './mirrored.ts'
import { startN8n } from './n8n-server.ts'
import { doorOf } from './shipped.ts'
import { openStage, type Stage } from './stage.ts'

/** Whatever happens on the way: in the end every record is in the Base once, as it should be, and nothing waits. */
describe('the mirror when something breaks', () => {
  let stage: Stage
  let added = 0
  beforeAll(async () => {
    stage = await openStage()
    await stage.run('setup-tables')
  })
  afterEach(async () => {
    await stage.run('feishu-writer')
    await stage.run('reconcile')
    await expectMirrored(stage)
  })
  afterAll(() => stage?.close())

  /** New notes, collected and waiting in the outbox. */
  const collectNotes = async (count = 3) => {
    await stage.addNotes(added, count)
    added += count
    const kept = await stage.run('collect')
    expect(kept.status).toBe('success')
  }
  /** After it nobody holds a lock any more that was not heard of meanwhile. */
  const halfAnHour = async () => {
    await stage.restartSluice({ LOCK_TIMEOUT_MINUTES: '0.00001' })
    await stage.run('recover')
    await stage.restartSluice()
  }
  const arrivalOf = async (call: string): Promise<SeenRequest> => {
    for (;;) {
      const request = await stage.bitable.arrival()
      if (request.target.includes(call)) return request
    }
  }
  const creates = (from: number) =>
    stage.bitable.requests.slice(from).filter(({ target }) => target.includes('batch_create'))
  const tokensOf = (requests: readonly SeenRequest[]) =>
    new Set(
      requests.map(({ target }) => new URL(target, 'http://x').searchParams.get('client_token')),
    )

  scenario('C30', 'an answer that is lost: the same request again, and one row', async () => {
    await collectNotes()
    const before = stage.bitable.requests.length
    stage.bitable.meet(['batch-create'], afterEffect(breaks('reset')))

    const kept = await stage.run('feishu-writer')

    expect(kept.status).toBe('success')
    const [first, second] = creates(before)
    expect(second?.body).toBe(first?.body)
    expect(second?.target).toBe(first?.target)
    await expectMirrored(stage)
  })

  scenario(
    'C30',
    'every answer is lost: the next run looks the rows up and creates none',
    async () => {
      await collectNotes()
      const lost = breaks('reset')
      stage.bitable.meet(['batch-create'], afterEffect(lost), lost, lost, lost)
      const failed = await stage.run('feishu-writer')
      const rows =
        stage.bitable.rows('tbl_candidate').length + stage.bitable.rows('tbl_source').length
      stage.bitable.forgetClientTokens()

      const kept = await stage.run('feishu-writer')

      expect([failed.status, kept.status]).toEqual(['error', 'success'])
      expect(rows).toBeGreaterThan(0)
      await expectMirrored(stage)
    },
  )

  scenario('C01', 'Bitable says that it made no row: nothing of it is acknowledged', async () => {
    await collectNotes()
    const made = json(200, { code: 0, msg: 'success', data: { records: [] } })
    stage.bitable.meet(['batch-create'], { reply: made })

    const failed = await stage.run('feishu-writer')
    const kept = await stage.run('feishu-writer')

    expect([failed.status, kept.status]).toEqual(['error', 'success'])
    expect(failed.data.resultData.error?.message).toMatch(/created 0 of \d+ rows/)
    await expectMirrored(stage)
  })

  scenario('C30', 'a stale search makes a duplicate, and reconcile removes it', async () => {
    await collectNotes()
    const lost = breaks('reset')
    stage.bitable.stopIndexing()
    stage.bitable.meet(['batch-create'], afterEffect(lost), lost, lost, lost)
    await stage.run('feishu-writer')
    stage.bitable.forgetClientTokens()
    await stage.run('feishu-writer')
    stage.bitable.catchUp()
    const before = stage.bot.texts.length
    const keys = ['tbl_cookie', 'tbl_candidate', 'tbl_crawl_execution', 'tbl_source'].flatMap(
      (table) => stage.bitable.rows(table).map(({ fields }) => fields['idempotency_key']),
    )

    await stage.run('reconcile')

    expect(keys.length).toBeGreaterThan(new Set(keys).size)
    const told = stage.bot.texts.slice(before).filter((text) => /[1-9]\d* duplicates/.test(text))
    expect(told).toHaveLength(1)
    await expectMirrored(stage)
  })

  scenario('C30', 'a token that expires in the middle is fetched anew', async () => {
    await collectNotes()
    const search = arrivalOf('/records/search')
    const running = stage.run('feishu-writer')
    await search
    stage.bitable.expireTokens()

    const kept = await running

    expect(kept.status).toBe('success')
    await expectMirrored(stage)
  })

  scenario(
    'C30',
    'write conflicts for longer than a run waits: nothing is lost, nothing is acknowledged',
    async () => {
      await collectNotes()
      const { depth } = await stage.ask<{ depth: number }>('GET', '/v1/outbox')
      const before = stage.bitable.requests.length
      stage.bitable.keepMeeting(['batch-create', 'batch-update'], refuses(1254291))
      const failed = await stage.run('feishu-writer')
      const asked = creates(before)
      const { depth: still } = await stage.ask<{ depth: number }>('GET', '/v1/outbox')
      stage.bitable.keepMeeting(['batch-create', 'batch-update'])

      const kept = await stage.run('feishu-writer')

      expect([failed.status, kept.status]).toEqual(['error', 'success'])
      // Once, and once after each of three waits; the rest of the page was not tried.
      expect(asked).toHaveLength(4)
      expect(tokensOf(asked).size).toBe(1)
      expect(still).toBe(depth)
      await expectMirrored(stage)
    },
  )

  scenario(
    'C30',
    'Sluice is gone when the acknowledgement comes: the next run writes the same again',
    async () => {
      await collectNotes()
      const release = stage.bitable.holdWrites()
      const write = arrivalOf('batch_')
      const running = stage.run('feishu-writer')
      await write
      await stage.stopSluice()
      release()
      const failed = await running
      await halfAnHour()

      const kept = await stage.run('feishu-writer')

      expect([failed.status, kept.status]).toEqual(['error', 'success'])
      // At once, and after each of three waits.
      expect(failed.data.resultData.runData['Finish']).toHaveLength(4)
      await expectMirrored(stage)
    },
  )

  scenario('C03', 'two n8n at once: one writes, one leaves, no two writes overlap', async () => {
    await collectNotes()
    const other = await startN8n(stage.twin)
    const release = stage.bitable.holdWrites()
    const write = arrivalOf('batch_')
    const first = stage.run('feishu-writer')
    await write

    const before = await other.executions.newestId()
    await other.start(doorOf('feishu-writer'))
    const [second] = await other.executions.after('sluice-feishu-writer', before, 1)
    release()

    expect((await first).status).toBe('success')
    expect(second && ranNodes(second).at(-1)).toBe('Another one is at work')
    expect(stage.bitable.conflicts).toEqual([])
    await other.stop()
    await expectMirrored(stage)
  })

  scenario('C05', 'n8n is killed between the write and the acknowledgement', async () => {
    await collectNotes()
    stage.bitable.meet(['batch-create'], afterEffect(breaks('hang')))
    const write = arrivalOf('batch_create')
    stage.run('feishu-writer').catch(() => undefined)
    await write
    await stage.killN8n()
    await stage.startN8nAgain()
    const held = await stage.run('feishu-writer')
    await halfAnHour()

    const kept = await stage.run('feishu-writer')

    expect(ranNodes(held).at(-1)).toBe('Another one is at work')
    expect(kept.status).toBe('success')
    await expectMirrored(stage)
  })
})
