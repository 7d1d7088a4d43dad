import type { Clock } from '../../core/clock.ts'
import type { RouteModule } from '../../http/http-env.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { runsRoutes } from '../../submit/http/runs.ts'
import { sitesRoutes } from '../../submit/http/sites.ts'
import { statusRoutes } from '../../submit/http/status.ts'
import { urlsRoutes } from '../../submit/http/urls.ts'
import type { Submit } from './open-submit.ts'

export interface SubmitRoutesOptions extends Pick<Submit, 'sites' | 'runner'> {
  readonly stores: SubmitStores
  readonly clock: Clock
}

/** The submit side of the API, for the server's clients and for commands in its stead. */
export function submitRoutes({
  sites,
  runner,
  stores,
  clock,
}: SubmitRoutesOptions): readonly RouteModule[] {
  return [
    sitesRoutes({ ...sites, alerts: stores.alerts, leases: stores.leases, clock }),
    runsRoutes({ stores, runner }),
    statusRoutes({ stores, sites, clock }),
    urlsRoutes({ stores, runner }),
  ]
}
