import { LOG_LEVELS } from '../core/log.ts'
import { SCHEDULE } from '../schedule.ts'
import { WEBHOOK_FORMATS } from '../alerts/webhook-target.ts'
import * as kind from './setting-kinds.ts'
import type { Kind } from './setting-kinds.ts'

/** What a default may depend on besides itself. */
export interface Surroundings {
  readonly version: string
  readonly isTerminal: boolean
}

export interface Setting {
  readonly kind: Kind<unknown>
  /** Read by the kind, as if somebody had given it. */
  readonly default?: string | ((around: Surroundings) => string)
  /** Without a default, or where it is computed: what happens then. */
  readonly whenAbsent?: string
  readonly meaning: string
  readonly example?: string
}

/** Every variable Sluice reads, on the server and on the Worker. Nothing else reads the environment. */
export const SETTINGS = {
  ...about('Where the server listens', {
    HOST: {
      kind: kind.host,
      default: '127.0.0.1',
      meaning: 'Address to listen on; another than loopback needs ADMIN_TOKEN',
    },
    PORT: {
      kind: kind.wholeNumber(0, 65_535),
      default: '8787',
      meaning: 'Port to listen on; 0 takes any free one',
    },
  }),
  ...about('Who may ask', {
    ADMIN_TOKEN: {
      kind: kind.token,
      whenAbsent: 'made and kept in {data}/admin-token',
      meaning: 'Bearer token that may do everything',
    },
    READ_TOKEN: {
      kind: kind.token,
      whenAbsent: 'nobody has this scope alone',
      meaning: 'Bearer token that may look',
    },
    COLLECT_TOKEN: {
      kind: kind.token,
      whenAbsent: 'nobody has this scope alone',
      meaning: 'Bearer token that may use the collect routes, for n8n',
    },
  }),
  ...about('Where things are kept', {
    SLUICE_DATA: {
      kind: kind.text('a path to a folder', './data', /^[^\0]{1,4096}$/),
      default: './data',
      meaning: 'Folder of the embedded store, the token and the keys',
    },
    DATABASE_URL: {
      kind: kind.postgresUrl,
      whenAbsent: 'the embedded store',
      meaning: 'PostgreSQL instead, for many servers that share it and a COOKIE_MASTER_KEY',
    },
  }),
  ...about('One site without the API', {
    SITEMAP_URL: {
      kind: kind.httpUrl('https://example.com/sitemap.xml'),
      whenAbsent: 'sites are added through /api/sites',
      meaning: "The site's sitemap, or the site's own address to find it",
    },
    SITE_HOST: {
      kind: kind.hostname,
      whenAbsent: 'the host of SITEMAP_URL',
      meaning: 'Host whose pages are submitted',
    },
    INDEXNOW_API_KEY: {
      kind: kind.indexNowKey,
      whenAbsent: 'needed with SITEMAP_URL',
      meaning: "The site's IndexNow key",
    },
    INDEXNOW_SEARCH_ENGINES: {
      kind: kind.searchEngines,
      whenAbsent: 'api.indexnow.org',
      meaning: 'Engines to submit to',
    },
  }),
  ...about('When and how sites are submitted', {
    CRON_SCHEDULE: {
      kind: kind.cron,
      default: SCHEDULE['submit-all-sites'].cron,
      meaning: 'When every site is submitted, in UTC',
    },
    MAX_CONCURRENT_REQUESTS: {
      kind: kind.wholeNumber(1, 100),
      default: '3',
      meaning: 'Requests in flight, per site',
    },
    REQUEST_INTERVAL_MS: {
      kind: kind.milliseconds(0),
      default: '100',
      meaning: 'Least time between two request starts, per site',
    },
    CACHE_TTL_DAYS: {
      kind: kind.wholeNumber(0, 3_650),
      default: '30',
      meaning: 'Days before an unchanged page is submitted again',
    },
    MAX_RETRIES: {
      kind: kind.wholeNumber(0, 10),
      default: '3',
      meaning: 'Retries of a failed request',
    },
    RUN_BUDGET_MS: {
      kind: kind.milliseconds(1),
      default: '300000',
      meaning: 'Longest time of one run; the next goes on from there',
    },
    RATE_LIMIT_WAIT_MS: {
      kind: kind.milliseconds(0),
      default: '60000',
      meaning: 'Wait after a 429 that does not say how long',
    },
    RETRY_BASE_MS: {
      kind: kind.milliseconds(0),
      default: '1000',
      meaning: 'Wait before the first retry; doubles each time',
    },
    SITEMAP_RETRY_MS: {
      kind: kind.milliseconds(0),
      default: '2000',
      meaning: 'Wait before a sitemap is fetched again',
    },
    SITEMAP_TIMEOUT_MS: {
      kind: kind.milliseconds(1),
      default: '30000',
      meaning: 'Longest time to read one sitemap file',
    },
    BING_API_URL: {
      kind: kind.httpUrl('https://ssl.bing.com/webmaster/api.svc/json'),
      default: 'https://ssl.bing.com/webmaster/api.svc/json',
      meaning: 'Where the Bing Webmaster API is',
    },
  }),
  ...about('Outgoing requests', {
    USER_AGENT: {
      kind: kind.text('up to 256 visible ASCII characters', 'Sluice/1.0', /^[\x20-\x7e]{1,256}$/),
      default: ({ version }) => `Sluice/${version}`,
      whenAbsent: 'Sluice/{version}',
      meaning: 'Sent with every outgoing request',
    },
    SLUICE_ALLOW_PRIVATE: {
      kind: kind.onOrOff,
      default: '0',
      meaning: '1 lets outgoing requests reach private addresses',
      example: '1',
    },
  }),
  ...about('Alerts', {
    ALERT_WEBHOOK_URL: {
      kind: kind.webhookUrl,
      whenAbsent: 'alerts are only logged',
      meaning: 'Where alerts are sent',
    },
    ALERT_WEBHOOK_FORMAT: {
      kind: kind.oneOf(WEBHOOK_FORMATS),
      default: 'json',
      meaning: 'What the receiver of alerts understands',
    },
  }),
  ...about('Secrets at rest', {
    COOKIE_MASTER_KEY: {
      kind: kind.masterKey,
      whenAbsent: 'made and kept in {data}/master-key',
      meaning: 'Key that keys, webhooks and cookies are sealed with',
    },
    COOKIE_KEY_ID: {
      kind: kind.text('1 to 64 letters, digits, _, . or -', 'k2', /^[\w.-]{1,64}$/),
      default: 'k1',
      meaning: 'Name of the master key, kept with what it sealed',
    },
    COOKIE_KEYS_OLD: {
      kind: kind.oldKeys,
      whenAbsent: 'only the master key opens',
      meaning: 'Earlier master keys that must still open',
    },
    COOKIE_CIPHER: {
      kind: kind.oneOf(['aes-256-gcm', 'fernet']),
      default: 'aes-256-gcm',
      meaning: 'How new cookies are sealed; fernet is what Python opens too',
    },
  }),
  ...about('Collecting', {
    COLLECT_PLATFORMS: {
      kind: kind.someOf(['page', 'feed', 'import', 'xhs', 'weibo']),
      default: 'page,feed,import',
      meaning: 'Platforms that are on; xhs and weibo only when named here',
    },
    COLLECT_SCHEDULE: {
      kind: kind.cron,
      whenAbsent: 'the server does not collect by itself',
      meaning: 'When the server collects by itself, in UTC',
      example: SCHEDULE['collect-notes'].cron,
    },
    COLLECT_HOST_INTERVAL_MS: {
      kind: kind.milliseconds(0),
      default: '5000',
      meaning: 'Least time between two requests to one platform host',
    },
    COLLECT_AUTHOR_KEY: {
      kind: kind.masterKey,
      whenAbsent: 'made and kept in {data}/author-key',
      meaning: 'Key that hides authors; with another, everybody is somebody else',
    },
    XHS_BASE_URL: {
      kind: kind.httpUrl('https://www.xiaohongshu.com'),
      default: 'https://www.xiaohongshu.com',
      meaning: 'Where xhs is',
    },
    WEIBO_BASE_URL: {
      kind: kind.httpUrl('https://m.weibo.cn'),
      default: 'https://m.weibo.cn',
      meaning: 'Where weibo is',
    },
    LOCK_TIMEOUT_MINUTES: {
      kind: kind.minutesWithDecimals,
      default: '30',
      meaning: 'Silence after which an execution has lost its lock',
    },
    RECOVERY_INTERVAL_MINUTES: {
      kind: kind.minutesWithDecimals,
      default: String(SCHEDULE.recover.everyMinutes),
      meaning: 'How often lost executions are looked for',
    },
    COOLING_DURATION_MINUTES: {
      kind: kind.minutesWithDecimals,
      default: '30',
      meaning: 'How long a cookie rests after three errors in a row',
    },
  }),
  ...about('On Cloudflare Workers', {
    WORKERS_PLAN: {
      kind: kind.oneOf(['free', 'paid']),
      default: 'free',
      meaning: 'Plan of the account: how much of a run one invocation does',
    },
    STORE: {
      kind: kind.oneOf(['durable-objects', 'kv']),
      default: 'durable-objects',
      meaning: 'Where sites are kept; kv needs the binding SLUICE_KV and COOKIE_MASTER_KEY',
    },
  }),
  ...about('Logs', {
    LOG_LEVEL: {
      kind: kind.oneOf(LOG_LEVELS),
      default: 'info',
      meaning: 'Least level that is logged',
    },
    LOG_FORMAT: {
      kind: kind.oneOf(['pretty', 'json']),
      default: ({ isTerminal }) => (isTerminal ? 'pretty' : 'json'),
      whenAbsent: 'pretty on a terminal, else json',
      meaning: 'For people, or one JSON object a line',
    },
  }),
} as const

export type SettingName = keyof typeof SETTINGS

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>

type ValueOf<S> = S extends { readonly kind: Kind<infer T> }
  ? S extends { readonly default: unknown }
    ? T
    : T | undefined
  : never

/** `MAX_RETRIES` is `config.maxRetries`: the name can be searched for in both spellings. */
export type Config = {
  readonly [Name in SettingName as Camel<Name>]: ValueOf<(typeof SETTINGS)[Name]>
}

export function configKeyOf(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function about<const T extends Record<string, Setting>>(subject: string, settings: T) {
  const entries = Object.entries(settings).map(([name, setting]) => [name, { subject, ...setting }])
  return Object.fromEntries(entries) as { [Name in keyof T]: T[Name] & { subject: string } }
}
