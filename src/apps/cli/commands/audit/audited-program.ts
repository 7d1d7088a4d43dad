import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as textOf } from 'node:stream/consumers'

/** How Sluice is started, as a child of the audit. */
export interface Program {
  readonly server: readonly string[]
  readonly command: readonly string[]
}

/** The very program that runs now. */
export function ownProgram(): Program {
  const file = process.argv[1] ?? ''
  return { server: [file, 'serve'], command: [file] }
}

export type Env = Readonly<Record<string, string>>

export interface AuditedServer {
  readonly url: string
  /** All that it wrote so far. */
  output(): string
  kill(): Promise<void>
  stop(): Promise<void>
}

const LISTENING = /"event":"server\.listening".*?"url":"([^"]+)"/

/** Throws where it does not start: then nothing can be said of it. */
export async function startAudited(words: readonly string[], env: Env): Promise<AuditedServer> {
  const child = spawn(process.execPath, [...words], { env: environmentOf(env) })
  let output = ''
  const ended = once(child, 'close')
  const url = await new Promise<string>((started, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      const [, address] = LISTENING.exec(output) ?? []
      if (address) started(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', failed)
    void ended.then(() => failed(new Error('The audited server did not start.')))
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  endWithUs(child)
  return { url, output: () => output, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

export interface RanCommand {
  readonly code: number | null
  readonly output: string
}

export async function runCommand(
  words: readonly string[],
  { env, stdin }: { readonly env: Env; readonly stdin: string },
): Promise<RanCommand> {
  const child = spawn(process.execPath, [...words], { env: environmentOf(env) })
  endWithUs(child)
  child.stdin.end(stdin)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    textOf(child.stdout),
    textOf(child.stderr),
  ])
  return { code, output: `${stdout}${stderr}` }
}

/** Of the operator's own environment only what Node itself needs: no setting of theirs, and no secret. */
function environmentOf(env: Env): Env {
  const needed = ['PATH', 'SystemRoot', 'TEMP', 'NODE_COMPILE_CACHE']
  const own = needed.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(own), ...env }
}

function endWithUs(child: ChildProcess): void {
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
}
