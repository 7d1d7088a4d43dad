import { systemClock } from '../../core/clock.ts'
import { systemRandom } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import type { Secret } from '../../core/secret.ts'
import type { OpenedStores } from '../../stores/opened-stores.ts'
import { agreeOnKey } from '../node/agree-on-key.ts'
import { openDataFolder } from '../node/data-folder.ts'
import { collectRoutes } from '../node/collect-routes.ts'
import { isOlderStore } from '../node/inspect-storage.ts'
import { openKeyRing } from '../node/key-ring.ts'
import { openCollect, platformsFrom } from '../node/open-collect.ts'
import { givenOrKept } from '../node/kept-secret.ts'
import { missingMasterKey } from '../node/missing-master-key.ts'
import { type ChosenStores, openStores } from '../node/open-stores.ts'
import { openSubmit, type Submit } from '../node/open-submit.ts'
import { describeStartFailure, type StartFailure } from '../node/start-failure.ts'
import { submitRoutes } from '../node/submit-routes.ts'
import type { Config } from '../settings.ts'
import { type Api, localApi } from './api.ts'
import type { Complaint } from './complaint.ts'
import { copyStore } from './copy-store.ts'
import type { Environment } from './environment.ts'
import { EXIT } from './exit-codes.ts'
import { findServer } from './find-server.ts'

/** Where a command's work is done. */
export interface Place extends Api {
  /** Of the server that does it; undefined where this process does. */
  readonly serverUrl: string | undefined
  close(): Promise<void>
}

/** This process does the work. */
export interface OwnPlace extends Place {
  readonly serverUrl: undefined
  readonly submit: Submit
}

const clock = systemClock
const random = systemRandom

/**
 * To change something: the server that holds the folder, or else this process, which then holds it alone. A store of an
 * older schema is brought up by that. What is refused on a copy of it before (`rehearse`) leaves it as it is.
 */
export async function openToWork(
  env: Environment,
  rehearse?: (copy: Place) => Promise<Result<unknown, Complaint>>,
): Promise<Result<Place | OwnPlace, Complaint>> {
  const server = await openServer(env)
  if (server) return server
  if (!rehearse || env.config.databaseUrl || !isOlderStore(env.config.sluiceData)) {
    return openFolder(env)
  }
  const copy = openCopy(env)
  if (!copy.ok) return copy
  try {
    const rehearsed = await rehearse(copy.value)
    if (!rehearsed.ok) return rehearsed
  } finally {
    await copy.value.close()
  }
  return openFolder(env)
}

/** To look: the server, or else what is in the folder at this moment. Writes nothing, and waits for nobody. */
export async function openToLook(env: Environment): Promise<Result<Place, Complaint>> {
  const server = await openServer(env)
  if (server) return server
  return env.config.databaseUrl ? openFolder(env) : openCopy(env)
}

/** A copy of what is in the folder, in memory, to try something out. */
export function openCopy(env: Environment): Result<OwnPlace, Complaint> {
  if (env.config.databaseUrl) return fail(NO_COPY)
  const copy = copyStore(env.config)
  return copy.ok ? ok(ownPlace(env, copy.value)) : fail(complaintOf(copy.failure))
}

const NO_COPY: Complaint = {
  exit: EXIT.wrongUse,
  code: 'no-copy',
  what: 'What would be sent is found out on a copy of the store, and of a PostgreSQL database there is none.',
  advice: 'Unset DATABASE_URL and name a folder with --data, or leave out --dry-run.',
}

async function openFolder(env: Environment): Promise<Result<OwnPlace, Complaint>> {
  const { config } = env
  // Whatever is written from here on (database, keys) is for this user alone.
  process.umask(0o077)
  const folder = openDataFolder(config.sluiceData)
  if (!folder.ok) return fail(complaintOf(folder.failure))
  const { path, release } = folder.value
  const { databaseUrl } = config
  const stores = await openStores({ folder: path, databaseUrl, clock, random })
  if (!stores.ok) {
    release()
    return fail(complaintOf(stores.failure))
  }
  const keys = await keysOf(config, path, stores.value)
  if (keys.ok) return ok(ownPlace(env, { stores: stores.value, ...keys.value, release }))
  await stores.value.close()
  release()
  return fail(complaintOf(keys.failure))
}

/** Made where there are none; in a store that others use too, they must be the ones that the others have. */
async function keysOf(
  config: Config,
  folder: string,
  stores: ChosenStores,
): Promise<Result<Keys, StartFailure>> {
  const { keyCheck } = stores
  const missing = await missingMasterKey(config, folder, stores)
  if (!missing.ok) return missing
  const keys = keysFrom(config, folder)
  if (!keys.ok || !keyCheck) return keys
  const { sealer } = openKeyRing(config, keys.value.masterKey, random)
  const agreed = await agreeOnKey(keyCheck, sealer)
  return agreed.ok ? keys : agreed
}

interface Keys {
  readonly masterKey: Secret
  readonly authorKey: Secret
}

function keysFrom(config: Config, folder: string): Result<Keys, StartFailure> {
  const masterKey = givenOrKept({
    given: config.cookieMasterKey,
    folder,
    name: 'master-key',
    random,
  })
  if (!masterKey.ok) return masterKey
  const authorKey = givenOrKept({
    given: config.collectAuthorKey,
    folder,
    name: 'author-key',
    random,
  })
  if (!authorKey.ok) return authorKey
  return ok({ masterKey: masterKey.value, authorKey: authorKey.value })
}

interface Holdings extends Keys {
  readonly stores: OpenedStores
  readonly release?: () => void
}

function ownPlace({ config, log }: Environment, holdings: Holdings): OwnPlace {
  const { stores, masterKey, authorKey, release } = holdings
  const around = { config, stores, clock, random, log }
  const submit = openSubmit({ ...around, masterKey })
  const { shared, sites } = submit
  const platforms = platformsFrom({ config, authorKey, ...shared, clock })
  const collect = openCollect({ ...around, shared, platforms })
  const routes = [
    ...submitRoutes({ ...submit, stores, clock }),
    ...collectRoutes({ ...collect, stores, sites }),
  ]
  const api = localApi(routes, { clock, random, log })
  return {
    ...api,
    serverUrl: undefined,
    submit,
    async close() {
      await Promise.all([submit.runner.stop(), collect.collector.stop()])
      await stores.close()
      release?.()
    },
  }
}

async function openServer({ config }: Environment): Promise<Result<Place, Complaint> | undefined> {
  const server = await findServer(config)
  if (!server?.ok) return server
  const { url, ask } = server.value
  return ok({ ask, serverUrl: url, async close() {} })
}

function complaintOf(failure: StartFailure): Complaint {
  if (failure.kind === 'data-folder-in-use') {
    return {
      exit: EXIT.locked,
      code: 'LOCKED',
      what: `Another Sluice works with the data folder ${failure.folder}.`,
      advice: 'Wait for it to end, or give this one a folder of its own with --data.',
    }
  }
  return { exit: EXIT.wrongUse, code: failure.kind, what: describeStartFailure(failure) }
}
