import { type AlertRule, type AlertText, stepAlert } from '../../src/core/alert.ts'
import { Secret } from '../../src/core/secret.ts'
import { silentLog } from '../../src/core/log.ts'
import { dashboardAssets } from '../../src/apps/node/dashboard-assets.ts'
import { type DashboardOptions, dashboardRoutes } from '../../src/dashboard/dashboard.ts'
import { httpApp } from '../../src/http/http-app.ts'
import type { RouteModule } from '../../src/http/http-env.ts'
import type { CollectWorld } from '../support/collect-world.ts'
import { countingRandom } from '../support/counting-random.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import type { World } from '../support/world.ts'

export const ADMIN = 'admin-token-of-the-dashboard'
export const READ = 'read-token-of-the-dashboard'

export const textOf = async (response: Response | Promise<Response>) => (await response).text()

/** What a look at a rule came to: what is wrong, or nothing any more. */
export const lookAt = (
  { stores, clock }: World,
  rule: Pick<AlertRule, 'key' | 'severity'>,
  wrong: AlertText | undefined,
) =>
  stores.alerts.move(
    rule.key,
    (before) =>
      stepAlert(before, {
        rule: { ...rule, raiseAfterMs: 0, clearAfterMs: 0 },
        wrong,
        now: clock.now(),
      }),
    clock.now(),
  )

export interface Visitor {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>
  /** The token that stands in the forms of a page. */
  formToken(path: string): Promise<string>
  /** The cookies that were set, as the browser was told. */
  readonly told: readonly string[]
}

interface Sent {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface PagesOptions {
  readonly admin?: string
  readonly read?: string
  readonly live?: 'events' | 'polling'
  readonly addressOf?: DashboardOptions['addressOf']
}

/** The pages over a world, without a browser: cookies are kept as one would. */
export function openPages({ clock, stores, side }: World, options: PagesOptions = {}) {
  const { sites, runner, testAlert } = side.opened
  const { examine, plan, routes } = side
  const shown = { stores, sites, runner, testAlert, examine, plan }
  return pagesOver(clock, { shown, routes, ...options })
}

/** The same over a world of notes. */
export function openCollectPages({ clock, stores, side, submit }: CollectWorld) {
  const { keeping, collecting, platforms } = side.opened
  const { sites, runner } = submit
  const names = platforms.on.map(({ name }) => name)
  const { lockTimeoutMs } = collecting
  const collect = { stores, keeping, lockTimeoutMs, platforms: names }
  const shown = { stores, sites, runner, collect }
  return pagesOver(clock, { shown, routes: side.routes })
}

type Shown = Omit<DashboardOptions, 'clock' | 'random' | 'version' | 'tokens' | 'live' | 'assets'>

interface Over extends PagesOptions {
  readonly shown: Shown
  readonly routes: readonly RouteModule[]
}

function pagesOver(
  clock: FakeClock,
  { shown, routes, admin = ADMIN, read = READ, live = 'polling', addressOf }: Over,
) {
  const tokens = { admin: new Secret(admin), read: new Secret(read), advice: 'Ask the operator.' }
  const random = countingRandom()
  const app = httpApp({
    clock,
    random,
    log: silentLog,
    tokens,
    modules: [
      ...routes,
      ...dashboardRoutes({
        ...shown,
        clock,
        random,
        version: '1.2.3',
        tokens,
        live,
        ...(addressOf && { addressOf }),
        assets: dashboardAssets(),
      }),
    ],
  })
  const visitor = (cookies = new Map<string, string>()): Visitor => {
    const told: string[] = []
    const send = async (path: string, init: Sent) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await app.request(path, { ...init, headers: { ...init.headers, cookie } })
      for (const line of response.headers.getSetCookie()) {
        told.push(line)
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    }
    const get: Visitor['get'] = (path, headers = {}) =>
      send(path, { headers: { accept: 'text/html', ...headers } })
    return {
      told,
      get,
      post: (path, fields = {}, headers = {}) =>
        send(path, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams(fields).toString(),
        }),
      async formToken(path) {
        const page = await (await get(path)).text()
        return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
      },
    }
  }
  return {
    app,
    visitor,
    async loggedIn(token: string): Promise<Visitor> {
      const own = visitor()
      await own.post('/login', { token })
      return own
    },
  }
}
