import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { Secret } from '../core/secret.ts'

/** What a variable may hold: how its text is read, and how a person is told when it cannot be. */
export interface Kind<T> {
  readonly schema: z.ZodType<T, string>
  readonly shouldBe: string
  readonly example: string
  /** Its value is never printed, not even when it is wrong. */
  readonly secret?: true
}

/** Timers hold 31 bits of milliseconds: a longer wait would end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1
const LONGEST_WAIT_MINUTES = Math.floor(LONGEST_WAIT_MS / 60_000)

export function wholeNumber(from: number, to: number): Kind<number> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(z.number().min(from).max(to)),
    shouldBe: `a whole number from ${from} to ${to}`,
    example: String(from),
  }
}

export const milliseconds = (from: number) => wholeNumber(from, LONGEST_WAIT_MS)

export const minutesWithDecimals: Kind<number> = {
  schema: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,9})?$/)
    .transform(Number)
    .pipe(z.number().positive().max(LONGEST_WAIT_MINUTES)),
  shouldBe: `a number of minutes above 0, at most ${LONGEST_WAIT_MINUTES}; decimals are allowed`,
  example: '0.5',
}

export const onOrOff: Kind<boolean> = {
  schema: z.enum(['0', '1']).transform((text) => text === '1'),
  shouldBe: '1 (on) or 0 (off)',
  example: '1',
}

export function oneOf<const T extends string>(words: readonly T[]): Kind<T> {
  return {
    schema: z.enum(words),
    shouldBe: `one of: ${words.join(', ')}`,
    example: words[0] ?? '',
  }
}

export function someOf<const T extends string>(words: readonly T[]): Kind<readonly T[]> {
  const known: ReadonlySet<string> = new Set(words)
  return {
    schema: z.string().transform((text, context) => {
      const named = [...new Set(splitAtCommas(text))]
      if (named.every((word): word is T => known.has(word))) return named
      context.addIssue('unknown word')
      return z.NEVER
    }),
    shouldBe: `a comma list of: ${words.join(', ')}`,
    example: words.slice(0, 2).join(','),
  }
}

export const text = (shouldBe: string, example: string, pattern: RegExp): Kind<string> => ({
  schema: z.string().regex(pattern),
  shouldBe,
  example,
})

export const httpUrl = (example: string): Kind<string> => ({
  schema: z.string().refine((given) => isHttpUrl(given)),
  shouldBe: 'an http:// or https:// address without a name and password in it',
  example,
})

export const host: Kind<string> = {
  schema: z
    .string()
    .transform((given) => given.replace(/^\[(.*)\]$/, '$1'))
    .refine((given) => ipaddr.isValid(given) || isHostname(given)),
  shouldBe: 'an IP address or a host name, without http:// and without a port',
  example: '127.0.0.1',
}

export const hostname: Kind<string> = {
  schema: z.string().toLowerCase().refine(isHostname),
  shouldBe: 'a host name, without http:// and without a path',
  example: 'example.com',
}

/** Hosts or addresses as they were written: what a bare host stands for is decided where engines are known. */
export const searchEngines: Kind<readonly string[]> = {
  schema: z.string().transform((given, context) => {
    const engines = listFrom(given)
    if (engines && engines.length > 0 && engines.every(isSearchEngine)) return engines
    context.addIssue('not a list of search engines')
    return z.NEVER
  }),
  shouldBe: 'a comma list or a JSON array of host names or http(s) addresses',
  example: 'api.indexnow.org,www.bing.com/indexnow',
}

const MINUTE_HOUR_DAY_MONTH_WEEKDAY = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

export const cron: Kind<string> = {
  schema: z
    .string()
    .transform((given) => given.split(/\s+/).join(' '))
    .refine(isCron),
  shouldBe: 'five cron fields (minute, hour, day, month, weekday), in UTC',
  example: '0 0 * * *',
}

/** Anything longer than a guess, and fit to stand in a header. */
export const token = secret(/^[\x21-\x7e]{16,512}$/, {
  shouldBe:
    'at least 16 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
  example: '$(openssl rand -hex 32)',
})

export const masterKey = secret(/^[\x21-\x7e]{16,512}$/, {
  shouldBe:
    'at least 16 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
  example: '$(openssl rand -hex 32)',
})

export const oldKeys = secret(/^[\w.-]{1,64}:[^\s,]{16,512}(,[\w.-]{1,64}:[^\s,]{16,512})*$/, {
  shouldBe: 'a comma list of id:key, the keys that were COOKIE_MASTER_KEY before',
  example: 'k1:<the old master key>',
})

export const indexNowKey = secret(/^[A-Za-z0-9-]{8,128}$/, {
  shouldBe: '8 to 128 characters of a-z, A-Z, 0-9 and -',
  example: '$(openssl rand -hex 16)',
})

export const postgresUrl: Kind<Secret> = {
  schema: z
    .string()
    .refine((given) => /^postgres(ql)?:$/.test(URL.parse(given)?.protocol ?? ''))
    .transform((given) => new Secret(given)),
  shouldBe: 'an address that starts with postgres://',
  example: 'postgres://sluice@db.example.com/sluice',
  secret: true,
}

/** The address of a chat room's webhook is all that is needed to write to it. */
export const webhookUrl: Kind<Secret> = {
  schema: z
    .string()
    .refine((given) => isHttpUrl(given))
    .transform((given) => new Secret(given)),
  shouldBe: 'an http:// or https:// address',
  example: 'https://hooks.slack.com/services/…',
  secret: true,
}

function secret(pattern: RegExp, words: { shouldBe: string; example: string }): Kind<Secret> {
  return {
    schema: z
      .string()
      .regex(pattern)
      .transform((given) => new Secret(given)),
    ...words,
    secret: true,
  }
}

function splitAtCommas(given: string): string[] {
  return given
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function listFrom(given: string): readonly string[] | undefined {
  if (!given.startsWith('[')) return splitAtCommas(given)
  try {
    return z.array(z.string().trim().min(1)).safeParse(JSON.parse(given)).data
  } catch {
    return undefined
  }
}

function isHttpUrl(given: string): boolean {
  const url = URL.parse(given)
  if (!url || !/^https?:\/\//i.test(given)) return false
  return /^https?:$/.test(url.protocol) && !url.username && !url.password
}

function isSearchEngine(given: string): boolean {
  if (given.includes('://')) return isHttpUrl(given)
  return /^[^\s@]+$/.test(given) && isHostname(given.replace(/[/:].*$/, ''))
}

function isHostname(given: string): boolean {
  return (
    given.length <= 253 &&
    /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(given)
  )
}

function isCron(given: string): boolean {
  const fields = given.split(' ')
  if (fields.length !== MINUTE_HOUR_DAY_MONTH_WEEKDAY.length) return false
  return MINUTE_HOUR_DAY_MONTH_WEEKDAY.every(([from, to], i) =>
    (fields[i] ?? '').split(',').every((part) => isCronPart(part, from, to)),
  )
}

function isCronPart(part: string, from: number, to: number): boolean {
  const [, range, first, last, step] = /^(\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? []
  if (range === undefined || (step !== undefined && Number(step) === 0)) return false
  if (range === '*') return true
  const low = Number(first)
  const high = Number(last ?? first)
  return from <= low && low <= high && high <= to
}
