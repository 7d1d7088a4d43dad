import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import type { Tokens } from '../../http/access.ts'
import type { NotReady } from '../../http/health.ts'
import { httpApp } from '../../http/http-app.ts'
import type { RouteModule } from '../../http/http-env.ts'
import type { OpenedStores } from '../../stores/opened-stores.ts'
import type { Config } from '../settings.ts'
import { VERSION } from '../version.ts'
import { agreeOnKey } from '../node/agree-on-key.ts'
import { givenOrKept, keepSecret } from '../node/kept-secret.ts'
import { openDataFolder } from '../node/data-folder.ts'
import { doubtfulSettings } from '../configuration-problems.ts'
import { inspectStorage } from '../node/inspect-storage.ts'
import { listen } from './listen.ts'
import { missingMasterKey } from '../node/missing-master-key.ts'
import { openSnapshot, openStores } from '../node/open-stores.ts'
import { openKeyRing } from '../node/key-ring.ts'
import type { RouteDeps } from './routes.ts'
import type { StartFailure } from '../node/start-failure.ts'
import { missingKeys } from '../../collect/cookies/keeping.ts'
import { keyIdsOf, platformsFrom } from '../node/open-collect.ts'
import { openCollectSide } from './collect-side.ts'
import { openSubmitSide } from './submit-side.ts'

export interface StartOptions {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly routes: (deps: RouteDeps) => readonly RouteModule[]
  /** What is doubtful about the settings: the doctor tells it too. */
  readonly warnings?: readonly string[]
}

export interface RunningServer {
  readonly url: string
  readonly dataFolder: string
  /** Absent when the operator gave the token. */
  readonly tokenFile: string | undefined
  /** Not ready from now on; requests in flight have `graceMs` to finish; then everything is closed. */
  stop(graceMs: number): Promise<void>
  /** Gives the data folder back at once, for a process that is about to end. */
  abandon(): void
}

/** Folder, token, store, HTTP: one after the other, and undone in reverse when a later one fails. */
export async function startServer(
  options: StartOptions,
): Promise<Result<RunningServer, StartFailure>> {
  const { config, clock, random, log, routes, warnings = [] } = options
  const startedAt = clock.now()
  const folder = openDataFolder(config.sluiceData)
  if (!folder.ok) return folder
  const undo: (() => void | Promise<void>)[] = [() => folder.value.release()]
  const undoAll = async () => {
    for (const step of undo.toReversed()) await step()
  }
  const giveUp = async (failure: StartFailure) => {
    await undoAll()
    return fail(failure)
  }

  const tokens = tokensFrom(config, folder.value.path, random)
  if (!tokens.ok) return giveUp(tokens.failure)
  const { databaseUrl } = config
  const opened = await openStores({ folder: folder.value.path, databaseUrl, clock, random })
  if (!opened.ok) return giveUp(opened.failure)
  const stores = opened.value
  undo.push(() => stores.close())

  const kept = await missingMasterKey(config, folder.value.path, stores)
  if (!kept.ok) return giveUp(kept.failure)
  const masterKey = givenOrKept({
    given: config.cookieMasterKey,
    folder: folder.value.path,
    name: 'master-key',
    random,
  })
  if (!masterKey.ok) return giveUp(masterKey.failure)
  const { sealer } = openKeyRing(config, masterKey.value, random)
  const agreed = stores.keyCheck ? await agreeOnKey(stores.keyCheck, sealer) : ok(undefined)
  if (!agreed.ok) return giveUp(agreed.failure)
  const authorKey = givenOrKept({
    given: config.collectAuthorKey,
    folder: folder.value.path,
    name: 'author-key',
    random,
  })
  if (!authorKey.ok) return giveUp(authorKey.failure)
  const machine = {
    storage: () => inspectStorage(folder.value.path),
    configuration: doubtfulSettings(warnings),
  }
  const around = { config, stores, clock, random, log }
  const submit = openSubmitSide({
    ...around,
    masterKey: masterKey.value,
    machine,
    ...(!databaseUrl && {
      copyStores: () => openSnapshot({ folder: folder.value.path, clock, random }),
    }),
  })
  const { shared, sites } = submit.opened
  const [missing] = await missingKeys(stores.cookies, keyIdsOf(shared))
  if (missing) return giveUp({ kind: 'key-missing', ...missing })
  const platforms = platformsFrom({ config, authorKey: authorKey.value, ...shared, clock })
  const collect = openCollectSide({ ...around, shared, sites, platforms })

  const readiness = { stopping: false }
  const app = httpApp({
    clock,
    random,
    log,
    compresses: true,
    tokens: tokens.value,
    modules: routes({
      submit,
      collect,
      tokens: tokens.value,
      clock,
      random,
      log,
      config,
      stores,
      version: VERSION,
      runtime: `node ${process.versions.node}`,
      startedAt,
      checkReady: () => checkReady(readiness, stores, log),
    }),
  })
  const { host, port } = config
  const listening = await listen({ app, host, port, clock, random, log })
  if (!listening.ok) return giveUp(listening.failure)
  const { url } = listening.value

  await submit.start()
  collect.start()
  folder.value.announce({ pid: process.pid, url, startedAt: new Date(startedAt).toISOString() })
  return ok({
    url,
    dataFolder: folder.value.path,
    tokenFile: tokens.value.file,
    async stop(graceMs) {
      readiness.stopping = true
      // Together: whoever waits for a run is answered when the run has saved what it has.
      await Promise.all([submit.stop(), collect.stop(), listening.value.close(graceMs)])
      await undoAll()
    },
    abandon: () => folder.value.release(),
  })
}

function tokensFrom(
  { adminToken, readToken, collectToken }: Config,
  folder: string,
  random: Random,
): Result<Tokens & { file: string | undefined }, StartFailure> {
  const scoped = { read: readToken, collect: collectToken }
  if (adminToken) {
    const advice = "The operator set it as ADMIN_TOKEN in the server's environment."
    return ok({ admin: adminToken, ...scoped, advice, file: undefined })
  }
  const kept = keepSecret(folder, 'admin-token', random)
  if (!kept.ok) return kept
  const advice =
    "It is in the file admin-token of the server's data folder (./data, or SLUICE_DATA)."
  return ok({ admin: kept.value.secret, ...scoped, advice, file: kept.value.file })
}

async function checkReady(
  { stopping }: { readonly stopping: boolean },
  stores: OpenedStores,
  log: Log,
): Promise<Result<void, NotReady>> {
  if (stopping) return fail('stopping')
  try {
    await stores.check()
    return ok(undefined)
  } catch (error) {
    log.error('store.unavailable', 'The store does not answer.', { error })
    return fail('store-unavailable')
  }
}
