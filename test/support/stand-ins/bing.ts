import type { Clock } from '../../../src/core/clock.ts'
import { hours } from '../../../src/core/duration.ts'
import { utcDayOf } from '../../../src/core/utc-day.ts'
import type { Reply } from './faults.ts'
import {
  type Decision,
  json,
  openStandIn,
  type SeenRequest,
  type StandIn,
  type Step,
} from './stand-in.ts'

export interface BingSite {
  /** An origin. */
  readonly url: string
  readonly dailyQuota: number
  readonly monthlyQuota?: number
  readonly isVerified?: boolean
}

/** How errors are worded. All of these have been seen in production, or are what the seeds say. */
export interface BingDialect {
  /** `seed`: by HTTP status 400, 401, 403, 429 as well. */
  readonly status: 400 | 200 | 'seed'
  readonly errorCode: 'number' | 'string' | 'none'
  readonly wrappedInD: boolean
  /** Whether the message repeats the key it was asked with: nothing that prints it may print that. */
  readonly echoesKey: boolean
  /** Whether an invalid URL is named in the message; where not, it must be searched for. */
  readonly namesUrls: boolean
}

export interface BingOptions {
  readonly clock: Clock
  readonly port?: number
  readonly apiKey: string
  readonly sites: readonly BingSite[]
  readonly badUrls?: ReadonlySet<string>
  readonly dialect?: Partial<BingDialect>
  /** Whether GetUrlSubmissionQuota tells what is left, as most clients read it, or what there is in all. */
  readonly quotaTells?: 'left' | 'all'
}

export interface AcceptedUrl {
  readonly at: number
  readonly site: string
  readonly url: string
}

export interface Bing extends StandIn {
  readonly apiUrl: string
  /** First to last. */
  readonly accepted: readonly AcceptedUrl[]
  /** Sizes of the batches that asked for more than was left. */
  readonly overQuota: readonly number[]
  /** URLs counted for a site on the day of the clock, never more than its quota. */
  used(siteUrl: string): number
  /** Refuses every call for an hour from the last one on: calling again prolongs it. */
  throttle(by: 'user' | 'host'): void
  readonly callsWhileThrottled: readonly SeenRequest[]
  /** Somebody else submits too: what is left shrinks. */
  spendElsewhere(siteUrl: string, count: number): void
}

const BASE = '/webmaster/api.svc/json'
const CONTENT_TYPE = 'application/json; charset=utf-8'
/** Bing's own; Sluice promises less (SPEC B01), so more than that is complained about. */
const MAX_URLS = 500
const MAX_URLS_OF_SLUICE = 100

const ERRORS = {
  InvalidApiKey: { code: 3, seedStatus: 401 },
  UnknownError: { code: 2, seedStatus: 403 },
  ThrottleUser: { code: 4, seedStatus: 429 },
  ThrottleHost: { code: 5, seedStatus: 429 },
  InvalidUrl: { code: 7, seedStatus: 400 },
  InvalidParameter: { code: 8, seedStatus: 400 },
  NotAuthorized: { code: 14, seedStatus: 403 },
} as const
type BingError = keyof typeof ERRORS

/** Answers as Bing does when it wants to, e.g. `bingError(1, 'InternalError')`. */
export function bingError(ErrorCode: number | string, Message: string, status = 400): Step {
  return { reply: json(status, { ErrorCode, Message }) }
}

/** The Bing Webmaster API with a quota that it really counts, by site, day and month. */
export async function openBing(options: BingOptions): Promise<Bing> {
  const { clock, apiKey, badUrls = new Set(), quotaTells = 'left' } = options
  const dialect: BingDialect = {
    status: 400,
    errorCode: 'number',
    wrappedInD: false,
    echoesKey: false,
    namesUrls: true,
    ...options.dialect,
  }
  const accepted: AcceptedUrl[] = []
  const overQuota: number[] = []
  const counts = new Map<string, number>()
  const callsWhileThrottled: SeenRequest[] = []
  let throttled: { by: BingError; until: number } | undefined

  const periods = (site: string) => {
    const day = utcDayOf(clock.now())
    return { daily: `${site} ${day}`, monthly: `${site} ${day.slice(0, 7)}` }
  }
  const count = (site: string, urls: number) => {
    for (const period of Object.values(periods(site))) {
      counts.set(period, (counts.get(period) ?? 0) + urls)
    }
  }
  const leftOf = ({ url, dailyQuota, monthlyQuota = Number.POSITIVE_INFINITY }: BingSite) => ({
    daily: dailyQuota - (counts.get(periods(url).daily) ?? 0),
    monthly: monthlyQuota - (counts.get(periods(url).monthly) ?? 0),
  })
  const siteOf = (siteUrl: unknown) =>
    options.sites.find(({ url }) => typeof siteUrl === 'string' && sameOrigin(url, siteUrl))

  const refuse = (error: BingError, message: string): Decision => ({
    reply: errorReply(error, message, { dialect, apiKey }),
  })

  const submit = ({ siteUrl, urlList }: Submission, at: number): Decision => {
    const site = siteOf(siteUrl)
    if (!site) return refuse('NotAuthorized', 'ERROR!!! NotAuthorized')
    if (urlList.length > MAX_URLS) return refuse('InvalidParameter', 'ERROR!!! Too many urls')
    const bad = urlList.filter((url) => badUrls.has(url) || !sameOrigin(url, siteUrl))
    if (bad.length > 0) {
      return refuse(
        'InvalidUrl',
        `ERROR!!! Invalid Urls${dialect.namesUrls ? ` : ${bad.join()}` : ''}`,
      )
    }
    const { daily, monthly } = leftOf(site)
    const left = Math.min(daily, monthly)
    if (urlList.length > left) {
      overQuota.push(urlList.length)
      return refuse('UnknownError', quotaMessage(site, { daily, monthly }, urlList.length))
    }
    return {
      reply: json(200, { d: null }),
      commit() {
        count(site.url, urlList.length)
        accepted.push(...urlList.map((url) => ({ at, site: site.url, url })))
      },
    }
  }
  const quota = (siteUrl: string): Decision => {
    const site = siteOf(siteUrl)
    if (!site) return refuse('NotAuthorized', 'ERROR!!! NotAuthorized')
    const { daily, monthly } = leftOf(site)
    const [DailyQuota, MonthlyQuota] =
      quotaTells === 'left'
        ? [daily, Number.isFinite(monthly) ? monthly : 100_000]
        : [site.dailyQuota, site.monthlyQuota ?? 100_000]
    return {
      reply: json(200, { d: { __type: 'UrlSubmissionQuota:#Api', DailyQuota, MonthlyQuota } }),
    }
  }
  const userSites = (): Decision => ({
    reply: json(200, {
      d: options.sites.map(({ url, isVerified = true }) => ({
        __type: 'Site:#Microsoft.Bing.Webmaster.Api',
        Url: `${url}/`,
        IsVerified: isVerified,
        AuthenticationCode: 'not-for-logs',
      })),
    }),
  })

  const decide = (request: SeenRequest, complain: (what: string) => void): Decision => {
    const wrong = (what: string) => {
      complain(what)
      return refuse('InvalidParameter', `ERROR!!! InvalidParameter: ${what}`)
    }
    const call = URL.parse(request.target, 'http://bing')
    const method = call?.pathname.startsWith(`${BASE}/`)
      ? call.pathname.slice(BASE.length + 1)
      : undefined
    if (!call || method === undefined) return wrong(`no such address`)
    if (call.searchParams.get('apikey') !== apiKey) {
      return refuse('InvalidApiKey', 'ERROR!!! InvalidApiKey')
    }
    if (throttled && clock.now() < throttled.until) {
      callsWhileThrottled.push(request)
      throttled = { ...throttled, until: clock.now() + THROTTLED_MS }
      return refuse(throttled.by, `ERROR!!! ${throttled.by}`)
    }
    switch (`${request.method} ${method}`) {
      case 'POST SubmitUrlbatch': {
        const submission = readSubmission(request, call)
        if (typeof submission === 'string') return wrong(submission)
        if (submission.urlList.length > MAX_URLS_OF_SLUICE) complain('more than 100 URLs')
        return submit(submission, request.at)
      }
      case 'GET GetUrlSubmissionQuota':
        return quota(call.searchParams.get('siteUrl') ?? '')
      case 'GET GetUserSites':
        return userSites()
      default:
        return wrong(`there is no ${request.method} ${method}`)
    }
  }

  const standIn = await openStandIn({ clock, port: options.port ?? 0, decide })
  return Object.assign(standIn, {
    apiUrl: `${standIn.origin}${BASE}`,
    accepted,
    overQuota,
    callsWhileThrottled,
    used: (siteUrl: string) => counts.get(periods(siteUrl).daily) ?? 0,
    throttle(by: 'user' | 'host') {
      const error = by === 'user' ? 'ThrottleUser' : 'ThrottleHost'
      throttled = { by: error, until: clock.now() + THROTTLED_MS }
    },
    spendElsewhere: count,
  })
}

const THROTTLED_MS = hours(1)

interface Submission {
  readonly siteUrl: string
  readonly urlList: readonly string[]
}

/** The submission, or what is wrong with it. */
function readSubmission({ headers, body }: SeenRequest, call: URL): Submission | string {
  if ([...call.searchParams.keys()].join() !== 'apikey') return 'the query is not apikey alone'
  if (headers['content-type']?.toLowerCase() !== CONTENT_TYPE) {
    return `the content type is not ${CONTENT_TYPE}`
  }
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return 'the body is not JSON'
  }
  if (typeof value !== 'object' || value === null) return 'the body is not an object'
  const { siteUrl, urlList, ...unknown } = value as Record<string, unknown>
  if (Object.keys(unknown).length > 0) return `unknown: ${Object.keys(unknown).join()}`
  if (typeof siteUrl !== 'string' || URL.parse(siteUrl)?.origin !== siteUrl) {
    return 'siteUrl is not an origin'
  }
  if (!Array.isArray(urlList) || urlList.length === 0) return 'urlList is not a list of URLs'
  if (!urlList.every((url) => typeof url === 'string')) return 'urlList holds what is not a string'
  if (new Set(urlList).size < urlList.length) return 'urlList holds a URL twice'
  return { siteUrl, urlList }
}

function quotaMessage(
  { dailyQuota, monthlyQuota = 0 }: BingSite,
  { daily, monthly }: { daily: number; monthly: number },
  submitted: number,
): string {
  if (monthly <= 0) {
    return `ERROR!!! You have exceeded your monthly url submission quota : ${monthlyQuota}`
  }
  if (daily <= 0)
    return `ERROR!!! You have exceeded your daily url submission quota : ${dailyQuota}`
  return `ERROR!!! Quota remaining for today: ${Math.min(daily, monthly)}, Submitted: ${submitted}`
}

function errorReply(
  error: BingError,
  message: string,
  { dialect, apiKey }: { dialect: BingDialect; apiKey: string },
): Reply {
  const { code, seedStatus } = ERRORS[error]
  const status = dialect.status === 'seed' ? seedStatus : dialect.status
  const Message = dialect.echoesKey ? `${message} (apikey=${apiKey})` : message
  const body = {
    number: { ErrorCode: code, Message },
    string: { ErrorCode: String(code), Message },
    none: { Message },
  }[dialect.errorCode]
  return json(status, dialect.wrappedInD ? { d: body } : body)
}

function sameOrigin(one: string, other: string): boolean {
  const origin = URL.parse(one)?.origin
  return origin !== undefined && origin === URL.parse(other)?.origin
}
