import { z } from 'zod'
import { fail, type Result } from '../../core/result.ts'
import type { Secret } from '../../core/secret.ts'
import type { Refusal } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import { cookieFields } from '../../stores/mirrored-cookie.ts'
import { choosePlatform, type Platforms } from '../candidates.ts'
import { readCookie } from '../cookies/cookie-text.ts'
import {
  addCookie,
  changeCookie,
  type CookieKeeping,
  listCookies,
  type Resealed,
  type ShownCookie,
  validateCookie,
} from '../cookies/keeping.ts'
import { LIMITS } from '../limits.ts'
import type { PlatformName } from '../platforms/platform.ts'
import {
  answerWith,
  callerOf,
  isoOf,
  isoOrNull,
  refuseFailure,
  refuseWith,
} from './collect-envelope.ts'
import { platformName } from './shapes.ts'

const COOKIE_NAME = 'a name of 1 to 64 letters, digits, _, ., @ or -'

/** Also where they are off: then that is what is said of them. */
const ASKED_WITH_COOKIE = ['xhs', 'weibo'] as const satisfies readonly PlatformName[]

/** The cookie itself is looked at apart, by `readCookie`: nothing that a schema says may quote it. */
const ADD_BODY = z.strictObject({
  cookie_name: z.string(COOKIE_NAME).regex(/^[\w.@-]{1,64}$/, COOKIE_NAME),
  platform: platformName(),
  cookie: z.string('the cookie, as text'),
  priority: z
    .int()
    .min(-1_000)
    .max(1_000)
    .optional()
    .describe('Higher goes first; 0 where left out'),
  daily_limit: z.int().min(1).max(1_000_000).optional(),
})

const COOKIE = z.object({
  cookie_name: z.string(),
  platform: z.string(),
  encryption_key_id: z.string(),
  status: z.enum(['active', 'cooling', 'invalid', 'banned', 'disabled']),
  priority: z.number(),
  daily_used: z.number(),
  daily_limit: z.number(),
  consecutive_errors: z.number(),
  total_errors: z.number(),
  cooling_until: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

const OF_COOKIES = { access: 'admin', subject: 'Cookies', query: NO_QUERY } as const

const ADD = {
  ...OF_COOKIES,
  methods: ['post'],
  path: '/v1/cookies',
  summary: 'Add a cookie of your own; it is sealed and never shown again',
  body: ADD_BODY,
  maxBodyBytes: 4 * LIMITS.cookieLength,
  status: 201,
  answer: { data: COOKIE },
  refusals: ['INVALID_INPUT', 'UNSUPPORTED_OPERATION', 'ALREADY_EXISTS', 'PAYLOAD_TOO_LARGE'],
} as const

const LIST = {
  ...OF_COOKIES,
  methods: ['get'],
  path: '/v1/cookies',
  summary: 'The state of every cookie, never a value',
  status: 200,
  answer: { data: z.object({ cookies: z.array(COOKIE) }) },
} as const

const VALIDATE = {
  ...OF_COOKIES,
  methods: ['post'],
  path: '/v1/cookies/:name/validate',
  summary: 'Whether a cookie opens and may be used; the platform is not asked',
  status: 200,
  answer: {
    data: z.object({ cookie_name: z.string(), valid: z.boolean(), reason: z.string().nullable() }),
  },
  refusals: ['NOT_FOUND'],
} as const

const CHANGES = { disable: 'disabled', reactivate: 'reactivated' } as const

const changing = (word: keyof typeof CHANGES, summary: string) =>
  ({
    ...OF_COOKIES,
    methods: ['post'],
    path: `/v1/cookies/:name/${word}`,
    summary,
    status: 200,
    answer: { data: COOKIE },
    refusals: ['NOT_FOUND'],
  }) as const

const ROTATE = {
  ...OF_COOKIES,
  methods: ['post'],
  path: '/v1/cookies/rotate-key',
  summary: 'Seal every secret anew with the current key, while all go on being used',
  status: 200,
  answer: {
    data: z.object({
      resealed: z.number(),
      stuck: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  },
} as const

export interface CookiesRoutesOptions extends CookieKeeping {
  readonly platforms: Platforms
  /** Seals everything anew that this server keeps, cookies among it. */
  readonly rotateKey: () => Promise<Resealed>
}

/** Cookies, for the operator alone (SPEC C07): whoever runs workflows can neither read nor write them. */
export function cookiesRoutes(options: CookiesRoutesOptions): RouteModule {
  const { platforms, rotateKey } = options
  return (app) => {
    addOperation(app, ADD, async (c) => {
      const body = await readJson(c, ADD_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const {
        cookie_name: cookieName,
        platform: named,
        priority,
        daily_limit: dailyLimit,
      } = body.value
      const platform = choosePlatform(platforms, named)
      if (!platform.ok && platform.failure.kind === 'platform-unknown') {
        const message = `There is no platform "${named}". Those that are asked with a cookie are ${ASKED_WITH_COOKIE.join(' and ')}.`
        return refuseWith(c, { code: 'INVALID_INPUT', message })
      }
      if (!platform.ok) return refuseFailure(c, platform.failure)
      const cookie = readOwnCookie(body.value.cookie, platform.value.cookie, named)
      if (!cookie.ok) return refuseWith(c, cookie.failure)
      const given = { cookieName, platform: named, cookie: cookie.value, priority, dailyLimit }
      const added = await addCookie(options, given, callerOf(c))
      if (!added.ok) return refuseFailure(c, added.failure)
      return answerWith(c, wireCookie(added.value), { status: 201 })
    })

    addOperation(app, LIST, async (c) => {
      const listed = await listCookies(options)
      return answerWith(c, { cookies: listed.map(wireCookie) })
    })

    addOperation(app, ROTATE, async (c) => answerWith(c, { ...(await rotateKey()) }))

    addOperation(app, VALIDATE, async (c) => {
      const cookieName = c.req.param('name') ?? ''
      const looked = await validateCookie(options, cookieName)
      if (!looked.ok) return refuseFailure(c, looked.failure)
      const { valid, reason = null } = looked.value
      return answerWith(c, { cookie_name: cookieName, valid, reason })
    })

    for (const operation of [
      changing('disable', 'Take a cookie out of use'),
      changing('reactivate', 'Take a cookie back into use, its errors forgotten'),
    ]) {
      const word = operation.path.endsWith('disable') ? 'disable' : 'reactivate'
      addOperation(app, operation, async (c) => {
        const cookieName = c.req.param('name') ?? ''
        const changed = await changeCookie(
          options,
          { cookieName, event: CHANGES[word] },
          callerOf(c),
        )
        return changed.ok
          ? answerWith(c, wireCookie(changed.value))
          : refuseFailure(c, changed.failure)
      })
    }
  }
}

function readOwnCookie(
  given: string,
  wanted: 'required' | 'optional' | 'none',
  platform: string,
): Result<Secret, Refusal> {
  if (wanted === 'none') {
    return fail({
      code: 'UNSUPPORTED_OPERATION',
      message: `${platform} is asked without a cookie. Leave it out.`,
    })
  }
  const cookie = readCookie(given)
  if (cookie.ok) return cookie
  return fail({
    code: 'INVALID_INPUT',
    message: `The cookie cannot be used: ${cookie.failure}. Copy the whole Cookie header of a request from the browser in which you are logged in.`,
  })
}

function wireCookie(cookie: ShownCookie) {
  return {
    ...cookieFields(cookie),
    cooling_until: isoOrNull(cookie.coolingUntil),
    created_at: isoOf(cookie.createdAt),
    updated_at: isoOf(cookie.updatedAt),
  }
}
