import { systemClock } from '../../core/clock.ts'
import { type Log, type LogLine, openLog } from '../../core/log.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { logOutput } from '../node/log-output.ts'
import { readConfig } from '../read-config.ts'
import type { Config, SettingName } from '../settings.ts'
import { VERSION } from '../version.ts'
import type { Call } from './command.ts'
import type { Complaint } from './complaint.ts'
import { badSettings, variablesOf } from './variables.ts'

/** What a command takes from its surroundings: the settings, and a log on stderr. */
export interface Environment {
  readonly config: Config
  readonly log: Log
}

export interface EnvironmentNeeds {
  /** Variables that mean something to this command by themselves. */
  readonly uses?: readonly SettingName[]
  /** Which lines of the log are written; all, if it is left out. */
  readonly shows?: (line: LogLine) => boolean
  /** Writes a line in place of the usual, for one who draws on the same terminal. */
  readonly around?: (write: () => void) => void
}

/** A wrong variable is a complaint that names it. */
export function openEnvironment(
  { options, terminal }: Call,
  { uses = [], shows = () => true, around = (write) => write() }: EnvironmentNeeds = {},
): Result<Environment, Complaint> {
  // Lines for people in a pipe too: whoever wants JSON there says LOG_FORMAT=json.
  const read = readConfig(variablesOf(options), { version: VERSION, isTerminal: true })
  if (!read.ok) return fail(badSettings(read.failure))
  const { config, warnings } = read.value
  const output = logOutput(config.logFormat)
  const print = config.logFormat === 'json' ? output : (line: LogLine) => output(withoutIds(line))
  const write = (line: LogLine) => {
    if (!terminal.isQuiet && !OWN_ASKING.has(line.event) && shows(line)) around(() => print(line))
  }
  const log = openLog({ clock: systemClock, level: config.logLevel, write })
  for (const warning of warnings) {
    if (!uses.some((name) => warning.startsWith(`${name} has no effect without`)))
      log.warn('config.doubtful', warning)
  }
  return ok({ config, log })
}

/** What a command asks of the API in its own process, and what comes of that, it says itself. */
const OWN_ASKING: ReadonlySet<string> = new Set([
  'http.request',
  'site.created',
  'site.changed',
  'site.removed',
])

/** A command does one thing: who reads its lines need not be told in each which it is. */
function withoutIds(line: LogLine): LogLine {
  const { runId: _runId, site: _site, requestId: _requestId, traceId: _traceId, ...rest } = line
  return rest
}
