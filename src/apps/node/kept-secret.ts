import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import type { Secret } from '../../core/secret.ts'
import { masterKey, token } from '../setting-kinds.ts'
import { errorCodeOf } from './error-code.ts'
import type { StartFailure } from './start-failure.ts'

const SECRET_BYTES = 32
const OWNER_ONLY = 0o600

export interface KeptSecret {
  readonly secret: Secret
  readonly file: string
}

type SecretFailure = Extract<StartFailure, { kind: 'secret-file-unusable' }>

/** The secrets that Sluice makes for itself, by the file each is kept in, with the variable that replaces it. */
const KEPT = {
  'admin-token': { kind: token, variable: 'ADMIN_TOKEN' },
  // What secrets are sealed with.
  'master-key': { kind: masterKey, variable: 'COOKIE_MASTER_KEY' },
  // What authors are hidden with.
  'author-key': { kind: masterKey, variable: 'COLLECT_AUTHOR_KEY' },
} as const

export type KeptName = keyof typeof KEPT
export const KEPT_NAMES = Object.keys(KEPT) as readonly KeptName[]

/** Those of the files that are there, as they are: for a backup. */
export function keptFiles(
  folder: string,
  names: readonly KeptName[],
): readonly { readonly name: KeptName; readonly text: string }[] {
  return names.flatMap((name) => {
    const text = readIfThere(join(folder, name))
    return text === undefined ? [] : [{ name, text }]
  })
}

/** The secret in `{folder}/{name}`, made when there is none: the same one after a restart. */
export function keepSecret(
  folder: string,
  name: KeptName,
  random: Random,
): Result<KeptSecret, SecretFailure> {
  const file = join(folder, name)
  const { kind, variable } = KEPT[name]
  const kept = readOrCreate(file, random)
  const read = kind.schema.safeParse(kept?.trim())
  return read.success
    ? ok({ secret: read.data, file })
    : fail({ kind: 'secret-file-unusable', file, variable })
}

/** The operator's own, or the one that is kept in the folder. */
export function givenOrKept({
  given,
  folder,
  name,
  random,
}: {
  readonly given: Secret | undefined
  readonly folder: string
  readonly name: KeptName
  readonly random: Random
}): Result<Secret, SecretFailure> {
  if (given) return ok(given)
  const kept = keepSecret(folder, name, random)
  return kept.ok ? ok(kept.value.secret) : kept
}

/** The secret in `{folder}/{name}` if there is one that can be used. Makes none. */
export function findSecret(folder: string, name: KeptName): Secret | undefined {
  try {
    return KEPT[name].kind.schema.safeParse(readIfThere(join(folder, name))?.trim()).data
  } catch {
    return undefined
  }
}

function readOrCreate(file: string, random: Random): string | undefined {
  try {
    const kept = readIfThere(file) ?? createSecret(file, random)
    if ((statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY)
    return kept
  } catch {
    // Not a file, not ours, no space: the operator is told which file, and how to do without it.
    return undefined
  }
}

/** Written whole and then linked to its name: nobody ever reads half a secret, and none is overwritten. */
function createSecret(file: string, random: Random): string {
  const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')
  const draft = `${file}.${random.uuid()}`
  try {
    writeFileSync(draft, `${secret}\n`, { mode: OWNER_ONLY, flag: 'wx', flush: true })
    linkSync(draft, file)
    return secret
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(draft, { force: true })
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}
