import { resolve } from 'node:path'
import { type BackupFailure, backupStore } from '../../../node/backup-store.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { refusePostgres } from '../../embedded-only.ts'

interface BackupOptions {
  readonly withKeys?: true
}

export async function runBackup(call: Call<BackupOptions>): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const { config } = env.value
  const elsewhere = refusePostgres(config, 'pg_dump')
  if (elsewhere) return call.refuse(elsewhere)
  const folder = resolve(config.sluiceData)
  const withKeys = call.options.withKeys === true
  // What is written from here on is for this user alone.
  process.umask(0o077)
  const made = backupStore({ folder, file: call.words[0] ?? '', withKeys })
  if (!made.ok) return call.refuse(complaintOf(made.failure))
  const { file, bytes, schema, keys } = made.value
  call.answer({ file, bytes, schema, keys }, () => {
    call.terminal.print(`${file}: ${bytes} bytes, schema ${schema}.`)
    call.terminal.say(keyWords(folder, { withKeys, found: keys }))
  })
  return EXIT.done
}

function keyWords(
  folder: string,
  { withKeys, found }: { readonly withKeys: boolean; readonly found: readonly string[] },
): string {
  if (found.length > 0) {
    return `It holds ${found.join(' and ')}: whoever has this file can open every secret in it.`
  }
  if (withKeys) return `No key is kept in ${folder}: they are in the environment, so keep those.`
  return `The keys are not in it: without ${folder}/master-key (or COOKIE_MASTER_KEY) its secrets stay closed. Keep that too, in another place, or use --with-keys.`
}

function complaintOf(failure: BackupFailure): Complaint {
  switch (failure.kind) {
    case 'store-missing':
      return {
        exit: EXIT.wrongUse,
        code: failure.kind,
        what: `There is no store in ${failure.folder}.`,
        advice: 'Name its folder with --data.',
      }
    case 'file-exists':
      return {
        exit: EXIT.wrongUse,
        code: failure.kind,
        what: `${failure.file} is there already, and a backup overwrites nothing.`,
        advice: 'Choose another name.',
      }
    case 'no-such-folder':
      return {
        exit: EXIT.wrongUse,
        code: failure.kind,
        what: `There is no folder ${failure.folder} for the backup.`,
        advice: 'Make it first, or name a file in another one.',
      }
    case 'not-written':
      return {
        exit: EXIT.failed,
        code: failure.kind,
        what: `The backup ${failure.file} could not be written: ${failure.why}.`,
        advice: '`sluice doctor` looks at the store and at the room on its disk.',
      }
  }
}
