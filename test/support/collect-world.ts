import { onTestFinished } from 'vitest'
import { openSubmit, type Submit } from '../../src/apps/node/open-submit.ts'
import { platformsFrom } from '../../src/apps/node/open-collect.ts'
import { readConfig } from '../../src/apps/read-config.ts'
import { type CollectSide, openCollectSide } from '../../src/apps/server/collect-side.ts'
import { type LogLine, openLog } from '../../src/core/log.ts'
import type { Random } from '../../src/core/random.ts'
import { Secret } from '../../src/core/secret.ts'
import { httpApp } from '../../src/http/http-app.ts'
import type { HttpApp } from '../../src/http/http-env.ts'
import type { Stores } from '../../src/stores/stores.ts'
import type { Backend, Storage } from '../contracts/backend.ts'
import { countingRandom } from './counting-random.ts'
import { FakeClock } from './fake-clock.ts'
import { postgresBackend } from './postgres-backend.ts'
import { sqliteBackend } from './sqlite-backend.ts'
import { openXhsStandIn, type Xhs, type XhsNote } from './stand-ins/xhs.ts'

/** The backends on which every scenario of the collect side holds. */
export const COLLECT_BACKENDS: readonly Backend[] = [sqliteBackend, postgresBackend]

const TOKENS = {
  admin: 'token-of-the-admin-here',
  collect: 'token-of-the-n8n-here',
  read: 'token-of-the-reader-here',
} as const

/** Of a session that the stand-in knows: `session-1` to `session-4`. */
export const sessionCookie = (number: number) => `a1=18c0ffee; web_session=session-${number}`
export const DEAD_COOKIE = 'a1=18c0ffee; web_session=dead'

export interface CollectAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly success: boolean
    readonly data?: unknown
    readonly items?: readonly Readonly<Record<string, unknown>>[]
    readonly summary?: unknown
    readonly error?: {
      readonly code: string
      readonly message: string
      readonly retryable: boolean
    }
    readonly meta: Readonly<Record<string, unknown>>
  }
}

interface AskOptions {
  readonly as?: keyof typeof TOKENS
  readonly headers?: Readonly<Record<string, string>>
}

/** A server's collect side in this process: real routes, stores and HTTP; only the time is made up. */
export interface CollectWorld {
  readonly clock: FakeClock
  readonly xhs: Xhs
  readonly logs: readonly LogLine[]
  readonly stores: Stores
  readonly side: CollectSide
  /** What the server shares with its other half. */
  readonly submit: Submit
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<CollectAnswer>
  /** The `data` of an answer that is expected to be a success. */
  data<T>(method: string, path: string, body?: unknown, options?: AskOptions): Promise<T>
  /** Another server over the same storage, perhaps with other settings. */
  another(env?: Readonly<Record<string, string>>): Promise<CollectWorld>
}

export interface CollectWorldOptions {
  readonly start?: string
  readonly env?: Readonly<Record<string, string>>
  readonly notes?: readonly XhsNote[]
}

/** `count` notes of the stand-in, by number. */
const xhsNotes = (count: number): XhsNote[] =>
  Array.from({ length: count }, (_, n) => ({
    noteId: noteIdOf(n),
    token: `AB${n}=`,
    title: `note ${n}`,
    desc: `text of note ${n}`,
    liked: '1.2万',
  }))

export const noteIdOf = (number: number) => number.toString(16).padStart(24, '0')

export async function openCollectWorld(
  backend: Backend,
  { start, env = {}, notes = xhsNotes(30) }: CollectWorldOptions = {},
): Promise<CollectWorld> {
  const clock = new FakeClock(start)
  const sessions = ['session-1', 'session-2', 'session-3', 'session-4']
  const xhs = await openXhsStandIn({ clock, sessions, notes })
  const storage = await backend.create()
  onTestFinished(async () => {
    await xhs.close()
    await storage.destroy()
  })
  return openOver({ clock, xhs, storage, env, random: countingRandom(), logs: [] })
}

interface Ground {
  readonly clock: FakeClock
  readonly xhs: Xhs
  readonly storage: Storage
  readonly env: Readonly<Record<string, string>>
  readonly random: Random
  readonly logs: LogLine[]
}

async function openOver(ground: Ground): Promise<CollectWorld> {
  const { clock, xhs, storage, env, logs } = ground
  const handle = await storage.open(clock)
  const { app, side, submit } = openServer(ground, handle.stores)
  onTestFinished(async () => {
    await side.stop()
    await handle.close()
  })
  const ask: CollectWorld['ask'] = async (method, path, body, { as = 'admin', headers } = {}) => {
    const response = await app.request(path, {
      method,
      headers: { authorization: `Bearer ${TOKENS[as]}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answered = (await response.json()) as CollectAnswer['body']
    return { status: response.status, headers: response.headers, body: answered }
  }
  return {
    clock,
    xhs,
    logs,
    stores: handle.stores,
    side,
    submit,
    ask,
    async data<T>(method: string, path: string, body?: unknown, options?: AskOptions) {
      const answer = await ask(method, path, body, options)
      if (!answer.body.success) throw new Error(JSON.stringify(answer.body))
      return answer.body.data as T
    },
    another: (changed = {}) => openOver({ ...ground, env: { ...env, ...changed } }),
  }
}

function openServer(
  { clock, xhs, env, random, logs }: Ground,
  stores: Stores,
): { app: HttpApp; side: CollectSide; submit: Submit } {
  const read = readConfig(
    {
      SLUICE_ALLOW_PRIVATE: '1',
      COLLECT_PLATFORMS: 'page,feed,import,xhs',
      XHS_BASE_URL: xhs.baseUrl,
      COOKIE_MASTER_KEY: 'master-key-of-the-test-world',
      ...env,
    },
    { version: '0.0.0', isTerminal: false },
  )
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const { config } = read.value
  const log = openLog({ clock, level: 'debug', write: (line) => logs.push(line) })
  const masterKey = config.cookieMasterKey ?? new Secret('')
  const open = { config, stores, clock, random, log }
  const submit = openSubmit({ ...open, masterKey })
  const authorKey = new Secret('author-key-of-the-test-world')
  const platforms = platformsFrom({ config, authorKey, ...submit.shared, clock })
  const side = openCollectSide({ ...open, ...submit, platforms })
  const tokens = {
    admin: new Secret(TOKENS.admin),
    collect: new Secret(TOKENS.collect),
    read: new Secret(TOKENS.read),
    advice: '',
  }
  return { app: httpApp({ clock, random, log, tokens, modules: side.routes }), side, submit }
}

/** The candidate of a note of the stand-in. */
export function candidateOf({ xhs }: Pick<CollectWorld, 'xhs'>, number: number) {
  const noteId = noteIdOf(number)
  return { platform: 'xhs', note_id: noteId, note_url: xhs.linkTo(noteId) }
}

/** The same as `POST /v1/notes/detail` takes it. */
export function itemOf({ xhs }: Pick<CollectWorld, 'xhs'>, number: number) {
  const id = noteIdOf(number)
  return { id, platform: 'xhs', url: xhs.linkTo(id) }
}

export async function addCandidates(world: CollectWorld, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => candidateOf(world, n))
  await world.data('POST', '/v1/candidates', { items })
}

export async function startExecution(
  world: CollectWorld,
  workflow_name = 'collect',
): Promise<{ execution_id: string; fence: number }> {
  return world.data('POST', '/v1/executions', { workflow_name })
}

export async function addCookie(
  world: CollectWorld,
  cookie_name: string,
  cookie: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await world.data('POST', '/v1/cookies', { cookie_name, platform: 'xhs', cookie, ...more })
}
