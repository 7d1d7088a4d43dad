import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as passing } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { Logger, run, runMigrations } from 'graphile-worker'
import { PgBoss } from 'pg-boss'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { systemRandom } from '../../src/core/random.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgresStores } from '../../src/stores/postgres/open.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import { openSqliteStores } from '../../src/stores/sqlite/open.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { timed, type Contender, type Measurement } from './benchmark.ts'

const BATCH = 10
export const WORKERS = [1, 4, 8] as const
const origin = { requestId: 'bench' }

/** Takes every record once: `taken` is told each, and the work is over when all have been, or `most` of ours. */
type Drain = (workers: number, taken: (id: string) => void, most: number) => Promise<void>

/** Fills a queue with `count` records, outside of the time, and drains it with so many workers. */
interface OpenQueue {
  readonly drain: Drain
  close(): Promise<unknown>
}

export function contender(
  name: string,
  count: number,
  open: (folder: string, count: number) => Promise<OpenQueue>,
  most = count,
): Contender {
  const step =
    (workers: number) =>
    async (folder: string): Promise<Measurement> => {
      const queue = await open(folder, count)
      const taken = new Map<string, number>()
      const { ms, ...rest } = await timed(() =>
        queue.drain(workers, (id) => taken.set(id, (taken.get(id) ?? 0) + 1), most),
      )
      await queue.close()
      const times = [...taken.values()]
      return {
        ...rest,
        ms,
        perSecond: (times.length / ms) * 1_000,
        twice: times.filter((n) => n > 1).length,
        missing: Math.max(0, most - times.length),
      }
    }
  return {
    name,
    steps: Object.fromEntries(WORKERS.map((workers) => [`${workers}`, step(workers)])),
  }
}

export async function sluiceOnSqlite(folder: string, count: number): Promise<OpenQueue> {
  const own = mkdtempSync(`${folder}/sqlite-`)
  const stores = openSqliteStores({ folder: own, clock: systemClock, random: systemRandom })
  await fill(stores, count)
  return {
    drain: (workers, taken, most) => drain(stores, { workers, most }, taken),
    close: async () => stores.close(),
  }
}

export async function sluiceOnPostgres(_: string, count: number): Promise<OpenQueue> {
  const server = await startPostgres('durable')
  const url = new Secret(`${server.url}/postgres`)
  const stores = await openPostgresStores({ url, clock: systemClock })
  await fill(stores, count)
  await analyse(url)
  return {
    drain: (workers, taken, most) => drain(stores, { workers, most }, taken),
    close: async () => {
      await stores.close()
      await server.stop()
    },
  }
}

async function fill(stores: Stores, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const part = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => `n${from + n}`)
    const notes = part.map((noteId) => ({
      platform: 'xhs',
      noteId,
      noteUrl: `https://notes.example/${noteId}`,
    }))
    await stores.candidates.add(notes, origin)
  }
}

/** Each worker is an execution of its own workflow: claim, then complete with fence, source row and outbox. */
async function drain(
  stores: Stores,
  { workers, most }: { workers: number; most: number },
  taken: (id: string) => void,
): Promise<void> {
  let left = most
  const work = async (worker: number) => {
    const executionId = `exec-${worker}`
    const workflowName = `workflow-${worker}`
    await stores.executions.acquire({ workflowName, executionId, timeoutMs: minutes(30) }, origin)
    await workAhead({
      async next() {
        if (left <= 0) return []
        const claimed = await stores.candidates.claim(executionId, BATCH, origin)
        if (!claimed.ok) throw new Error('lock lost')
        left -= claimed.value.length
        return claimed.value
      },
      async done(batch) {
        const notes = batch.map(({ platform, noteId }) => ({
          platform,
          noteId,
          note: { title: noteId },
        }))
        const completed = await stores.candidates.complete(executionId, notes, origin)
        if (!completed.ok) throw new Error('lock lost')
        for (const { noteId, action } of completed.value) if (action === 'created') taken(noteId)
      },
    })
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
}

interface Batches<Item> {
  /** Empty: there are no more. */
  next(): Promise<readonly Item[]>
  done(batch: readonly Item[]): Promise<unknown>
}

/** Two batches are asked for ahead, and one is written while the next is begun. */
async function workAhead<Item>({ next, done }: Batches<Item>): Promise<void> {
  const ahead = [next(), next()]
  let writing: Promise<unknown> = Promise.resolve()
  for (let batch = await ahead.shift(); batch; batch = await ahead.shift()) {
    // No more are asked for then, but those that were asked for before may still bring some.
    if (batch.length === 0) continue
    ahead.push(next())
    const before = writing
    writing = done(batch)
    await before
  }
  await writing
}

async function analyse(url: Secret): Promise<void> {
  const database = openPostgres({ url, clock: systemClock, connections: 1 })
  await database.run('vacuum analyze')
  await database.close()
}

export async function pgBoss(_: string, count: number): Promise<OpenQueue> {
  const server = await startPostgres('durable')
  const connectionString = `${server.url}/postgres`
  const boss = new PgBoss({ connectionString, schedule: false, supervise: false })
  boss.on('error', (error) => console.error(error))
  await boss.start()
  await boss.createQueue('notes')
  for (let from = 0; from < count; from += 1_000) {
    const part = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => ({
      data: { id: `n${from + n}` },
    }))
    await boss.insert('notes', part)
  }
  await analyse(new Secret(connectionString))
  return {
    drain: async (workers, taken) => {
      let left = count
      const work = () =>
        workAhead({
          async next() {
            if (left <= 0) return []
            const jobs = await boss.fetch<{ id: string }>('notes', { batchSize: BATCH })
            left -= jobs.length
            return jobs
          },
          async done(jobs) {
            await boss.complete(
              'notes',
              jobs.map(({ id }) => id),
            )
            for (const { data } of jobs) taken(data.id)
          },
        })
      await Promise.all(Array.from({ length: workers }, work))
    },
    close: async () => {
      await boss.stop({ graceful: false })
      await server.stop()
    },
  }
}

/** A local queue of a batch for each worker, as ours have; or one of two batches for each in common, its best. */
export const graphileWorker =
  (kind: 'queue-each' | 'one-queue') =>
  async (_: string, count: number): Promise<OpenQueue> => {
    const server = await startPostgres('durable')
    const connectionString = `${server.url}/postgres`
    const url = new Secret(connectionString)
    await runMigrations({ connectionString })
    const database = openPostgres({ url, clock: systemClock, connections: 1 })
    await database.run(
      `select graphile_worker.add_job('note', json_build_object('id', 'n' || n)) from generate_series(0, $1::int - 1) n`,
      count,
    )
    await database.close()
    await analyse(url)
    return {
      drain: async (workers, taken) => {
        let left = count
        const all = Promise.withResolvers<void>()
        const start = (concurrency: number, size: number) =>
          run({
            connectionString,
            concurrency,
            maxPoolSize: 10,
            noHandleSignals: true,
            logger: new Logger(() => () => undefined),
            preset: { worker: { localQueue: { size }, completeJobBatchDelay: 0 } },
            taskList: {
              note(payload) {
                taken((payload as { id: string }).id)
                if (--left === 0) all.resolve()
              },
            },
          })
        const runners = await Promise.all(
          kind === 'one-queue'
            ? [start(workers * BATCH, 2 * workers * BATCH)]
            : Array.from({ length: workers }, () => start(BATCH, BATCH)),
        )
        await all.promise
        // Stopping waits until the last completions are written, as the others have by now.
        await Promise.all(runners.map((runner) => runner.stop()))
      },
      close: () => server.stop(),
    }
  }

/** The server, and the client that BullMQ leaves to others to bring. */
export function hasRedis(): boolean {
  try {
    import.meta.resolve('ioredis')
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const bullMq =
  (appendfsync: 'always' | 'everysec') =>
  async (folder: string, count: number): Promise<OpenQueue> => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    probe.close()
    const settings = [
      '--port',
      `${port}`,
      '--dir',
      mkdtempSync(`${folder}/redis-`),
      '--appendonly',
      'yes',
      '--save',
      '',
    ]
    const redis = spawn('redis-server', [...settings, '--appendfsync', appendfsync], {
      stdio: 'ignore',
    })
    process.once('exit', () => redis.kill('SIGKILL'))
    await answering(port)
    const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null }
    const queue = new Queue('notes', { connection })
    await queue.waitUntilReady()
    for (let from = 0; from < count; from += 1_000) {
      const part = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => `n${from + n}`)
      await queue.addBulk(part.map((id) => ({ name: 'note', data: { id } })))
    }
    let workersOpen: Worker[] = []
    return {
      drain: async (workers, taken) => {
        let left = count
        const all = Promise.withResolvers<void>()
        workersOpen = Array.from({ length: workers }, () => {
          const worker = new Worker<{ id: string }>('notes', async ({ data }) => taken(data.id), {
            connection,
            // As many as the others have in hand.
            concurrency: 2 * BATCH,
          })
          worker.on('completed', () => {
            if (--left === 0) all.resolve()
          })
          return worker
        })
        await all.promise
      },
      close: async () => {
        await Promise.all(workersOpen.map((worker) => worker.close()))
        await queue.close()
        const exited = once(redis, 'exit')
        redis.kill('SIGTERM')
        await exited
      },
    }
  }

async function answering(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isUp = await new Promise<boolean>((done) => {
      socket.once('connect', () => done(true)).once('error', () => done(false))
    })
    socket.destroy()
    if (isUp) return
    await passing(20)
  }
}
