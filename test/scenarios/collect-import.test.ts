import { describe, expect } from 'vitest'
import { ownCaller } from '../../src/collect/caller.ts'
import { importNotes } from '../../src/collect/import-notes.ts'
import type { ImportedLine } from '../../src/collect/platforms/import/read-lines.ts'
import { openLog } from '../../src/core/log.ts'
import type { CandidateStore } from '../../src/stores/candidate-store.ts'
import {
  addCandidates,
  COLLECT_BACKENDS,
  type CollectWorld,
  noteIdOf,
  openCollectWorld,
  startExecution,
} from '../support/collect-world.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'

const line = (value: unknown) => JSON.stringify(value)
const note = (note_id: string, more: object = {}) =>
  line({ note_id, text: `text of ${note_id}`, ...more })

const bring = (world: CollectWorld, ...lines: readonly string[]) =>
  world.data<Readonly<Record<string, unknown>>>('POST', '/v1/import', { lines }, { as: 'collect' })

describe.each(COLLECT_BACKENDS)('import on $name', (backend) => {
  scenario('C20', 'notes are written once, addresses wait, bad lines are told', async () => {
    const world = await openCollectWorld(backend)
    const page = line({ platform: 'page', note_url: 'https://blog.example.com/post' })

    const first = await bring(world, note('n1'), page, '', '{"note_id":', note('n 2'), note('n3'))
    const again = await bring(world, note('n1', { text: 'another' }), page)

    expect(first).toEqual({
      notes_created: 2,
      notes_skipped: 0,
      candidates_created: 1,
      candidates_skipped: 0,
      errors: [
        { line: 4, why: expect.stringContaining('not JSON') as string },
        { line: 5, why: expect.stringContaining('note_id may have') as string },
      ],
    })
    expect(again).toMatchObject({ notes_created: 0, notes_skipped: 1, candidates_skipped: 1 })
    const sources = await world.stores.sources.since(0, 10)
    expect(sources.map(({ noteId, note: kept }) => [noteId, kept['text']])).toEqual([
      ['n1', 'text of n1'],
      ['n3', 'text of n3'],
    ])
    expect(await world.stores.candidates.count()).toMatchObject({ pending: 1, collected: 2 })
    const outbox = await world.stores.outbox.page(100)
    expect(outbox.filter(({ table }) => table === 'tbl_source')).toHaveLength(2)
  })

  scenario('C02', 'a note that would have the key of another spoils no other', async () => {
    const world = await openCollectWorld(backend)
    await bring(world, note('n1', { platform: 'page' }))

    const brought = await bring(world, note('page_n1', { platform: 'xhs' }), note('n2'))

    expect(brought).toMatchObject({ notes_created: 1, errors: [{ line: 1 }] })
    expect(await world.stores.candidates.count()).toMatchObject({ pending: 0, collected: 2 })
  })

  scenario('C03', 'gives its lock back, and is refused while another import runs', async () => {
    const world = await openCollectWorld(backend)

    await bring(world, note('n1'))
    const [own] = await world.stores.executions.list(1)
    await startExecution(world, 'import')
    const refused = await world.ask('POST', '/v1/import', { lines: [note('n2')] })

    expect(own).toMatchObject({ workflowName: 'import', status: 'completed', itemsProcessed: 1 })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'LOCKED' } } })
    expect(await world.stores.sources.since(0, 10)).toHaveLength(1)
  })

  scenario(
    'C03',
    'an import that is refused has done nothing, not even for an address',
    async () => {
      const world = await openCollectWorld(backend)
      const page = line({ platform: 'page', note_url: 'https://blog.example.com/post' })
      await startExecution(world, 'import')

      const refused = await world.ask('POST', '/v1/import', { lines: [page, note('n1')] })
      const waiting = await world.stores.candidates.count()
      const addressAlone = await bring(world, page)

      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'LOCKED' } } })
      expect(waiting).toMatchObject({ pending: 0, processing: 0, collected: 0 })
      expect(addressAlone).toMatchObject({ candidates_created: 1 })
    },
  )

  scenario('C04', 'a note that is being fetched is left to who fetches it', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 1)
    const { execution_id } = await startExecution(world)
    await world.data('POST', '/v1/candidates/claim', { execution_id })

    const brought = await bring(world, note(noteIdOf(0), { platform: 'xhs' }), note('n2'))

    expect(brought).toMatchObject({
      notes_created: 1,
      errors: [{ line: 1, why: expect.stringContaining('being fetched at this moment') as string }],
    })
    expect(await world.stores.candidates.list('processing', 9)).toMatchObject([
      { noteId: noteIdOf(0), processingLock: execution_id },
    ])
  })

  scenario('C05', 'an import that lost its lock says that nothing was written', async () => {
    const world = await openCollectWorld(backend)
    const { candidates } = world.stores
    const caller = callerIn(world)
    const importing = importingWith(world, {
      // The machine slept: by now somebody has swept.
      async complete(...ask) {
        world.clock.advance(1_000)
        await candidates.recover(1_000, caller)
        return candidates.complete(...ask)
      },
    })

    const imported = await importNotes(importing, ['a line'], caller)

    expect(imported).toMatchObject({
      ok: true,
      value: { notes: { created: 0 }, errors: [{ line: 1 }] },
    })
    expect(await world.stores.sources.since(0, 9)).toEqual([])
  })

  scenario('C05', 'an import that breaks off has failed, and gives its lock back', async () => {
    const world = await openCollectWorld(backend)
    const importing = importingWith(world, {
      async complete() {
        throw new Error('the disk is full')
      },
    })

    const broken = importNotes(importing, ['a line'], callerIn(world))
    await expect(broken).rejects.toThrow('the disk is full')
    const [execution] = await world.stores.executions.list(1)
    const again = await bring(world, note('n1'))

    expect(execution).toMatchObject({ workflowName: 'import', status: 'failed' })
    expect(again).toMatchObject({ notes_created: 1, errors: [] })
  })

  scenario('C13', 'no line, too many, or none that is text: nothing is read', async () => {
    const world = await openCollectWorld(backend)

    const wrong = [{ lines: [] }, { lines: Array(101).fill('{}') }, { lines: [{}] }, {}]
    const answers = await Promise.all(wrong.map((body) => world.ask('POST', '/v1/import', body)))
    const stranger = await world.ask('POST', '/v1/import', { lines: ['{}'] }, { as: 'read' })

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    for (const { body } of answers) expect(body.error?.code).toBe('INVALID_INPUT')
    for (const { body } of answers) expect(body.error?.message).toContain('{"lines": ["…", "…"]}')
    expect(stranger.status).toBe(403)
    expect(await world.stores.executions.list(9)).toEqual([])
  })
})

const callerIn = ({ clock }: CollectWorld) =>
  ownCaller({
    random: countingRandom(),
    log: openLog({ clock, level: 'error', write: () => undefined }),
  })

const importingWith = ({ stores }: CollectWorld, changed: Partial<CandidateStore>) => ({
  executions: stores.executions,
  random: countingRandom(),
  lockTimeoutMs: 1_000,
  readLines: oneNote,
  candidates: { ...stores.candidates, ...changed },
})

async function* oneNote(): AsyncGenerator<ImportedLine> {
  yield {
    kind: 'note',
    line: 1,
    note: {
      platform: 'import',
      noteId: 'n1',
      canonicalUrl: 'https://example.com/n1',
      kind: 'article',
      title: 'a note',
      text: '',
      tags: [],
      media: [],
      author: undefined,
      metrics: {},
      publishedAt: undefined,
      editedAt: undefined,
      crawledAt: 0,
      adapter: 'import@1',
    },
  }
}
