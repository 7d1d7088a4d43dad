import { setTimeout as pause } from 'node:timers/promises'
import { readFileSync } from 'node:fs'
import { readConfig } from '../src/apps/read-config.ts'
import { serverRoutes } from '../src/apps/server/routes.ts'
import { startServer } from '../src/apps/server/start-server.ts'
import { VERSION } from '../src/apps/version.ts'
import type { Clock } from '../src/core/clock.ts'
import { type LogLine, openLog } from '../src/core/log.ts'
import { systemRandom } from '../src/core/random.ts'
import type { ShownRun } from '../src/submit/shown-run.ts'

/** The very server of `npm start`, asked over HTTP as anybody would. */
export interface LiveServer {
  readonly url: string
  readonly tokenFile: string
  addSite(settings: Readonly<Record<string, unknown>>): Promise<string>
  trigger(siteId: string): Promise<void>
  /** The newest run once there are `runs` of them and it is over; `look` sees it on its way. */
  finished(siteId: string, runs: number, look: (run: ShownRun) => void): Promise<ShownRun>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 200

export async function startLiveServer(options: {
  readonly clock: Clock
  readonly folder: string
  readonly port: string
  readonly bingApiUrl: string
  readonly hear: (line: LogLine) => void
}): Promise<LiveServer> {
  const { clock, folder, port, bingApiUrl, hear } = options
  const env = {
    SLUICE_DATA: folder,
    PORT: port,
    BING_API_URL: bingApiUrl,
    // The stand-ins are on this machine, and there is a minute for two days.
    SLUICE_ALLOW_PRIVATE: '1',
    REQUEST_INTERVAL_MS: '30',
    RETRY_BASE_MS: '500',
  }
  const read = readConfig(env, { version: VERSION, isTerminal: false })
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const log = openLog({ clock, level: 'info', write: hear })
  const { config } = read.value
  const started = await startServer({
    config,
    clock,
    random: systemRandom,
    log,
    routes: serverRoutes,
  })
  if (!started.ok) throw new Error(`The server did not start: ${JSON.stringify(started.failure)}`)
  const { url, tokenFile = '', stop } = started.value
  const token = readFileSync(tokenFile, 'utf8').trim()

  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  return {
    url,
    tokenFile,
    addSite: async (settings) =>
      ((await ask('POST', '/api/sites', settings))['site'] as { id: string }).id,
    async trigger(siteId) {
      await ask('POST', `/trigger?site=${siteId}`)
    },
    async finished(siteId, runs, look) {
      for (;;) {
        const answer = await ask('GET', `/api/sites/${siteId}/runs?limit=${runs}`)
        const [run, ...earlier] = answer['runs'] as ShownRun[]
        if (run && earlier.length === runs - 1) {
          look(run)
          if (run.status !== 'running') return run
        }
        await pause(LOOK_EVERY_MS)
      }
    },
    stop: () => stop(1_000),
  }
}
