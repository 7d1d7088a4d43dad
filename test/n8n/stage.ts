import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/core/clock.ts'
import { bearer, type RunningServer, startServer, temporaryFolder } from '../server/support.ts'
import { noteIdOf } from '../support/collect-world.ts'
import { type Bitable, openBitable } from '../support/stand-ins/bitable/bitable.ts'
import { openXhsStandIn, type Xhs } from '../support/stand-ins/xhs.ts'
import type { Kept } from './execution.ts'
import { type FeishuBot, openFeishuBot } from './feishu-bot.ts'
import { makeHome, type N8nHome, type RunningN8n, startN8n } from './n8n-server.ts'
import { doorOf, exampleCredentials, shippedWorkflows } from './shipped.ts'

/** Each must be found nowhere but where it belongs. */
export const SECRETS = {
  api: 'collect-token-canary-5b1f',
  app: 'app-secret-canary-9c2e',
  bot: 'bot-secret-canary-d40a',
  cookie: 'web-session-canary-77aa',
} as const

const ADMIN_TOKEN = 'admin-token-of-the-n8n-tests'
const PROGRAM = fileURLToPath(new URL('hurried-server.ts', import.meta.url))
const NOTES = 200

/** Everything that takes part: n8n with the shipped workflows, Sluice, and Feishu and a platform as stand-ins. */
export interface Stage {
  readonly bitable: Bitable
  readonly bot: FeishuBot
  readonly xhs: Xhs
  readonly home: N8nHome
  /** The same workflows in another n8n, which was never started. */
  readonly twin: N8nHome
  readonly n8n: RunningN8n
  /** Every line that any Sluice of this stage wrote. */
  sluiceLog(): string
  /** Starts a workflow, and gives what n8n kept of it when it is over. */
  run(workflow: string): Promise<Kept>
  /** The same several times at once, newest first. */
  runAtOnce(workflow: string, times: number): Promise<readonly Kept[]>
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
  addNotes(from: number, count: number): Promise<void>
  /** Stops Sluice and starts it on the same data, perhaps with other settings. */
  restartSluice(env?: Readonly<Record<string, string>>): Promise<void>
  stopSluice(): Promise<void>
  killN8n(): Promise<void>
  startN8nAgain(): Promise<void>
  close(): Promise<void>
}

export async function openStage(settings: Readonly<Record<string, unknown>> = {}): Promise<Stage> {
  const clock = systemClock
  const appSecret = SECRETS.app
  const bitable = await openBitable({ clock, app: { appId: 'cli_stage', appSecret } })
  const bot = await openFeishuBot({ clock, secret: SECRETS.bot })
  const notes = Array.from({ length: NOTES }, (_, n) => ({
    noteId: noteIdOf(n),
    token: `AB${n}=`,
    title: `note ${n}`,
    desc: `text of note ${n}`,
    liked: '1.2万',
  }))
  const xhs = await openXhsStandIn({ clock, sessions: [SECRETS.cookie], notes })

  const folder = join(temporaryFolder(), 'data')
  const heard: RunningServer[] = []
  const launch = async (env: Readonly<Record<string, string>> = {}) => {
    const server = await startServer(
      {
        SLUICE_DATA: folder,
        SLUICE_ALLOW_PRIVATE: '1',
        ADMIN_TOKEN,
        COLLECT_TOKEN: SECRETS.api,
        COOKIE_MASTER_KEY: 'master-key-of-the-n8n-tests',
        COLLECT_PLATFORMS: 'xhs,page',
        COLLECT_HOST_INTERVAL_MS: '0',
        XHS_BASE_URL: xhs.baseUrl,
        LOG_FORMAT: 'json',
        PORT: String(heard[0]?.port ?? 0),
        ...env,
      },
      PROGRAM,
    )
    heard.push(server)
    return server
  }
  let sluice = await launch()

  const workflows = shippedWorkflows({
    sluice_url: sluice.url,
    feishu_url: bitable.origin,
    app_token: bitable.appToken,
    bot_webhook_url: bot.url,
    backoff_seconds: [0.1, 0.2, 0.3],
    ...settings,
  })
  const credentials = exampleCredentials((text) =>
    text
      .replace('<COLLECT_TOKEN of Sluice>', SECRETS.api)
      .replace('<App ID>', 'cli_stage')
      .replace('<App Secret>', SECRETS.app)
      .replace('<signing secret of the bot>', SECRETS.bot),
  )
  const home = makeHome(workflows, credentials)
  const twin = home.copy()
  let n8n = await startN8n(home)

  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${sluice.url}${path}`, {
      method,
      headers: { ...bearer(ADMIN_TOKEN), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answered = (await response.json()) as { success: boolean; data: T }
    if (!answered.success) throw new Error(`${method} ${path}: ${JSON.stringify(answered)}`)
    return answered.data
  }
  const runAtOnce: Stage['runAtOnce'] = async (workflow, times) => {
    const before = await n8n.executions.newestId()
    await Promise.all(Array.from({ length: times }, () => n8n.start(doorOf(workflow))))
    return n8n.executions.after(`sluice-${workflow}`, before, times)
  }
  const cookie = {
    cookie_name: 'mine',
    platform: 'xhs',
    cookie: `a1=18c0ffee; web_session=${SECRETS.cookie}`,
  }
  await ask('POST', '/v1/cookies', cookie)

  return {
    bitable,
    bot,
    xhs,
    home,
    twin,
    get n8n() {
      return n8n
    },
    sluiceLog: () => heard.map((server) => server.output()).join('\n'),
    async run(workflow) {
      const [kept] = await runAtOnce(workflow, 1)
      if (!kept) throw new Error(`${workflow} left nothing`)
      return kept
    },
    runAtOnce,
    ask,
    async addNotes(from, count) {
      const items = Array.from({ length: count }, (_, n) => {
        const note_id = noteIdOf(from + n)
        return { platform: 'xhs', note_id, note_url: xhs.linkTo(note_id) }
      })
      await ask('POST', '/v1/candidates', { items })
    },
    async restartSluice(env) {
      await sluice.stop()
      sluice = await launch(env)
    },
    async stopSluice() {
      await sluice.stop()
    },
    killN8n: () => n8n.kill(),
    async startN8nAgain() {
      n8n = await startN8n(home)
    },
    async close() {
      await n8n.stop()
      await sluice.stop()
      await Promise.all([bitable.close(), bot.close(), xhs.close()])
      home.remove()
      twin.remove()
    },
  }
}
