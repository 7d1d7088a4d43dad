import type { Tokens } from '../http/access.ts'
import type { RouteModule } from '../http/http-env.ts'
import type { Random } from '../core/random.ts'
import { type Assets, assetRoutes } from './assets.ts'
import type { DashboardDeps } from './deps.ts'
import { type LoginLimit, openLoginLimit } from './login-limit.ts'
import { alertsPages } from './pages/alerts.ts'
import { badgeRoutes } from './pages/badge.ts'
import { collectPages } from './pages/collect.ts'
import { loginPages } from './pages/login.ts'
import { unknownPages } from './pages/missing.ts'
import { overviewPage } from './pages/overview.ts'
import { referencePage } from './pages/reference.ts'
import { runPages } from './pages/run.ts'
import { siteActionPages } from './pages/site-actions.ts'
import { siteFormPages } from './pages/site-form.ts'
import { sitePage } from './pages/site.ts'
import { openSessions } from './session.ts'

export interface DashboardOptions extends Omit<DashboardDeps, 'sessions' | 'hasCollect'> {
  readonly tokens: Tokens
  readonly random: Random
  readonly assets: Assets
  /** Of whoever opens these routes more than once; otherwise they have their own. */
  readonly loginLimit?: LoginLimit
}

/** SPEC X06: everything that people look at, the same wherever it runs. */
export function dashboardRoutes(options: DashboardOptions): readonly RouteModule[] {
  const { tokens, random, assets, stores, collect, loginLimit = openLoginLimit() } = options
  const sessions = openSessions({ tokens, newId: () => random.uuid() })
  const deps = { ...options, sessions, loginLimit, hasCollect: collect !== undefined }
  const pages: RouteModule = (app) => {
    overviewPage(app, deps)
    siteFormPages(app, deps)
    siteActionPages(app, deps)
    sitePage(app, deps)
    runPages(app, deps)
    if (collect) collectPages(app, deps, collect)
    alertsPages(app, deps)
    referencePage(app, deps)
    unknownPages(app, deps)
  }
  return [assetRoutes(assets), badgeRoutes({ stores, sessions }), loginPages(deps), pages]
}
