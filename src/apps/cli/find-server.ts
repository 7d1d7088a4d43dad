import { join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../core/result.ts'
import { findSecret } from '../node/kept-secret.ts'
import { readServerFile, type ServerFile } from '../node/server-file.ts'
import type { Config } from '../settings.ts'
import { type Api, serverApi } from './api.ts'
import type { Complaint } from './complaint.ts'
import { EXIT } from './exit-codes.ts'

export interface FoundServer extends Api {
  readonly url: string
}

export interface FindOptions {
  /** How long an answer may take; left out, as long as any takes that does not wait for a run. */
  readonly timeoutMs?: number
}

const ALIVE_MS = 2_000

/** The server that holds the data folder; undefined where there is none. */
export async function findServer(
  config: Config,
  options: FindOptions = {},
): Promise<Result<FoundServer, Complaint> | undefined> {
  const folder = resolve(config.sluiceData)
  const server = readServerFile(join(folder, 'server.json'))
  if (!server || !(await isAlive(server))) return undefined
  const { url } = server
  const token = config.adminToken ?? findSecret(folder, 'admin-token')
  if (token) return ok({ url, ...serverApi(url, token, options) })
  return fail({
    exit: EXIT.wrongUse,
    code: 'no-token',
    what: `The server at ${url} holds ${folder}, and its token is not known here.`,
    advice: "Set ADMIN_TOKEN to the one in the server's environment.",
  })
}

/** One that was killed leaves its file behind. */
async function isAlive({ url }: ServerFile): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(ALIVE_MS) })).ok
  } catch {
    return false
  }
}
