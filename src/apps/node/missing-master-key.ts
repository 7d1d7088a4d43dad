import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../core/result.ts'
import type { Config } from '../settings.ts'
import type { ChosenStores } from './open-stores.ts'
import type { StartFailure } from './start-failure.ts'

type KeyMissing = Extract<StartFailure, { kind: 'master-key-missing' }>

/**
 * A key is made for a new folder alone. Where secrets are sealed, one more would hide that theirs is lost.
 * Servers that share a database find out by themselves: see agree-on-key.ts.
 */
export async function missingMasterKey(
  { cookieMasterKey }: Pick<Config, 'cookieMasterKey'>,
  folder: string,
  { sites, cookies, keyCheck }: Pick<ChosenStores, 'sites' | 'cookies' | 'keyCheck'>,
): Promise<Result<void, KeyMissing>> {
  const file = join(folder, 'master-key')
  if (cookieMasterKey || keyCheck || existsSync(file)) return ok(undefined)
  const sealed = [...(await sites.list()), ...(await cookies.list())]
  return sealed.length > 0 ? fail({ kind: 'master-key-missing', file }) : ok(undefined)
}
