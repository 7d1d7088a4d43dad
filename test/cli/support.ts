import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import {
  type IndexNowEngine,
  type IndexNowEngineOptions,
  openIndexNowEngine,
} from '../support/stand-ins/indexnow-engine.ts'
import { openSite, type SiteStandIn } from '../support/stand-ins/site.ts'
import { KEY, paths, sitemapOf } from '../support/world.ts'

const PROGRAM = fileURLToPath(new URL('../../src/apps/cli/main.ts', import.meta.url))
const TERMINAL = fileURLToPath(new URL('in-a-terminal.py', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command under way. */
export interface Command {
  readonly ended: Promise<Ended>
  /** The first thing it prints. */
  readonly firstOutput: Promise<string>
  send(signal: NodeJS.Signals): void
  /** Types into its terminal. */
  type(keys: string): void
}

export interface Calling {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Runs it in a pseudo-terminal this wide; everything it shows is then in `stdout`. */
  readonly columns?: number
}

const compiled = mkdtempSync(join(tmpdir(), 'sluice-cli-compiled-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(compiled, { recursive: true, force: true })
})

/** The real program; nothing of this environment reaches it but the PATH. */
export function startSluice(words: readonly string[], calling: Calling = {}): Command {
  const { env = {}, stdin, columns } = calling
  const program = [process.execPath, PROGRAM, ...words]
  const [file = '', ...args] =
    columns === undefined ? program : ['python3', TERMINAL, String(columns), ...program]
  const child = spawn(file, args, {
    env: {
      PATH: process.env.PATH,
      TERM: 'xterm-256color',
      NODE_COMPILE_CACHE: compiled,
      SLUICE_ALLOW_PRIVATE: '1',
      SITEMAP_RETRY_MS: '0',
      RETRY_BASE_MS: '0',
      ...env,
    },
  })
  children.push(child)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  if (columns === undefined) child.stdin.end(stdin ?? '')
  return {
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))),
    firstOutput: new Promise((resolve) => child.stdout.once('data', resolve)),
    send: (signal) => void child.kill(signal),
    type: (keys) => void child.stdin.write(keys),
  }
}

export function sluice(words: readonly string[], calling?: Calling): Promise<Ended> {
  return startSluice(words, calling).ended
}

export interface CliWorld {
  readonly site: SiteStandIn
  readonly engine: IndexNowEngine
  /** Does not exist yet. */
  readonly folder: string
  /** `--key`, `--engine` and `--data` for this world. */
  readonly options: readonly string[]
  /** The words of a whole `submit`. */
  submit(...more: readonly string[]): readonly string[]
  urls(count: number): readonly string[]
}

/** A site of `pages` pages and an engine, both over real HTTP, and a folder to come. */
export async function openCliWorld(
  pages = 5,
  engineOptions: Partial<IndexNowEngineOptions> = {},
): Promise<CliWorld> {
  const clock = systemClock
  const parent = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
  const site = await openSite({
    clock,
    files: { [`/${KEY}.txt`]: KEY, '/sitemap.xml': sitemapOf(paths(pages)) },
  })
  const engine = await openIndexNowEngine({ clock, ...engineOptions })
  onTestFinished(async () => {
    await Promise.all([site.close(), engine.close()])
    rmSync(parent, { recursive: true, force: true })
  })
  const folder = join(parent, 'data')
  const options = ['--key', KEY, '--engine', engine.endpoint, '--data', folder]
  return {
    site,
    engine,
    folder,
    options,
    submit: (...more) => ['submit', site.url('/sitemap.xml'), ...options, ...more],
    urls: (count) => paths(count).map((path) => site.url(path)),
  }
}

/** When the engine has been asked this often in all. */
export async function asked(engine: IndexNowEngine, times: number): Promise<void> {
  while (engine.requests.length < times) await engine.arrival()
}
