/**
 * The server of the benchmark: the product's own, with another clock, and an ear for what its runs log.
 * Argument: how many days later it is. Everything else it is told as always, by its environment.
 */
import { readConfig } from '../../src/apps/read-config.ts'
import { serverRoutes } from '../../src/apps/server/routes.ts'
import { startServer } from '../../src/apps/server/start-server.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type LogLine, openLog } from '../../src/core/log.ts'
import { systemRandom } from '../../src/core/random.ts'

/** What it tells its parent once it listens. */
export interface ServerUp {
  readonly url: string
  readonly peakMb: number
}

/** And of each run. */
export interface FinishedRun {
  /** Of read + choose, and its share of a processor. */
  readonly ms: number
  readonly cpuMs: number
  readonly urls: number
  readonly totalMs: number
  readonly peakMb: number
}

const DAY_MS = 86_400_000
const [daysLater = '0'] = process.argv.slice(2)

let startedAt = 0
let cpu = process.cpuUsage()
let read = { ms: 0, cpuMs: 0, urls: 0 }

function hear({ event, ...fields }: LogLine): void {
  const ms = performance.now() - startedAt
  if (event === 'run.started') {
    startedAt = performance.now()
    cpu = process.cpuUsage()
  }
  // Each file has such a line; that of the whole says how many there were.
  if (event === 'sitemap.read' && 'files' in fields) {
    const { user, system } = process.cpuUsage(cpu)
    read = { ms, cpuMs: (user + system) / 1_000, urls: Number(fields['total']) }
  }
  if (event === 'run.finished') tell({ ...read, totalMs: ms, peakMb: peakMb() })
}

function tell(what: ServerUp | FinishedRun): void {
  process.send?.(what)
}

function peakMb(): number {
  return process.resourceUsage().maxRSS / 1_024
}

const configured = readConfig(process.env, { version: '0.0.0', isTerminal: false })
if (!configured.ok) throw new Error(JSON.stringify(configured.failure))
const clock = { ...systemClock, now: () => systemClock.now() + Number(daysLater) * DAY_MS }
const log = openLog({ clock, level: 'info', write: hear })
const around = { config: configured.value.config, clock, random: systemRandom, log }
const started = await startServer({ ...around, routes: serverRoutes })
if (!started.ok) throw new Error(JSON.stringify(started.failure))
process.once('message', () => void started.value.stop(0).then(() => process.exit()))
tell({ url: started.value.url, peakMb: peakMb() })
