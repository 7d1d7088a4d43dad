import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '../../../../core/clock.ts'
import { systemRandom } from '../../../../core/random.ts'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { KEPT_NAMES } from '../../../node/kept-secret.ts'
import type { Complaint } from '../../complaint.ts'
import type { Environment } from '../../environment.ts'
import { EXIT } from '../../exit-codes.ts'
import { openCopy } from '../../place.ts'
import { type AuditReport, NOT_CHECKED } from './audit-report.ts'
import { openEvidence } from './evidence.ts'
import { knownSecrets } from './known-secrets.ts'
import { looseModes, searchFolder } from './search-folder.ts'

const EXPORTS = [
  '/v1/sources?limit=1000',
  '/v1/outbox?limit=1000',
  '/v1/alerts',
  '/v1/cookies',
  '/v1/candidates?limit=1000',
  '/v1/executions',
  '/api/sites',
] as const

const NOT_IN_A_FOLDER: Complaint = {
  exit: EXIT.wrongUse,
  code: 'not-in-a-folder',
  what: 'With --data the audit searches the files and tables of a folder, but DATABASE_URL says that the tables are in PostgreSQL.',
  advice:
    'Unset DATABASE_URL to search the folder alone, or leave out --data: then secrets are planted in a folder that is thrown away.',
}

/** Looks for the operator's own secrets in the operator's own folder and logs. Changes nothing. */
export async function searchOwnFolder(
  env: Environment,
  logs: readonly string[],
): Promise<Result<AuditReport, Complaint>> {
  if (env.config.databaseUrl) return fail(NOT_IN_A_FOLDER)
  const folder = resolve(env.config.sluiceData)
  const missing = missingAmong(folder, logs)
  if (missing) return fail(missing)
  const known = await knownSecrets(env, { folder, clock: systemClock, random: systemRandom })
  if (!known.ok) return known
  const { sought, problems } = known.value
  const evidence = openEvidence({ sought })
  searchFolder(evidence, folder, { moment: '', except: KEPT_NAMES })
  for (const file of logs) evidence.add('log', file, readFileSync(file))
  const exported = await searchExports(env, (path, text) => evidence.add('answers', path, text))
  if (!exported.ok) return exported
  const leaks = evidence.leaks()
  const all = [...looseModes(folder), ...problems]
  return ok({
    passed: leaks.length + all.length === 0,
    secrets: sought.map(({ name }) => name),
    flows: [],
    places: evidence.places(),
    leaks,
    problems: all,
    notChecked: NOT_CHECKED,
  })
}

function missingAmong(folder: string, logs: readonly string[]): Complaint | undefined {
  const wrong = { exit: EXIT.wrongUse, code: 'not-there' }
  if (!existsSync(folder)) {
    return {
      ...wrong,
      what: `There is no ${folder}.`,
      advice: 'Without --data the audit makes a folder of its own.',
    }
  }
  const log = logs.find((path) => !existsSync(path) || statSync(path).isDirectory())
  if (log === undefined) return undefined
  return {
    ...wrong,
    what: existsSync(log) ? `The log ${log} is a folder.` : `There is no log ${log}.`,
    advice:
      'Name with --log the file that the log was written to; leave it out to search the folder alone.',
  }
}

async function searchExports(
  env: Environment,
  take: (path: string, text: string) => void,
): Promise<Result<void, Complaint>> {
  const copy = openCopy(env)
  if (!copy.ok) return copy
  try {
    for (const path of EXPORTS) {
      const answered = await copy.value.ask('GET', path)
      if (!answered.ok) return answered
      take(`GET ${path.replace(/\?.*/, '')}`, JSON.stringify(answered.value))
    }
    return ok(undefined)
  } finally {
    await copy.value.close()
  }
}
