import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('postgres-program.ts', import.meta.url))

export interface PostgresServer {
  /** Without the name of a database. */
  readonly url: string
  /** As after a crash: every connection is lost, what was committed is there. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** `durable`: synced at every commit, for those who measure or pull the plug. */
export async function startPostgres(kind: 'durable' | 'fast' = 'fast'): Promise<PostgresServer> {
  const child = spawn(process.execPath, [PROGRAM, kind], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const [first] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error('PostgreSQL did not start')
    }),
  ])) as [string]
  const { url } = JSON.parse(first) as { url: string }
  return {
    url,
    async restart() {
      const restarted = once(lines, 'line')
      child.stdin.write('restart\n')
      await restarted
    },
    async stop() {
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}
