import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import { createTestDatabase } from '../support/postgres-database.ts'
import { scenario } from '../support/scenario.ts'

const ROUNDS = 110

/** Bytes further in each round: from the first answer to those after the last commit. */
const STEP = 6

scenario(
  'R03',
  'a connection cut anywhere between start and commit costs a repetition, never the process or half a transaction',
  async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const cutter = await openCutter(new URL(url))
    onTestFinished(cutter.close)
    const direct = openPostgres({ url: new Secret(url), clock: systemClock, connections: 1 })
    onTestFinished(direct.close)
    await direct.run('create table steps (round integer, step integer, primary key (round, step))')

    for (let round = 0; round < ROUNDS; round++) {
      cutter.cutNextAfter(1 + round * STEP)
      const database = openPostgres({ url: new Secret(cutter.url), clock: systemClock })
      const add = 'insert into steps values ($1, $2) on conflict do nothing'
      await database.repeatable.transaction(async (sql) => {
        await sql.run(add, round, 1)
        await sql.run(add, round, 2)
      })
      await database.close()
    }
    const [kept] = await direct.all<{ rounds: number; steps: number }>(
      'select count(distinct round)::int as rounds, count(*)::int as steps from steps',
    )

    expect(kept).toEqual({ rounds: ROUNDS, steps: 2 * ROUNDS })
    expect(cutter.cuts()).toBeGreaterThan(ROUNDS / 2)
  },
)

scenario('R03', 'connections that are cut all at once keep nobody waiting', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const cutter = await openCutter(new URL(url))
  onTestFinished(cutter.close)
  const database = openPostgres({ url: new Secret(cutter.url), clock: systemClock })
  onTestFinished(database.close)
  const refusals: unknown[] = []
  const askUntilAnswered = async () => {
    for (;;) {
      try {
        return await database.all('select 1')
      } catch (error) {
        refusals.push(error)
      }
    }
  }

  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 4 }, () => database.all('select 1')))
    const answered = askUntilAnswered()
    cutter.cutAll()
    await answered
  }

  expect(refusals.length).toBeGreaterThan(0)
})

/** Stands before the database and resets a connection once so many bytes of answers have gone through. */
async function openCutter(database: URL) {
  let cutAfter = Number.POSITIVE_INFINITY
  let cuts = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    let left = cutAfter
    cutAfter = Number.POSITIVE_INFINITY
    const upstream = connect(Number(database.port), database.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('data', (answer) => {
      client.write(answer.subarray(0, left))
      left -= answer.length
      if (left > 0) return
      cuts++
      client.resetAndDestroy()
    })
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(database)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    cutNextAfter: (bytes: number) => {
      cutAfter = bytes
    },
    cuts: () => cuts,
    cutAll: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
