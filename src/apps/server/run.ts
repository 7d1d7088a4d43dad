import { type Clock, systemClock } from '../../core/clock.ts'
import { seconds } from '../../core/duration.ts'
import { type Log, openLog } from '../../core/log.ts'
import { systemRandom } from '../../core/random.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { readConfig } from '../read-config.ts'
import { VERSION } from '../version.ts'
import { type LogFormat, logOutput } from '../node/log-output.ts'
import type { RouteDeps } from './routes.ts'
import { reportStartFailure, type StartFailure } from '../node/start-failure.ts'
import { type RunningServer, startServer } from './start-server.ts'

const EXIT = { done: 0, crashed: 1, refused: 2, inUse: 3, interrupted: 130 } as const

export interface RunOptions {
  readonly routes: (deps: RouteDeps) => readonly RouteModule[]
  /** How long requests in flight may take once the server was told to stop. */
  readonly graceMs?: number
  readonly clock?: Clock
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The server as a process: environment in, address out, until a signal. Undefined when it could not start. */
export async function run({
  routes,
  graceMs = seconds(10),
  clock = systemClock,
  env = process.env,
}: RunOptions): Promise<RunningServer | undefined> {
  // Whatever is written from here on (database, token, keys) is for this user alone.
  process.umask(0o077)
  const isTerminal = process.stderr.isTTY
  const read = readConfig(env, { version: VERSION, isTerminal })
  const format = read.ok ? read.value.config.logFormat : formatWithoutConfig(env, isTerminal)
  const level = read.ok ? read.value.config.logLevel : 'info'
  const log = openLog({ clock, level, write: logOutput(format) })
  const refuse = (failure: StartFailure) => {
    reportStartFailure(failure, format, log)
    process.exitCode = isHeldByCommand(failure) ? EXIT.inUse : EXIT.refused
    return undefined
  }
  if (!read.ok) return refuse({ kind: 'bad-settings', problems: read.failure })
  const { config, warnings } = read.value
  for (const warning of warnings) log.warn('config.doubtful', warning)

  const server: { running?: RunningServer } = {}
  endOnCrash(log, server)
  endOnSignal(log, server, graceMs)
  const started = await startServer({
    config,
    clock,
    random: systemRandom,
    log,
    routes,
    warnings,
  })
  if (!started.ok) return refuse(started.failure)
  server.running = started.value
  sayWhere(started.value, isTerminal && format === 'pretty' ? 'banner' : 'event', log)
  return started.value
}

/** A command ends by itself: a later start may do. */
function isHeldByCommand(failure: StartFailure): boolean {
  return failure.kind === 'data-folder-in-use' && !failure.holder
}

/** The settings are wrong, but whoever chose a format that exists still gets it. */
function formatWithoutConfig(
  { LOG_FORMAT }: NonNullable<RunOptions['env']>,
  isTerminal: boolean,
): LogFormat {
  if (LOG_FORMAT === 'json' || LOG_FORMAT === 'pretty') return LOG_FORMAT
  return isTerminal ? 'pretty' : 'json'
}

function sayWhere(
  { url, dataFolder, tokenFile }: RunningServer,
  manner: 'banner' | 'event',
  log: Log,
): void {
  if (manner === 'event') {
    const token = tokenFile ? `The token is in ${tokenFile}.` : 'The token is that of ADMIN_TOKEN.'
    log.info('server.listening', `Sluice ${VERSION} listens on ${url}. ${token}`, {
      url,
      version: VERSION,
      dataFolder,
      ...(tokenFile !== undefined && { tokenFile }),
    })
    return
  }
  const bearer = tokenFile ? `$(cat ${tokenFile})` : '$ADMIN_TOKEN'
  process.stderr.write(`
  Sluice ${VERSION} is running.

    address  ${url}
    token    ${tokenFile ? `in ${tokenFile}` : 'the one in ADMIN_TOKEN'}
    data     ${dataFolder}

  Try      curl -H "Authorization: Bearer ${bearer}" ${url}/api/about
  Stop     Ctrl-C

`)
}

function endOnSignal(log: Log, server: { running?: RunningServer }, graceMs: number): void {
  let stopping = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) {
      server.running?.abandon()
      process.exit(EXIT.interrupted)
    }
    stopping = true
    log.info('server.stopping', `${signal}: finishing what is under way. Once more ends at once.`)
    await server.running?.stop(graceMs)
    log.info('server.stopped', 'Everything is closed.')
    process.exit(EXIT.done)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void onSignal(signal))
  }
}

/** After a bug that nobody caught nothing can be trusted: whoever supervises the process starts it anew. */
function endOnCrash(log: Log, server: { running?: RunningServer }): void {
  const crash = (error: unknown) => {
    log.error('process.crashed', 'The server ends because of a bug.', { error })
    server.running?.abandon()
    process.exit(EXIT.crashed)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}
