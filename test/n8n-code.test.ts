import { describe, expect } from 'vitest'
import { scenario } from './support/scenario.ts'
import { CODE_RUNS_AT, runCode } from './support/n8n/code-node.ts'

interface Written {
  readonly fields: { readonly idempotency_key: string }
}

const ask = [
  { id: 'one', platform: 'page', url: 'https://a.example/1' },
  { id: 'one', platform: 'feed', url: 'https://a.example/1' },
]
const sort = (answer: unknown) =>
  runCode('collect', 'Sort', { input: [answer], nodes: { Fetch: [{ ask, failed: [] }] } })
const failing = (code: string) => ({ id: 'one', success: false, error: { code } })

describe('collect', () => {
  scenario('C30', 'two platforms may have a note of one id', () => {
    const items = [{ id: 'one', success: true, data: { title: 'a page' } }, failing('NOT_FOUND')]

    const [sorted] = sort({ statusCode: 207, body: { items } })

    expect(sorted).toMatchObject({
      complete: [{ platform: 'page', note_id: 'one', note: { title: 'a page' } }],
      failed: [{ platform: 'feed', note_id: 'one', error_code: 'NOT_FOUND' }],
    })
  })

  scenario('C30', 'what nobody tried costs no attempt', () => {
    const items = [{ ...failing('PLATFORM_ERROR'), tried: false }, failing('PLATFORM_ERROR')]

    const [sorted] = sort({ statusCode: 207, body: { items } })

    expect(sorted).toMatchObject({ complete: [], failed: [{ platform: 'feed' }] })
  })

  scenario('C30', 'a refusal that no note is to blame for fails the run, and no note', () => {
    const refused = (statusCode: number) => ({
      statusCode,
      body: { error: { code: 'X', message: 'not now' } },
    })

    for (const statusCode of [401, 403, 429, 502, 503]) {
      expect(() => sort(refused(statusCode))).toThrow(`HTTP ${statusCode} not now`)
    }
    expect(sort(refused(500))[0]?.['failed']).toHaveLength(2)
  })
})

describe('candidates-in', () => {
  scenario('C30', 'of many new rows no more are taken than one write can mark', () => {
    const items = Array.from({ length: 1_200 }, (_, n) => ({
      record_id: `rec${n}`,
      fields: { platform: 'page', note_url: `https://a.example/${n}` },
    }))

    const rows = runCode('candidates-in', 'Rows', { input: [{ outcome: 'done', items }] })

    expect(rows).toHaveLength(500)
    expect(rows[499]).toMatchObject({ record_id: 'rec499', next: 'add' })
  })
})

describe('feishu-writer', () => {
  const writes = [{ ids: [1, 2], created: 2 }, { ids: [3], created: 1 }, { ids: [4, 5] }]
  const written = (...counts: readonly number[]) =>
    runCode('feishu-writer', 'Written', {
      input: counts.map((count) => ({ outcome: 'done', count })),
      nodes: { Writes: writes },
    })[0]

  scenario('C01', 'a create that made fewer rows than were sent is not acknowledged', () => {
    expect(written(2, 1, 0)).toEqual({ ids: [1, 2, 3, 4, 5], failure: null })
    expect(written(1, 1, 2)).toEqual({
      ids: [3, 4, 5],
      failure: 'Feishu created 1 of 2 rows; the next run looks them up.',
    })
  })
})

describe('reconcile', () => {
  const source = (note_id: string, created_at: string) => ({
    table: 'tbl_source',
    key: `page_${note_id}_v1`,
    fields: { platform: 'page', note_id, created_at },
  })
  const candidate = (note_id: string) => ({
    table: 'tbl_candidate',
    key: `page:${note_id}`,
    fields: { platform: 'page', note_id },
  })
  const rows = [
    source('old', '2020-01-01T00:00:00Z'),
    source('new', new Date(CODE_RUNS_AT).toISOString()),
    candidate('old'),
    candidate('new'),
    candidate('waiting'),
  ]
  const tables = { tbl_source: [['idempotency_key', 1]], tbl_candidate: [['idempotency_key', 1]] }
  const missed = (mirror_days: number) => {
    const asks = runCode('reconcile', 'Compare', {
      input: [
        { outcome: 'done', items: [] },
        { outcome: 'done', items: [] },
      ],
      nodes: {
        Settings: [{ tables, mirror_days }],
        Lists: Object.keys(tables).map((table) => ({ table, table_id: table })),
        Read: [{ read: 'sources', run: 0, rows }],
      },
    })
    const written = asks.map(({ body }) => JSON.parse(String(body)) as { records: Written[] })
    return written.flatMap(({ records }) => records.map(({ fields }) => fields.idempotency_key))
  }

  scenario('C30', 'what is older than the mirror keeps is not written back', () => {
    expect(missed(0)).toEqual(rows.map(({ key }) => key))
    expect(missed(7)).toEqual(['page_new_v1', 'page:new', 'page:waiting'])
  })
})

describe('notify', () => {
  const told = (...texts: readonly string[]) => {
    const [message] = runCode('notify', 'Message', {
      input: [{ bot_webhook_url: 'https://bot.example' }],
      nodes: { Called: texts.map((text) => ({ text })) },
    })
    return String(message?.['text'])
  }

  scenario('C40', 'a message is cut to what a bot takes, and says how many are left out', () => {
    const many = Array.from({ length: 100 }, (_, n) => `${n} ${'告'.repeat(300)}`)

    const text = told(...many)

    expect(told('one', 'two')).toBe('one\n\ntwo')
    expect(text).toMatch(/^0 告+\n\n1 [^]*\n\n… and 84 more$/)
    expect(Buffer.byteLength(text)).toBeLessThan(15_100)
    expect(told('💧'.repeat(5_000), 'two')).toBe(`${'💧'.repeat(3_750)}…\n\n… and 1 more`)
  })
})

describe('error', () => {
  scenario('X08', 'a failure counts as told once the bot has taken it', () => {
    const memory: Record<string, unknown> = { 'an older failure': 1 }
    const input = [
      {
        workflow: { id: 'sluice-collect', name: 'collect' },
        execution: { id: '7', error: { message: 'no lock' } },
      },
    ]
    const failed = () => runCode('error', 'What failed', { input, memory })

    const first = failed()
    const second = failed()
    runCode('error', 'Told', { input: [{}], nodes: { 'What failed': second }, memory })
    const third = failed()

    expect([first, second, third].map(([one]) => one?.['next'])).toEqual(['tell', 'tell', 'known'])
    expect(Object.keys(memory)).toEqual(['sluice-collect no lock'])
  })
})
