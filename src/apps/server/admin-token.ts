import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import type { Secret } from '../../core/secret.ts'
import { token as tokenKind } from '../setting-kinds.ts'
import type { StartFailure } from './start-failure.ts'

const TOKEN_BYTES = 32
const OWNER_ONLY = 0o600

export interface KeptToken {
  readonly token: Secret
  readonly file: string
}

type TokenFailure = Extract<StartFailure, { kind: 'admin-token-unusable' }>

/** The token in `{folder}/admin-token`, made when there is none: the same one after a restart. */
export function keepAdminToken(folder: string, random: Random): Result<KeptToken, TokenFailure> {
  const file = join(folder, 'admin-token')
  const kept = readOrCreate(file, random)
  const read = tokenKind.schema.safeParse(kept?.trim())
  return read.success
    ? ok({ token: read.data, file })
    : fail({ kind: 'admin-token-unusable', file })
}

function readOrCreate(file: string, random: Random): string | undefined {
  try {
    const kept = readIfThere(file) ?? createToken(file, random)
    if ((statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY)
    return kept
  } catch {
    // Not a file, not ours, no space: the operator is told which file, and how to do without it.
    return undefined
  }
}

/** Written whole and then linked to its name: nobody ever reads half a token, and none is overwritten. */
function createToken(file: string, random: Random): string {
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')
  const draft = `${file}.${random.uuid()}`
  try {
    writeFileSync(draft, `${token}\n`, { mode: OWNER_ONLY, flag: 'wx', flush: true })
    linkSync(draft, file)
    return token
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(draft, { force: true })
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
