import type { Log } from '../../core/log.ts'
import { describeProblems, type SettingProblem } from '../read-config.ts'
import type { LogFormat } from './log-output.ts'
import type { ServerFile } from './server-file.ts'

/** Everything that stops a start and that the operator can put right. */
export type StartFailure =
  | { readonly kind: 'bad-settings'; readonly problems: readonly SettingProblem[] }
  | { readonly kind: 'data-folder-unusable'; readonly folder: string; readonly code: string }
  | { readonly kind: 'data-folder-unreadable'; readonly folder: string; readonly code: string }
  | {
      readonly kind: 'data-folder-in-use'
      readonly folder: string
      readonly holder: ServerFile | undefined
    }
  | { readonly kind: 'secret-file-unusable'; readonly file: string; readonly variable: string }
  /** Secrets are sealed with a key that is not there: a new one would open none of them. */
  | { readonly kind: 'master-key-missing'; readonly file: string }
  /** A key was removed that cookies in use are still sealed with. */
  | {
      readonly kind: 'key-missing'
      readonly keyId: string
      readonly cookieNames: readonly string[]
    }
  | { readonly kind: 'store-unusable'; readonly folder: string; readonly reason: string }
  | { readonly kind: 'database-unusable'; readonly reason: string }
  | { readonly kind: 'master-key-differs'; readonly keyId: string }
  | { readonly kind: 'port-taken'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'cannot-listen'
      readonly host: string
      readonly port: number
      readonly code: string
    }

const NOT_A_FOLDER = 'ENOTDIR'
const IS_A_FILE =
  'It, or what it is said to lie in, is a file and not a folder: name a folder with SLUICE_DATA or --data.'

/** For people: what happened, why, what to do next. */
export function describeStartFailure(failure: StartFailure): string {
  switch (failure.kind) {
    case 'bad-settings':
      return describeProblems(failure.problems)
    case 'data-folder-unusable':
      return (
        `The data folder ${failure.folder} cannot be used (${failure.code}). ` +
        (failure.code === NOT_A_FOLDER
          ? IS_A_FILE
          : 'Let this user write there, or name another folder with SLUICE_DATA.')
      )
    case 'data-folder-unreadable':
      return (
        `The data folder ${failure.folder} cannot be read (${failure.code}). ` +
        (failure.code === NOT_A_FOLDER
          ? IS_A_FILE
          : 'Let this user read it and what is in it, or name another folder with SLUICE_DATA.')
      )
    case 'data-folder-in-use':
      if (!failure.holder) {
        return (
          `The data folder ${failure.folder} is in use by a Sluice command. ` +
          'Wait for it to end, or give this one a folder of its own with SLUICE_DATA.'
        )
      }
      return (
        `The data folder ${failure.folder} is in use by another Sluice server${holderWords(failure.holder)}. ` +
        'Stop that one, or give this one a folder of its own with SLUICE_DATA.'
      )
    case 'secret-file-unusable':
      return (
        `${failure.file} cannot be read, or does not hold a usable secret. ` +
        `Restore it, or set ${failure.variable}. Delete the file to have a new one made: what the old one opened stays closed.`
      )
    case 'master-key-missing':
      return (
        `${failure.file} is missing, and the secrets kept here are sealed with it. ` +
        'Restore it from a backup, or set COOKIE_MASTER_KEY to what it held. No new one was made: it would open none of them.'
      )
    case 'key-missing':
      return (
        `The key "${failure.keyId}" is not configured, and these cookies are sealed with it: ${failure.cookieNames.join(', ')}. ` +
        `Add ${failure.keyId}:<that key> to COOKIE_KEYS_OLD and run "sluice cookies rotate-key" before you remove it; ` +
        'or give them up with "sluice cookies disable".'
      )
    case 'store-unusable':
      return (
        `The store in ${failure.folder} cannot be opened (${failure.reason}). ` +
        'Restore a backup of it, or name another folder with SLUICE_DATA.'
      )
    case 'database-unusable':
      return (
        `The database of DATABASE_URL cannot be used. ${failure.reason} ` +
        'Start it, or correct host, name, user and password in DATABASE_URL.'
      )
    case 'master-key-differs':
      return (
        `The secrets in the database are sealed with another master key "${failure.keyId}" than this server has. ` +
        'Give every server the same COOKIE_MASTER_KEY: the one of the first server, from its environment or its {data}/master-key. ' +
        'If it is the same key, give it its name with COOKIE_KEY_ID. ' +
        'After a change of keys give the new one another name with COOKIE_KEY_ID, and name the old one in COOKIE_KEYS_OLD.'
      )
    case 'port-taken':
      return (
        `Port ${failure.port} of ${failure.host} is already in use. ` +
        'Stop what listens there, or choose another with PORT (PORT=0 takes any free one).'
      )
    case 'cannot-listen':
      return (
        `Cannot listen on ${failure.host} port ${failure.port} (${failure.code}). ` +
        'Set HOST to an address of this machine and PORT to one this user may use (1024 or above).'
      )
  }
}

function holderWords({ pid, url, startedAt }: ServerFile): string {
  return ` (process ${pid}, ${url}, since ${startedAt})`
}

/** On a terminal as text; for machines a line for each setting that is wrong, else one. */
export function reportStartFailure(failure: StartFailure, format: LogFormat, log: Log): void {
  if (format === 'pretty') {
    process.stderr.write(`\n${describeStartFailure(failure)}\n\n`)
    return
  }
  if (failure.kind !== 'bad-settings') {
    log.error('start.refused', describeStartFailure(failure), { reason: failure.kind })
    return
  }
  for (const { name, ...problem } of failure.problems) {
    const msg = `The setting ${name} should be ${problem.shouldBe}.`
    log.error('start.refused', msg, { reason: failure.kind, setting: name, ...problem })
  }
}
