import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Answer } from '../support/world.ts'

export const TOKEN = 'token-of-the-worker-test'

/** `npm run dev:worker` with a storage of its own: the real workerd, which can be killed and started again. */
export interface WorkerProcess {
  readonly url: string
  /** What it printed. */
  output(): string
  api(method: string, path: string, body?: unknown): Promise<Answer>
  /** As the crons of `wrangler.jsonc` do, at a time of one's own choice. */
  cron(at: string): Promise<void>
  /** Ends all of it at once, wrangler and workerd (-9). */
  kill(): Promise<void>
  /** Over the same storage. */
  start(): Promise<void>
}

export async function openWorker(
  vars: Readonly<Record<string, string>> = {},
  config = 'wrangler.jsonc',
): Promise<WorkerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-worker-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const all = { ADMIN_TOKEN: TOKEN, SLUICE_ALLOW_PRIVATE: '1', ...vars }
  const words = [
    'scripts/dev-worker.ts',
    `--config=${config}`,
    `--port=${port}`,
    '--inspector-port=0',
    `--persist-to=${folder}`,
    '--test-scheduled',
    '--show-interactive-dev-session=false',
    ...Object.entries(all).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ]
  let child: ReturnType<typeof spawn> | undefined
  let output = ''
  const kill = async () => {
    const victim = child
    child = undefined
    if (victim?.pid === undefined || victim.exitCode !== null) return
    const gone = once(victim, 'exit')
    process.kill(-victim.pid, 'SIGKILL')
    await gone
  }
  const start = async () => {
    child = spawn(process.execPath, words, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    await answers(`${url}/health`, () => output)
  }
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  await start()
  return {
    url,
    output: () => output,
    kill,
    start,
    async api(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    },
    async cron(at) {
      const time = Date.parse(at)
      const response = await fetch(`${url}/cdn-cgi/handler/scheduled?time=${time}`)
      if (!response.ok) throw new Error(`cron: ${response.status} ${await response.text()}`)
    },
  }
}

/** Another process is waited for: there is no clock to move. */
async function answers(url: string, output: () => string): Promise<void> {
  const latest = Date.now() + 50_000
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    if (Date.now() > latest) throw new Error(`the Worker does not start:\n${output()}`)
    await pause(100)
  }
}

export async function until(isSo: () => Promise<boolean>, what: () => string): Promise<void> {
  const latest = Date.now() + 100_000
  while (!(await isSo())) {
    if (Date.now() > latest) throw new Error(`waited in vain: ${what()}`)
    await pause(50)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
