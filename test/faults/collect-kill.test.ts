import { join } from 'node:path'
import { setTimeout as passing } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { survivesKill } from '../contracts/survives-kill.ts'
import { bearer, type RunningServer, startServer, temporaryFolder } from '../server/support.ts'
import { COLLECT_BACKENDS, noteIdOf, sessionCookie } from '../support/collect-world.ts'
import { openXhsStandIn, type Xhs } from '../support/stand-ins/xhs.ts'

const TOKEN = 'token-of-the-fault-tests'
const LONG = minutes(3)
const NOTES_PER_KILL = 3
const KILLS_PER_STEP = 2

/** In the order of a run; each is killed while the server has been asked for it. */
const STEPS = ['acquire', 'claim', 'detail', 'complete', 'finish'] as const
type Step = (typeof STEPS)[number]

describe('kill -9 while collecting', () => {
  it.each(STEPS)(
    'C05 — in %s: records come back, late writes are refused, nothing is there twice',
    async (step) => {
      const world = await openKillWorld()

      for (let kill = 0; kill < KILLS_PER_STEP; kill++) {
        await world.addNotes(NOTES_PER_KILL)
        const dead = await world.killIn(step)
        const late = await world.lateWrites(dead)

        expect(new Set(late)).toEqual(new Set(dead === undefined ? [] : ['409 LOCK_LOST']))
        expect(await world.heldBy()).toEqual([])
        expect(await world.running()).toEqual([])
      }
      await world.undisturbedRun()

      const all = Array.from({ length: KILLS_PER_STEP * NOTES_PER_KILL }, (_, n) => noteIdOf(n))
      expect(await world.written()).toEqual({ sources: all, inOutbox: all, collected: all })
    },
    LONG,
  )
})

const origin = { requestId: 'r-1' }
const keys = ['n1', 'n2'].map((noteId) => ({ platform: 'xhs', noteId }))
const acquire = { workflowName: 'collect', executionId: 'exec-1', timeoutMs: 1_000 }

/** The calls that a run makes, each killed before every one of its statements and before its commit. */
describe.each(COLLECT_BACKENDS.filter(({ oneProcessOnly }) => !oneProcessOnly))(
  'a killed call on $name',
  (backend) => {
    type Stores = Parameters<Parameters<typeof survivesKill>[1]['arrange']>[0]
    const candidates = (stores: Stores) =>
      stores.candidates.add(
        keys.map((key) => ({ ...key, noteUrl: 'https://example.com/' })),
        origin,
      )
    const started = async (stores: Stores) => {
      await candidates(stores)
      await stores.executions.acquire(acquire, origin)
    }
    const claimed = async (stores: Stores) => {
      await started(stores)
      await stores.candidates.claim('exec-1', 10, origin)
    }
    const everything = async (stores: Stores) => [
      await stores.executions.list(9),
      await stores.candidates.list(undefined, 9),
      await stores.sources.since(0, 9),
      (await stores.outbox.page(99)).map(({ table, fields }) => [table, fields]),
    ]
    const calls = {
      acquire: [candidates, (stores) => stores.executions.acquire(acquire, origin)],
      claim: [started, (stores) => stores.candidates.claim('exec-1', 10, origin)],
      claimThese: [started, (stores) => stores.candidates.claimThese('exec-1', keys, origin)],
      fail: [
        claimed,
        (stores) =>
          stores.candidates.fail(
            'exec-1',
            keys.map((key) => ({ ...key, errorCode: 'PLATFORM_ERROR' })),
            origin,
          ),
      ],
      finish: [claimed, (stores) => stores.executions.finish('exec-1', 'failed', origin)],
      recover: [claimed, (stores) => stores.candidates.recover(0, origin)],
    } as const satisfies Record<
      string,
      readonly [(stores: Stores) => Promise<unknown>, (stores: Stores) => Promise<unknown>]
    >

    it.each(Object.entries(calls))(
      'C05 — %s happens whole or not at all',
      (_, [arrange, act]) => survivesKill(backend, { arrange, act, look: everything }),
      LONG,
    )
  },
)

interface Shown {
  readonly note_id: string
  readonly execution_id: string
  readonly status: string
}

interface KillWorld {
  addNotes(count: number): Promise<void>
  /** Kills the server in a step; gives the execution, where its client knows of one. */
  killIn(step: Step): Promise<string | undefined>
  /** What a server that came after the time-out answers to the dead one's client. */
  lateWrites(executionId: string | undefined): Promise<readonly string[]>
  heldBy(): Promise<readonly Shown[]>
  running(): Promise<readonly Shown[]>
  undisturbedRun(): Promise<void>
  /** Ids of notes, in their order. */
  written(): Promise<Readonly<Record<'sources' | 'inOutbox' | 'collected', readonly string[]>>>
}

async function openKillWorld(): Promise<KillWorld> {
  const all = KILLS_PER_STEP * NOTES_PER_KILL
  const notes = Array.from({ length: all }, (_, n) => ({ noteId: noteIdOf(n), token: `AB${n}=` }))
  const xhs = await openXhsStandIn({ clock: systemClock, sessions: ['session-1'], notes })
  onTestFinished(() => xhs.close())
  const env = envFor(xhs)
  let server: RunningServer | undefined
  let added = 0

  const start = async (more: Readonly<Record<string, string>> = {}) => {
    server ??= await startServer({ ...env, ...more })
    return server
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    server?.send(signal)
    await server?.exited
    server = undefined
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const { url } = await start()
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...bearer(TOKEN), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answered = (await response.json()) as {
      data: Readonly<Record<string, unknown>>
      error?: { code: string }
    }
    return { outcome: `${response.status} ${answered.error?.code ?? ''}`.trim(), ...answered }
  }
  const list = async (path: string, name: string) => (await ask('GET', path)).data[name] as Shown[]

  const acquireOne = async () => {
    const { data } = await ask('POST', '/v1/executions', { workflow_name: 'n8n' })
    return data['execution_id'] as string
  }
  const claim = async (execution_id: string) =>
    (await ask('POST', '/v1/candidates/claim', { execution_id, batch_size: 20 })).data[
      'records'
    ] as Shown[]
  const complete = (execution_id: string, ids: readonly string[]) => {
    const items = ids.map((note_id) => ({ platform: 'xhs', note_id, note: { title: note_id } }))
    return ask('POST', '/v1/candidates/complete', { execution_id, items })
  }
  const finish = (id: string) => ask('POST', `/v1/executions/${id}/finish`, { status: 'completed' })

  /** The request is under way, or has been done and nobody heard of it: the client cannot know. */
  const killDuring = async (request: Promise<unknown>) => {
    request.catch(() => undefined)
    await passing(Math.random() * 12)
    await end('SIGKILL')
  }
  const ways: Record<Step, () => Promise<string | undefined>> = {
    async acquire() {
      await killDuring(ask('POST', '/v1/executions', { workflow_name: 'n8n' }))
      return undefined
    },
    async claim() {
      const id = await acquireOne()
      await killDuring(claim(id))
      return id
    },
    async detail() {
      xhs.always({ fault: 'hang' })
      const arrival = xhs.arrival()
      const { data } = await ask('POST', '/v1/collect')
      await arrival
      await end('SIGKILL')
      xhs.always()
      return data['execution_id'] as string
    },
    async complete() {
      const id = await acquireOne()
      const records = await claim(id)
      await killDuring(
        complete(
          id,
          records.map(({ note_id }) => note_id),
        ),
      )
      return id
    },
    async finish() {
      const id = await acquireOne()
      const records = await claim(id)
      await complete(
        id,
        records.slice(1).map(({ note_id }) => note_id),
      )
      await killDuring(finish(id))
      return id
    },
  }

  const cookie = { cookie_name: 'mine', platform: 'xhs', cookie: sessionCookie(1) }
  await ask('POST', '/v1/cookies', cookie)
  return {
    async addNotes(count) {
      const items = Array.from({ length: count }, () => {
        const note_id = noteIdOf(added++)
        return { platform: 'xhs', note_id, note_url: xhs.linkTo(note_id) }
      })
      await ask('POST', '/v1/candidates', { items })
    },
    killIn: (step) => ways[step](),
    async lateWrites(id) {
      // For this one the dead have been silent long enough.
      await start({ LOCK_TIMEOUT_MINUTES: '0.00001' })
      await ask('POST', '/v1/recover')
      const late =
        id === undefined
          ? []
          : [
              await ask('PUT', `/v1/executions/${id}/heartbeat`),
              await ask('POST', '/v1/candidates/claim', { execution_id: id }),
              await complete(id, [noteIdOf(added - 1)]),
              await finish(id),
            ]
      await end('SIGTERM')
      return late.map(({ outcome }) => outcome)
    },
    heldBy: () => list('/v1/candidates?status=processing', 'candidates'),
    running: async () =>
      (await list('/v1/executions', 'executions')).filter(({ status }) => status === 'running'),
    async undisturbedRun() {
      const id = await acquireOne()
      const records = await claim(id)
      await complete(
        id,
        records.map(({ note_id }) => note_id),
      )
      expect((await finish(id)).outcome).toBe('200')
    },
    async written() {
      const sources = await list('/v1/sources', 'sources')
      const entries = (await ask('GET', '/v1/outbox?limit=1000')).data['entries'] as {
        table: string
        fields: Shown
      }[]
      const collected = await list('/v1/candidates?status=collected', 'candidates')
      await end('SIGTERM')
      const idsOf = (those: readonly Shown[]) => those.map(({ note_id }) => note_id).toSorted()
      return {
        sources: idsOf(sources),
        inOutbox: idsOf(
          entries.filter(({ table }) => table === 'tbl_source').map(({ fields }) => fields),
        ),
        collected: idsOf(collected),
      }
    },
  }
}

function envFor(xhs: Xhs) {
  return {
    SLUICE_DATA: join(temporaryFolder(), 'data'),
    SLUICE_ALLOW_PRIVATE: '1',
    ADMIN_TOKEN: TOKEN,
    COOKIE_MASTER_KEY: 'master-key-of-the-fault-tests',
    COLLECT_PLATFORMS: 'xhs',
    COLLECT_HOST_INTERVAL_MS: '0',
    XHS_BASE_URL: xhs.baseUrl,
  }
}
