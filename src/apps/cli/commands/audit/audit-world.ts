import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seconds } from '../../../../core/duration.ts'
import {
  type AuditedServer,
  type Env,
  type Program,
  runCommand,
  startAudited,
} from './audited-program.ts'
import type { Canaries } from './canaries.ts'
import type { Evidence } from './evidence.ts'
import { searchFolder, searchTables } from './search-folder.ts'
import type { StandIns } from './stand-ins.ts'

export interface AskOptions {
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly text?: string
  readonly as?: 'admin token' | 'collect token' | 'read token' | 'foreign token' | 'nobody'
}

export interface AuditAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** What a flow has: a server with the canaries in it, and everybody it talks to. All that comes back is evidence. */
export interface AuditWorld {
  readonly canaries: Canaries
  readonly marker: string
  readonly standIns: StandIns
  ask(method: string, path: string, options?: AskOptions): Promise<AuditAnswer>
  /** Runs a command on the folder of the server. */
  command(words: readonly string[], stdin?: string): Promise<number | null>
  /** kill -9, a look at what is left behind, and another server over it, with another master key. */
  crash(): Promise<void>
  /** A backup, keys and all left out. */
  backup(): Promise<void>
  /** Ends it, looks at everything once more, and takes it away. */
  close(): Promise<void>
}

export interface AuditWorldOptions {
  readonly program: Program
  readonly canaries: Canaries
  readonly marker: string
  readonly standIns: StandIns
  readonly evidence: Evidence
  /** Of the whole folder, while the server works. */
  readonly look: (folder: string) => void
}

/** Longer than the slowest answer, of a platform that never answers. */
const LONGEST_ANSWER_MS = seconds(60)

export async function openAuditWorld(options: AuditWorldOptions): Promise<AuditWorld> {
  const { program, canaries, marker, standIns, evidence, look } = options
  const parent = mkdtempSync(join(tmpdir(), 'sluice-audit-'))
  const folder = join(parent, 'data')
  const env = { ...settingsOf(canaries, standIns), SLUICE_DATA: folder }
  const start = (keys: Env) => startAudited(program.server, { ...env, ...keys })
  let server: AuditedServer
  try {
    server = await start(firstKey(canaries))
  } catch (error) {
    rmSync(parent, { recursive: true, force: true })
    throw error
  }
  const logged = () => evidence.add('log', 'log of the server', server.output())
  return {
    canaries,
    marker,
    standIns,
    async ask(method, path, { body, text, as = 'admin token' } = {}) {
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          'x-request-id': marker,
          'content-type': 'application/json',
          ...(as !== 'nobody' && { authorization: `Bearer ${canaries[as]}` }),
        },
        ...(sent !== undefined && { body: sent }),
        signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
      })
      const answered = await response.text()
      const where = `${method} ${path.replace(/\?.*/, '')} (${response.status})`
      evidence.add('answers', where, `${JSON.stringify([...response.headers])}\n${answered}`)
      return { status: response.status, body: jsonIn(answered) }
    },
    async command(words, stdin = '') {
      const ran = await runCommand([...program.command, ...words, '--data', folder], { env, stdin })
      evidence.add('commands', `sluice ${words.slice(0, 2).join(' ')}`, ran.output)
      return ran.code
    },
    async crash() {
      await server.kill()
      logged()
      searchFolder(evidence, folder, { moment: 'after a crash' })
      server = await start(secondKey(canaries))
    },
    async backup() {
      const file = join(parent, 'backup.db')
      const { code, output } = await runCommand(
        [...program.command, 'backup', file, '--data', folder],
        { env, stdin: '' },
      )
      evidence.add('commands', 'sluice backup', output)
      if (code !== 0) throw new Error('The backup was not made.')
      searchTables(file, (table, value) => evidence.add('backup', table, value))
    },
    async close() {
      try {
        searchFolder(evidence, folder, { moment: 'at work' })
        look(folder)
        await server.stop()
        logged()
        searchFolder(evidence, folder, { moment: 'after its end' })
      } finally {
        await server.kill()
        rmSync(parent, { recursive: true, force: true })
      }
    },
  }
}

function settingsOf(canaries: Canaries, standIns: StandIns) {
  return {
    PORT: '0',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'json',
    ADMIN_TOKEN: canaries['admin token'],
    READ_TOKEN: canaries['read token'],
    COLLECT_TOKEN: canaries['collect token'],
    COLLECT_AUTHOR_KEY: canaries['author key'],
    COLLECT_PLATFORMS: 'page,feed,import,xhs,weibo',
    COLLECT_HOST_INTERVAL_MS: '0',
    XHS_BASE_URL: standIns.xhs,
    WEIBO_BASE_URL: standIns.weibo,
    BING_API_URL: standIns.bing,
    // The stand-ins are on this machine, and nobody waits for them longer than needed.
    SLUICE_ALLOW_PRIVATE: '1',
    MAX_RETRIES: '0',
    REQUEST_INTERVAL_MS: '0',
    RETRY_BASE_MS: '1',
    RATE_LIMIT_WAIT_MS: '1',
    SITEMAP_RETRY_MS: '1',
  }
}

/** After the crash there is another key: what was sealed before can be sealed anew. */
const firstKey = (canaries: Canaries) => ({ COOKIE_MASTER_KEY: canaries['old master key'] })

const secondKey = (canaries: Canaries) => ({
  COOKIE_KEY_ID: 'k2',
  COOKIE_MASTER_KEY: canaries['master key'],
  COOKIE_KEYS_OLD: `k1:${canaries['old master key']}`,
})

function jsonIn(text: string): AuditAnswer['body'] {
  try {
    return JSON.parse(text) as AuditAnswer['body']
  } catch {
    return {}
  }
}
