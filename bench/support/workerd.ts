import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'

/** A Worker in the real workerd, by itself: nothing else is in the process. */
export interface Workerd {
  /** Each time over a connection of its own: one that waits while it works is closed under it. */
  ask(path: string, document?: Uint8Array): Promise<string>
  /** Of all its threads so far; undefined where the system does not tell. */
  cpuMs(): number | undefined
  close(): Promise<void>
}

export async function openWorkerd(entry: string, folder: string): Promise<Workerd> {
  await build({
    entryPoints: [entry],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    logLevel: 'error',
  })
  const port = await freePort()
  const config = join(folder, 'config.capnp')
  writeFileSync(config, configOf(port))
  const child = spawn(program(), ['serve', config], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ask: Workerd['ask'] = async (path, document) => {
    const method = document ? 'PUT' : 'GET'
    const asking = request({ port, path, method, agent: false })
    asking.end(document)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    return text(answer)
  }
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await ask('/').catch(() => undefined)
    if (isUp !== undefined) break
    await pause(50)
  }
  return {
    ask,
    cpuMs: () => (child.pid === undefined ? undefined : cpuMsOf(child.pid)),
    async close() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const configOf = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .bench)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const bench :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-09-01",
);
`

/** It comes with wrangler, and is the version that wrangler knows. */
function program(): string {
  const wrangler = createRequire(import.meta.url).resolve('wrangler/package.json')
  return createRequire(wrangler).resolve('workerd/bin/workerd')
}

/** Linux tells for each thread how long it has run, in nanoseconds. */
function cpuMsOf(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return times.reduce((sum, time) => sum + time, 0) / 1e6
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
