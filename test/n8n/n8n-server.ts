import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  openSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passing } from 'node:timers/promises'
import { bookOf } from './execution.ts'

/** What is imported: a workflow's file, as far as this has to know it. */
export interface WorkflowFile {
  readonly id: string
  readonly name: string
  readonly meta: { readonly publishOrder: number }
  readonly nodes: readonly Readonly<Record<string, unknown>>[]
  readonly connections: Readonly<Record<string, unknown>>
}

export interface Credential {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A home of n8n: its database, with the workflows in it. */
export interface N8nHome {
  readonly folder: string
  readonly workflows: readonly WorkflowFile[]
  /** Everything that was ever written into it, as it lies on the disk. */
  bytes(): Buffer
  /** A second n8n of the same state. */
  copy(): N8nHome
  remove(): void
}

export interface RunningN8n {
  readonly url: string
  /** The editor's session, for a browser. */
  readonly cookie: string
  readonly executions: ReturnType<typeof bookOf>
  log(): string
  /** Asks a webhook, and answers what came of the workflow: the status is 200 when it ended well. */
  start(path: string): Promise<number>
  kill(): Promise<void>
  stop(): Promise<void>
}

const INSTALLED = process.env.SLUICE_N8N ?? ''
const NODE = join(INSTALLED, 'node_modules', '.bin', 'node')
const N8N = join(INSTALLED, 'node_modules', 'n8n', 'bin', 'n8n')

const OWNER = { email: 'owner@example.test', password: 'Passw0rd-Test' } as const
/** bcrypt of the owner's password. */
const OWNER_HASH = '$2a$10$UqXmcRwDTdel5l8ynZsql.3LzN0do1ODj8DEecp/7uRKP0w/2loy6'

/** Migrates a new database and imports what is given, as an operator would: by n8n's own commands. */
export function makeHome(
  workflows: readonly WorkflowFile[],
  credentials: readonly Credential[],
): N8nHome {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-n8n-'))
  const imports = join(folder, 'imports')
  mkdirSync(imports)
  for (const workflow of workflows) {
    writeFileSync(join(imports, `${workflow.id}.json`), JSON.stringify(workflow))
  }
  const secrets = join(folder, 'credentials.json')
  writeFileSync(secrets, JSON.stringify(credentials))
  runCommand(folder, 'import:credentials', `--input=${secrets}`)
  // What is searched for later must only be found where n8n itself wrote it.
  rmSync(secrets)
  runCommand(folder, 'import:workflow', '--separate', `--input=${imports}`)
  return homeIn(folder, workflows)
}

function homeIn(folder: string, workflows: readonly WorkflowFile[]): N8nHome {
  return {
    folder,
    workflows,
    bytes: () =>
      Buffer.concat(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
      ),
    copy() {
      const other = mkdtempSync(join(tmpdir(), 'sluice-n8n-'))
      cpSync(folder, other, { recursive: true })
      return homeIn(other, workflows)
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

const started: ChildProcess[] = []

/** Starts it and publishes every workflow, in the order that their files ask for. */
export async function startN8n({ folder, workflows }: N8nHome): Promise<RunningN8n> {
  const [port, brokerPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const logFile = join(folder, 'n8n.log')
  const log = openSync(logFile, 'a')
  const child = spawn(NODE, [N8N, 'start'], {
    env: {
      ...environment(folder),
      N8N_PORT: String(port),
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    },
    stdio: ['ignore', log, log],
    // With its task runner it is one group, which dies as one.
    detached: true,
  })
  started.push(child)
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  const end = async (signal: NodeJS.Signals) => {
    signalGroup(child, signal)
    await exited
  }
  const whole = () => readFileSync(logFile, 'utf8')

  await until(async () => (await fetch(`${url}/healthz/readiness`)).ok, child, whole)
  const cookie = await logIn(url, child, whole)
  const key = await apiKey(url, cookie)
  const api = async (method: string, path: string): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-n8n-api-key': key },
    })
    if (!response.ok)
      throw new Error(`${method} ${path} ${response.status} ${await response.text()}`)
    return response.json()
  }
  const inOrder = workflows.toSorted((a, b) => a.meta.publishOrder - b.meta.publishOrder)
  for (const { id } of inOrder) await api('POST', `/workflows/${id}/activate`)
  return {
    url,
    cookie,
    executions: bookOf(api),
    log: whole,
    async start(path) {
      for (let tries = 0; tries < 100; tries++) {
        const response = await fetch(`${url}/webhook/${path}`, { method: 'POST' })
        await response.arrayBuffer()
        // It goes live a moment after it was published.
        if (response.status !== 404) return response.status
        await passing(100)
      }
      throw new Error(`no workflow listens to ${path}`)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** Nothing goes on behind a test that could not begin. */
process.on('exit', () => {
  for (const child of started) signalGroup(child, 'SIGKILL')
})

function signalGroup({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It ended by itself in between.
  }
}

function runCommand(folder: string, ...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(NODE, [N8N, ...words], {
    env: environment(folder),
    encoding: 'utf8',
  })
  if (status === 0) return
  throw new Error(`n8n ${words.join(' ')}: ${stdout.slice(-2_000)} ${stderr.slice(-2_000)}`)
}

const LONGEST_START_MS = 150_000

async function until(
  isSo: () => Promise<boolean>,
  child: ChildProcess,
  log: () => string,
): Promise<void> {
  const givesUpAt = Date.now() + LONGEST_START_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`n8n ended: ${log().slice(-3_000)}`)
    if (Date.now() > givesUpAt) throw new Error(`n8n does not come up: ${log().slice(-3_000)}`)
    try {
      if (await isSo()) return
    } catch {
      // Not listening yet.
    }
    await passing(200)
  }
}

async function logIn(url: string, child: ChildProcess, log: () => string): Promise<string> {
  let cookie = ''
  const tryIt = async () => {
    const response = await fetch(`${url}/rest/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ emailOrLdapLoginId: OWNER.email, password: OWNER.password }),
    })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return response.ok
  }
  await until(tryIt, child, log)
  return cookie
}

async function apiKey(url: string, cookie: string): Promise<string> {
  const label = `tests-${process.hrtime.bigint()}`
  const scopes = ['workflow:read', 'workflow:activate', 'execution:read', 'execution:list']
  const response = await fetch(`${url}/rest/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ label, expiresAt: null, scopes }),
  })
  const { data } = (await response.json()) as { data: { rawApiKey: string } }
  return data.rawApiKey
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => found(port))
    })
  })
}

/** Nothing leaves this machine, and everything is kept that n8n would keep for an operator. */
function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: `${join(INSTALLED, 'node_modules', '.bin')}:${process.env.PATH}`,
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_ENCRYPTION_KEY: 'key-of-the-n8n-tests',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_HOST: '127.0.0.1',
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_DYNAMIC_BANNERS_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
    N8N_PYTHON_ENABLED: 'false',
    N8N_DISABLED_MODULES: 'mcp-registry',
    N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
    N8N_INSTANCE_OWNER_EMAIL: OWNER.email,
    N8N_INSTANCE_OWNER_PASSWORD_HASH: OWNER_HASH,
    EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
    EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
    GENERIC_TIMEZONE: 'UTC',
    TZ: 'UTC',
    SCARF_ANALYTICS: 'false',
  }
}
