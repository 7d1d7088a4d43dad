import { openToAll } from '../../http/access.ts'
import { refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import type { RunStatus } from '../../stores/run-store.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { asTheyAre } from '../../submit/shown-run.ts'
import type { Sessions } from '../session.ts'

const COLOURS: Readonly<Record<RunStatus | 'never', string>> = {
  succeeded: '#00694e',
  running: '#00588f',
  partial: '#7a5300',
  failed: '#9c2f00',
  interrupted: '#5c5c5c',
  never: '#5c5c5c',
}

export interface BadgeOptions {
  readonly stores: SubmitStores
  readonly sessions: Sessions
}

/**
 * How the last run of a site went, as a picture for a README. Others' pages cannot send a token, so the address itself
 * is the key: it is signed, and shown on the site's page alone.
 */
export function badgeRoutes({ stores, sessions }: BadgeOptions): RouteModule {
  return (app) => {
    app.get('/badges/:signature/:name{.+\\.svg}', openToAll(), async (c) => {
      const siteId = c.req.param('name').slice(0, -'.svg'.length)
      if (!(await sessions.isSigned(badgeOf(siteId), c.req.param('signature')))) {
        return refuse(c, {
          code: 'NOT_FOUND',
          message: "There is no such badge. The site's page on the dashboard shows its address.",
        })
      }
      const [last] = await asTheyAre(await stores.runs.list(siteId, 1), stores)
      const status = last?.status ?? 'never'
      return c.body(badge(status, COLOURS[status]), 200, {
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Cache-Control': 'max-age=60',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    })
  }
}

export async function badgePath(siteId: string, sessions: Sessions): Promise<string> {
  return `/badges/${await sessions.sign(badgeOf(siteId))}/${encodeURIComponent(siteId)}.svg`
}

const badgeOf = (siteId: string) => `badge ${siteId}`

const LABEL_WIDTH = 50
const TEXT = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff"'

function badge(status: string, colour: string): string {
  const width = 12 + Math.ceil(status.length * 6.6)
  const whole = LABEL_WIDTH + width
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="20" role="img" aria-label="sluice: ${status}">`,
    `<title>sluice: ${status}</title>`,
    `<clipPath id="r"><rect width="${whole}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${LABEL_WIDTH}" height="20" fill="#333"/>`,
    `<rect x="${LABEL_WIDTH}" width="${width}" height="20" fill="${colour}"/></g>`,
    `<g ${TEXT} text-anchor="middle"><text x="${LABEL_WIDTH / 2}" y="14">sluice</text>`,
    `<text x="${LABEL_WIDTH + width / 2}" y="14">${status}</text></g></svg>`,
  ].join('')
}
