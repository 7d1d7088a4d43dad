import { refuse } from './envelope.ts'
import type { HttpContext } from './http-env.ts'
import { loggedPath } from './request-scope.ts'

/** What programs are told where nothing is; browsers are shown a page, where there are pages. */
export function refuseUnknownPath(c: HttpContext): Response {
  return refuse(c, {
    code: 'NOT_FOUND',
    message: `There is no ${c.req.method} ${loggedPath(c)} here. GET /openapi.json lists everything there is; README.md shows the first steps.`,
  })
}
