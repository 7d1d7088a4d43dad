import { afterAll, beforeAll, describe, expect } from 'vitest'
import { noteIdOf } from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { refuses } from '../support/stand-ins/bitable/codes.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { outputOf, ranNodes } from './execution.ts'
import { expectMirrored } from './mirrored.ts'
import { openStage, SECRETS, type Stage } from './stage.ts'

interface Shown {
  readonly platform: string
  readonly note_id: string
  readonly status: string
  readonly retry_count: number
  readonly last_error_code: string | null
  readonly exec_meta: { readonly request_id: string }
}

/** One n8n for all of them: what a test leaves behind is there for the next, as in life. */
describe('the shipped workflows in a real n8n', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  const candidatesFrom = async (first: number, count: number): Promise<readonly Shown[]> => {
    const { candidates } = await stage.ask<{ candidates: Shown[] }>(
      'GET',
      '/v1/candidates?limit=1000',
    )
    return Array.from({ length: count }, (_, n) => noteIdOf(first + n)).flatMap((id) =>
      candidates.filter(({ note_id }) => note_id === id),
    )
  }
  const depth = async () => (await stage.ask<{ depth: number }>('GET', '/v1/outbox')).depth

  scenario('C30', 'a batch of three with one time-out: two collected, one pending', async () => {
    await stage.addNotes(0, 3)
    stage.xhs.script({}, { fault: 'hang' })

    const kept = await stage.run('collect')

    const after = await candidatesFrom(0, 3)
    expect(kept.status).toBe('success')
    expect(after.map(({ status }) => status).toSorted()).toEqual([
      'collected',
      'collected',
      'pending',
    ])
    expect(after.find(({ status }) => status === 'pending')).toMatchObject({
      retry_count: 1,
      last_error_code: 'TIMEOUT_ERROR',
    })
    const { executions } = await stage.ask<{ executions: Shown[] }>('GET', '/v1/executions')
    expect(executions.map(({ status }) => status)).toEqual(['completed'])
  })

  scenario('C20', 'a host that rests costs one attempt, not one for each note', async () => {
    await stage.addNotes(3, 3)
    // The one that is still pending goes with them.
    stage.xhs.always(answers(461))

    const kept = await stage.run('collect')
    stage.xhs.always()
    const after = await candidatesFrom(0, 6)
    await stage.restartSluice()
    await stage.run('collect')

    expect(kept.status).toBe('success')
    const waiting = after.filter(({ status }) => status === 'pending')
    expect(waiting).toHaveLength(4)
    // One time-out before, one challenge now.
    expect(waiting.reduce((sum, { retry_count }) => sum + retry_count, 0)).toBe(2)
    expect((await candidatesFrom(0, 6)).map(({ status }) => status)).toEqual(
      Array.from({ length: 6 }, () => 'collected'),
    )
  })

  scenario('C03', 'two executions of collect at once: one works, one leaves quietly', async () => {
    await stage.addNotes(10, 1)
    // Long enough for both to have asked.
    stage.xhs.script({ fault: 'hang' }, { fault: 'hang' })

    const both = await stage.runAtOnce('collect', 2)

    expect(both.map(({ status }) => status)).toEqual(['success', 'success'])
    const ends = both.map((kept) => ranNodes(kept).at(-1) ?? '')
    expect(ends.toSorted()).toEqual(['Another one is at work', 'Done'])
    expect(stage.bot.texts).toEqual([])
    await stage.run('collect')
  })

  scenario(
    'C11',
    'a note that the API refuses fails by itself, the others are collected',
    async () => {
      await stage.addNotes(20, 2)
      // It was taken while its platform was on.
      const page = { platform: 'page', note_url: `${stage.xhs.baseUrl}/a` }
      await stage.ask('POST', '/v1/candidates', { items: [page] })
      await stage.restartSluice({ COLLECT_PLATFORMS: 'xhs' })

      const kept = await stage.run('collect')
      await stage.restartSluice()

      expect(kept.status).toBe('success')
      expect((await candidatesFrom(20, 2)).map(({ status }) => status)).toEqual([
        'collected',
        'collected',
      ])
      const { candidates } = await stage.ask<{ candidates: Shown[] }>('GET', '/v1/candidates')
      expect(candidates.find(({ platform }) => platform === 'page')).toMatchObject({
        status: 'pending',
        last_error_code: 'UNSUPPORTED_OPERATION',
      })
    },
  )

  scenario('C05', 'recover frees what a dead execution held', async () => {
    await stage.addNotes(30, 2)
    const { execution_id } = await stage.ask<{ execution_id: string }>('POST', '/v1/executions', {
      workflow_name: 'dead',
    })
    await stage.ask('POST', '/v1/candidates/claim', { execution_id, batch_size: 100 })
    await stage.restartSluice({ LOCK_TIMEOUT_MINUTES: '0.00001', RECOVERY_INTERVAL_MINUTES: '60' })

    const kept = await stage.run('recover')
    await stage.restartSluice()

    expect(kept.status).toBe('success')
    expect((await candidatesFrom(30, 2)).map(({ status }) => status)).toEqual([
      'pending',
      'pending',
    ])
    const { executions } = await stage.ask<{
      executions: { execution_id: string; status: string }[]
    }>('GET', '/v1/executions')
    expect(executions.find((one) => one.execution_id === execution_id)?.status).not.toBe('running')
  })

  scenario('C09', 'setup-tables makes the four tables, and what a table lacks', async () => {
    const first = await stage.run('setup-tables')
    const made = stage.bitable.requests.filter(({ method }) => method === 'POST').length
    const again = await stage.run('setup-tables')

    expect([first.status, again.status]).toEqual(['success', 'success'])
    for (const table of ['tbl_cookie', 'tbl_candidate', 'tbl_crawl_execution', 'tbl_source']) {
      expect(stage.bitable.rows(table)).toEqual([])
    }
    // The second time only a token was asked for, as often as Feishu was.
    const more = stage.bitable.requests.filter(({ method }) => method === 'POST').slice(made)
    expect(new Set(more.map(({ target }) => target.includes('tenant_access_token')))).toEqual(
      new Set([true]),
    )
  })

  scenario('C01', 'feishu-writer brings every change to the Base and acknowledges it', async () => {
    await stage.run('collect')
    expect(await depth()).toBeGreaterThan(0)

    const kept = await stage.run('feishu-writer')

    expect(kept.status).toBe('success')
    await expectMirrored(stage)
    expect(stage.bitable.complaints).toEqual([])
    expect(stage.bitable.conflicts).toEqual([])
    const cookies = stage.bitable.rows('tbl_cookie').map(({ fields }) => fields)
    expect(cookies).toMatchObject([{ cookie_name: 'mine', platform: 'xhs', status: 'active' }])
    expect(cookies[0]).not.toHaveProperty('cookie_encrypted')
    const names = stage.bitable
      .rows('tbl_crawl_execution')
      .map(({ fields }) => fields['workflow_name'])
    expect(new Set(names)).toEqual(new Set(['collect', 'dead']))
  })

  scenario('C06', 'one search shows the whole way of an execution', async () => {
    await stage.addNotes(40, 1)
    const kept = await stage.run('collect')
    const id = `n8n-collect-${kept.id}`
    const { entries } = await stage.ask<{ entries: { table: string; request_id: string }[] }>(
      'GET',
      '/v1/outbox?limit=1000',
    )

    await stage.run('feishu-writer')

    const [candidate] = await candidatesFrom(40, 1)
    expect(candidate?.exec_meta.request_id).toBe(id)
    expect(
      entries.filter(({ request_id }) => request_id === id).map(({ table }) => table),
    ).toContain('tbl_source')
    const logged = stage
      .sluiceLog()
      .split('\n')
      .filter((line) => line.includes(`"${id}"`))
    for (const path of ['/v1/executions', 'claim', '/v1/notes/detail', 'complete', 'finish']) {
      expect(logged.some((line) => line.includes(path))).toBe(true)
    }
    const row = stage.bitable
      .rows('tbl_source')
      .find(({ fields }) => fields['note_id'] === noteIdOf(40))
    expect(row?.fields['exec_meta']).toContain(id)
  })

  scenario(
    'C30',
    'candidates-in takes the rows that people add, and says which it cannot',
    async () => {
      const note_url = stage.xhs.linkTo(noteIdOf(50))
      const good = stage.bitable.addRow('tbl_candidate', { platform: 'xhs', note_url })
      const bad = stage.bitable.addRow('tbl_candidate', { platform: 'xhs', note_url: 'nonsense' })

      const kept = await stage.run('candidates-in')
      await stage.run('collect')
      await stage.run('feishu-writer')

      expect(kept.status).toBe('success')
      const rows = new Map(
        stage.bitable.rows('tbl_candidate').map(({ recordId, fields }) => [recordId, fields]),
      )
      expect(rows.get(good)).toMatchObject({
        idempotency_key: `xhs:${noteIdOf(50)}`,
        note_id: noteIdOf(50),
        status: 'collected',
      })
      expect(rows.get(bad)).toMatchObject({ status: 'failed', last_error_code: 'INVALID_INPUT' })
      const asked = stage.bitable.requests.length
      expect(outputOf(await stage.run('candidates-in'), 'Rows')).toEqual([{ next: 'finish' }])
      expect(stage.bitable.requests.length).toBeGreaterThan(asked)
      stage.bitable.removeRow('tbl_candidate', bad)
      await expectMirrored(stage)
    },
  )

  scenario('C30', 'reconcile mends the Base and tells what it found', async () => {
    const [kept0, kept1, kept2] = stage.bitable.rows('tbl_source')
    if (!kept0 || !kept1 || !kept2) throw new Error('too few rows')
    stage.bitable.addRow('tbl_source', kept0.fields)
    stage.bitable.changeRow('tbl_source', kept1.recordId, { title: 'written by hand' })
    stage.bitable.removeRow('tbl_source', kept2.recordId)
    stage.bitable.addRow('tbl_source', { idempotency_key: 'nobody_knows_v1' })

    const kept = await stage.run('reconcile')
    const again = await stage.run('reconcile')

    expect([kept.status, again.status]).toEqual(['success', 'success'])
    expect(stage.bot.texts.at(-2)).toBe(
      'Reconciled the Base with Sluice: 1 duplicates removed, 1 missing rows written, 1 differing rows mended, 1 rows that Sluice does not know left alone.',
    )
    expect(stage.bot.texts.at(-1)).toBe(
      'Reconciled the Base with Sluice: 0 duplicates removed, 0 missing rows written, 0 differing rows mended, 1 rows that Sluice does not know left alone.',
    )
    const rows = stage.bitable.rows('tbl_source')
    expect(rows.find(({ recordId }) => recordId === kept1.recordId)?.fields).toEqual(kept1.fields)
    const strange = rows.find(({ fields }) => fields['idempotency_key'] === 'nobody_knows_v1')
    stage.bitable.removeRow('tbl_source', strange?.recordId ?? '')
    await expectMirrored(stage)
  })

  scenario('C40', 'alerts are told once each, signed: raised, then resolved', async () => {
    const told = stage.bot.texts.length
    await stage.ask('POST', '/v1/cookies/mine/disable')
    await stage.ask('POST', '/test/alerts/0')
    const raised = await stage.run('alerts')
    const quiet = await stage.run('alerts')

    await stage.ask('POST', '/v1/cookies/mine/reactivate')
    await stage.ask('POST', '/test/alerts/1')
    await stage.ask('POST', '/test/alerts/7')
    const resolved = await stage.run('alerts')

    expect([raised, quiet, resolved].map(({ status }) => status)).toEqual([
      'success',
      'success',
      'success',
    ])
    expect(stage.bot.texts.slice(told)).toEqual([
      expect.stringContaining('[P0] xhs: no cookie is active'),
      '[P0] resolved: xhs: no cookie is active',
    ])
    expect(stage.bot.complaints).toEqual([])
  })

  scenario(
    'X08',
    'a workflow that fails tells so, once an hour, and gives its lock back',
    async () => {
      const told = stage.bot.texts.length
      await stage.addNotes(60, 1)
      stage.bitable.keepMeeting(['list-tables'], refuses(1254040))
      const before = await stage.n8n.executions.newestId()
      const first = await stage.run('feishu-writer')
      // It counts as told when the error workflow is over.
      await stage.n8n.executions.after('sluice-error', before, 1)
      const second = await stage.run('feishu-writer')
      stage.bitable.keepMeeting(['list-tables'])
      await stage.stopSluice()
      const nextArrival = stage.bot.arrival()
      const third = await stage.run('collect')
      await nextArrival
      await stage.restartSluice()

      expect([first, second, third].map(({ status }) => status)).toEqual([
        'error',
        'error',
        'error',
      ])
      expect(stage.bot.texts.slice(told)).toEqual([
        expect.stringMatching(/feishu-writer failed in "Failed".*\n.*1254040 BaseTokenNotFound/),
        expect.stringMatching(/collect failed in "No lock"/),
      ])
      const { executions } = await stage.ask<{ executions: Shown[] }>('GET', '/v1/executions')
      expect(executions.filter(({ status }) => status === 'running')).toEqual([])
      expect((await stage.run('feishu-writer')).status).toBe('success')
    },
  )

  scenario('C07', 'no secret is in anything that n8n, Sluice or the bot keeps', async () => {
    await stage.run('feishu-writer')
    const tenantToken = stage.bitable.requests
      .map(({ headers }) => headers.authorization?.replace('Bearer ', ''))
      .find(Boolean)

    const kept = stage.home.bytes()
    const places = {
      n8n: kept,
      'log of n8n': Buffer.from(stage.n8n.log()),
      'log of Sluice': Buffer.from(stage.sluiceLog()),
      bot: Buffer.from(stage.bot.texts.join('\n')),
      Base: Buffer.from(JSON.stringify(stage.bitable.rows('tbl_cookie'))),
    }
    const found = Object.entries(places).flatMap(([place, bytes]) =>
      Object.entries({ ...SECRETS, tenantToken: tenantToken ?? '' })
        .filter(([, secret]) => bytes.includes(secret))
        .map(([name]) => `${name} in ${place}`),
    )
    expect(tenantToken).toMatch(/^t-/)
    expect(kept.includes('n8n-feishu-writer-')).toBe(true)
    expect(found).toEqual([])
  })
})
