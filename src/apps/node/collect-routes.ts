import { alertsRoutes } from '../../collect/http/alerts.ts'
import { candidatesRoutes } from '../../collect/http/candidates.ts'
import { collectRoutes as runRoutes } from '../../collect/http/collect.ts'
import { cookiesRoutes } from '../../collect/http/cookies.ts'
import { executionsRoutes } from '../../collect/http/executions.ts'
import { importRoutes } from '../../collect/http/import.ts'
import { mirrorRoutes } from '../../collect/http/mirror.ts'
import { notesRoutes } from '../../collect/http/notes.ts'
import type { RouteModule } from '../../http/http-env.ts'
import type { CollectStores } from '../../stores/stores.ts'
import type { SitesOptions } from '../../submit/sites.ts'
import type { Collect } from './open-collect.ts'
import { rotateKey } from './rotate-key.ts'

export interface CollectRoutesOptions extends Collect {
  readonly stores: CollectStores
  readonly sites: SitesOptions
}

/** The collect side of the API, for the server's clients and for commands in its stead. */
export function collectRoutes(options: CollectRoutesOptions): readonly RouteModule[] {
  const { stores, sites, keeping, collecting, importing, collector } = options
  const { platforms, lockTimeoutMs } = collecting
  return [
    notesRoutes(collecting),
    executionsRoutes(collecting),
    candidatesRoutes(collecting),
    runRoutes(collector),
    importRoutes(importing),
    mirrorRoutes({ ...stores, lockTimeoutMs }),
    cookiesRoutes({ ...keeping, platforms, rotateKey: () => rotateKey({ keeping, sites }) }),
    alertsRoutes(stores),
  ]
}
