import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../../core/clock.ts'
import { openDataFolder } from '../../../node/data-folder.ts'
import { type LeftOut, type RestoreFailure, restoreStore } from '../../../node/restore-store.ts'
import { describeStartFailure, type StartFailure } from '../../../node/start-failure.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { refusePostgres } from '../../embedded-only.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { inWords } from '../../words.ts'

interface RestoreOptions {
  readonly replace?: true
  readonly toVersion?: string
}

export async function runRestore(call: Call<RestoreOptions>): Promise<ExitCode> {
  const { words, options, terminal } = call
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const { config } = env.value
  const elsewhere = refusePostgres(config, 'pg_restore')
  if (elsewhere) return call.refuse(elsewhere)
  const { toVersion } = options
  if (toVersion !== undefined && !/^\d{1,4}$/.test(toVersion)) return call.refuse(NO_NUMBER)

  process.umask(0o077)
  const held = openDataFolder(config.sluiceData)
  if (!held.ok) return call.refuse(complaintOfFolder(held.failure))
  const { path: folder, release } = held.value
  try {
    const file = words[0] ?? ''
    const restored = restoreStore({
      folder,
      file,
      replace: options.replace === true,
      toVersion: toVersion === undefined ? undefined : Number(toVersion),
      now: systemClock.now(),
    })
    if (!restored.ok) return call.refuse(complaintOf(restored.failure, file))
    const hasKey = config.cookieMasterKey !== undefined || existsSync(join(folder, 'master-key'))
    call.answer({ folder, ...restored.value }, () => {
      const { schema, keys, kept, leftOut } = restored.value
      const missing = leftOutWords(leftOut)
      const all = missing === '' ? 'what' : 'a part of what'
      terminal.print(`${folder} holds ${all} ${file} held, schema ${schema}.`)
      if (missing !== '') {
        terminal.complain(
          `Left out, since schema ${schema} has no place for them: ${missing}. They are still in ${file}: keep it.`,
        )
      }
      if (keys.length > 0) terminal.say(`It brought ${keys.join(' and ')}.`)
      for (const name of kept) terminal.say(`What was there is ${join(folder, name)} now.`)
      if (!hasKey) terminal.complain(KEY_ABSENT)
    })
    return EXIT.done
  } finally {
    release()
  }
}

/** What people lose with a table; of one that is not here they lose nothing: it is made anew from the others. */
const LOST_WITH: Readonly<Record<string, (rows: string) => string>> = {
  tbl_cookie: (rows) => `cookies (${rows})`,
  tbl_candidate: (rows) => `candidates (${rows})`,
  tbl_source: (rows) => `notes (${rows})`,
  tbl_crawl_execution: (rows) => `executions (${rows})`,
  outbox: (rows) => `rows of the outbox (${rows})`,
  candidate_census: (rows) => `days of the plot of candidates (${rows})`,
}

function leftOutWords(leftOut: readonly LeftOut[]): string {
  return leftOut
    .flatMap(({ table, rows }) => LOST_WITH[table]?.(inWords.count(rows)) ?? [])
    .join(', ')
}

const KEY_ABSENT =
  'There is no master-key in the folder: put it back before the next start, or the secrets stay closed.'

const NO_NUMBER: Complaint = {
  exit: EXIT.wrongUse,
  code: 'no-such-schema',
  what: '--to-version is not the number of a schema.',
  advice: 'Such as: --to-version 1',
}

function complaintOfFolder(failure: StartFailure): Complaint {
  if (failure.kind !== 'data-folder-in-use') {
    return { exit: EXIT.wrongUse, code: failure.kind, what: describeStartFailure(failure) }
  }
  const { folder, holder } = failure
  return {
    exit: EXIT.locked,
    code: 'LOCKED',
    what: `A Sluice${holder ? ` (process ${holder.pid}, ${holder.url})` : ''} works with ${folder}, and would go on with the store that is taken away from under it.`,
    advice: 'Stop it, then restore.',
  }
}

function complaintOf(failure: RestoreFailure, file: string): Complaint {
  const wrong = { exit: EXIT.wrongUse, code: failure.kind }
  switch (failure.kind) {
    case 'no-backup':
      return {
        ...wrong,
        what: `${file} cannot be restored: ${failure.why}.`,
        advice: 'Nothing was changed. Name a file that `sluice backup` made.',
      }
    case 'schema-too-new':
      return {
        ...wrong,
        what: `${file} was made by a newer Sluice: it has schema ${failure.found}, this version knows schemas up to ${failure.newest}.`,
        advice: `Nothing was changed. Use that version; or take the backup down with it: \`sluice restore ${file} --data ./older --to-version ${failure.newest}\`, then \`sluice backup older.db --data ./older\`.`,
      }
    case 'no-such-schema':
      return {
        ...wrong,
        what: `There is no schema ${failure.asked}: this version knows 1 to ${failure.newest}.`,
      }
    case 'already-there':
      return {
        ...wrong,
        what: `The folder has ${failure.names.join(' and ')} already.`,
        advice: 'Nothing was changed. With --replace it is kept beside, under another name.',
      }
    case 'not-restored':
      return {
        exit: EXIT.failed,
        code: failure.kind,
        what: `${file} could not be restored: ${failure.why}.`,
        advice: 'What was set aside is in the data folder, as *.before-*.',
      }
  }
}
