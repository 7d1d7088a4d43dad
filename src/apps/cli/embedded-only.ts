import type { Config } from '../settings.ts'
import type { Complaint } from './complaint.ts'
import { EXIT } from './exit-codes.ts'

/** For commands that work on the files of the embedded store: PostgreSQL brings tools of its own. */
export function refusePostgres({ databaseUrl }: Config, tool: string): Complaint | undefined {
  if (!databaseUrl) return undefined
  return {
    exit: EXIT.wrongUse,
    code: 'not-embedded',
    what: 'DATABASE_URL is set, so that everything is in PostgreSQL and not in the data folder.',
    advice: `Use ${tool}; and keep the master key, which opens the secrets: COOKIE_MASTER_KEY, or {data}/master-key where it is not set.`,
  }
}
