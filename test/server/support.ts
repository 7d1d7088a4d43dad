import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../src/apps/server/main.ts', import.meta.url))
/** The same program with a few routes that only tests need. */
export const PROGRAM_WITH_TEST_ROUTES = fileURLToPath(
  new URL('program-with-test-routes.ts', import.meta.url),
)

export type Env = Readonly<Record<string, string>>

export interface Line extends Readonly<Record<string, unknown>> {
  readonly level: string
  readonly event: string
  readonly msg: string
}

interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Program {
  readonly folder: string
  readonly exited: Promise<Exit>
  /** Everything it wrote so far, to stdout and stderr. */
  output(): string
  lines(): readonly Line[]
  /** The first line with this event, now or later. Fails when the program ends without one. */
  line(event: string): Promise<Line>
  send(signal: NodeJS.Signals): void
  /** Lets a request to /slow go on. */
  release(): void
}

export interface RunningServer extends Program {
  readonly url: string
  readonly port: number
  /** The one that was made and kept in the data folder. */
  keptToken(): string
  stop(): Promise<Exit>
}

const leftovers: { folders: string[]; children: ChildProcess[] } = { folders: [], children: [] }

afterAll(() => {
  for (const child of leftovers.children) child.kill('SIGKILL')
  for (const folder of leftovers.folders) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-server-'))
  leftovers.folders.push(folder)
  return folder
}

/** Runs the real program; nothing of this environment reaches it but the PATH. */
export function runProgram(
  env: Env = {},
  program = PROGRAM,
  words: readonly string[] = [],
): Program {
  const folder = env.SLUICE_DATA ?? join(temporaryFolder(), 'data')
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, PORT: '0', SLUICE_DATA: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  leftovers.children.push(child)
  const heard = listenTo(child)
  return {
    folder,
    ...heard,
    send: (signal) => void child.kill(signal),
    release: () => void child.stdin?.write('go on\n'),
  }
}

function listenTo(child: ChildProcess) {
  let output = ''
  const hearers = new Set<() => void>()
  const hear = (chunk: Buffer) => {
    output += chunk.toString()
    for (const hearer of hearers) hearer()
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const exited = new Promise<Exit>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  )
  const lines = () =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line)
  const line = (event: string) =>
    new Promise<Line>((resolve, reject) => {
      const look = () => {
        const found = lines().find((candidate) => candidate.event === event)
        if (!found) return
        hearers.delete(look)
        resolve(found)
      }
      hearers.add(look)
      look()
      void exited.then(() => reject(new Error(`ended without ${event}:\n${output}`)))
    })
  return { exited, lines, line, output: () => output }
}

export async function startServer(
  env: Env = {},
  program?: string,
  words?: readonly string[],
): Promise<RunningServer> {
  const running = runProgram(env, program, words)
  const { url } = (await running.line('server.listening')) as unknown as { url: string }
  return {
    ...running,
    url,
    port: Number(new URL(url).port),
    keptToken: () => readFileSync(join(running.folder, 'admin-token'), 'utf8').trim(),
    async stop() {
      running.send('SIGTERM')
      return running.exited
    },
  }
}

export interface Envelope {
  readonly success: boolean
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean }
  readonly meta: { readonly request_id: string; readonly latency_ms: number }
  readonly [field: string]: unknown
}

export async function envelopeOf(response: Response): Promise<Envelope> {
  return (await response.json()) as Envelope
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** What the server says to bytes that no HTTP client would send, until it hangs up. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => void socket.write(bytes))
    socket.on('data', (chunk) => {
      heard += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(heard))
  })
}
