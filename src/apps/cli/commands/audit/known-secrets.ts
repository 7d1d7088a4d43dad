import type { Clock } from '../../../../core/clock.ts'
import { silentLog } from '../../../../core/log.ts'
import type { Random } from '../../../../core/random.ts'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { masterKeysFrom } from '../../../../core/seal.ts'
import { Secret } from '../../../../core/secret.ts'
import { openCookieCipher } from '../../../../collect/cookies/cipher.ts'
import { openFields } from '../../../../submit/sealed-settings.ts'
import { findSecret } from '../../../node/kept-secret.ts'
import { openSnapshot } from '../../../node/open-stores.ts'
import { openSubmit } from '../../../node/open-submit.ts'
import { describeStartFailure } from '../../../node/start-failure.ts'
import type { Complaint } from '../../complaint.ts'
import type { Environment } from '../../environment.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Sought } from './secret-forms.ts'

export interface KnownSecrets {
  readonly sought: readonly Sought[]
  /** What could not be opened, and so is not looked for. */
  readonly problems: readonly string[]
}

interface Around {
  readonly folder: string
  readonly clock: Clock
  readonly random: Random
}

/** Every secret that the folder and the environment hold, opened. */
export async function knownSecrets(
  { config }: Environment,
  around: Around,
): Promise<Result<KnownSecrets, Complaint>> {
  const { folder, clock, random } = around
  const opened = openSnapshot(around)
  if (!opened.ok) {
    const { kind } = opened.failure
    return fail({ exit: EXIT.wrongUse, code: kind, what: describeStartFailure(opened.failure) })
  }
  const stores = opened.value
  const kept = (name: Parameters<typeof findSecret>[1]) => findSecret(folder, name)
  const masterKey = config.cookieMasterKey ?? kept('master-key') ?? new Secret(random.uuid())
  const submit = openSubmit({ config, stores, clock, random, log: silentLog, masterKey })
  const cipher = openCookieCipher({ ...submit.shared, name: config.cookieCipher, clock, random })
  const problems: string[] = []
  const stored: Sought[] = []
  try {
    for (const cookie of await stores.cookies.list()) {
      const read = await cipher.open(cookie)
      if (read.ok) stored.push(...cookieValues(cookie.cookieName, read.value))
      else problems.push(`The cookie ${cookie.cookieName} does not open: it was not looked for.`)
    }
    for (const site of await stores.sites.list()) {
      const { fields, stuck } = await openFields(site, submit.shared.sealer)
      for (const field of ['bingApiKey', 'webhookUrl'] as const) {
        const value = fields[field]
        const isStuck = stuck.some((each) => each.field === field)
        if (isStuck)
          problems.push(`The ${field} of ${site.id} does not open: it was not looked for.`)
        else if (value instanceof Secret) {
          stored.push({ name: `${field} of ${site.id}`, value: value.reveal() })
        }
      }
    }
  } finally {
    await stores.close()
  }
  const tokens = {
    'admin token': config.adminToken ?? kept('admin-token'),
    'read token': config.readToken,
    'collect token': config.collectToken,
    'master key': config.cookieMasterKey ?? kept('master-key'),
    'author key': config.collectAuthorKey ?? kept('author-key'),
    'alert webhook': config.alertWebhookUrl,
  }
  const held = Object.entries(tokens).flatMap(([name, secret]) =>
    secret ? [{ name, value: secret.reveal() }] : [],
  )
  const old = (config.cookieKeysOld ? masterKeysFrom(config.cookieKeysOld) : []).map((key) => ({
    name: `old key ${key.keyId}`,
    value: key.masterKey.reveal(),
  }))
  return ok({ sought: [...held, ...old, ...stored], problems })
}

/** Shorter values ("1", "zh-CN") are no secrets, and stand everywhere. */
const LEAST_SECRET_LENGTH = 12

function cookieValues(cookieName: string, cookie: Secret): readonly Sought[] {
  return cookie
    .reveal()
    .split(';')
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .filter(({ length }) => length >= LEAST_SECRET_LENGTH)
    .map((value) => ({ name: `cookie ${cookieName}`, value }))
}
