import ipaddr from 'ipaddr.js'
import { nearestName, type NearEnough } from '../core/nearest-name.ts'
import { redactText } from '../core/redact.ts'
import { fail, ok, type Result } from '../core/result.ts'
import { masterKeysFrom } from '../core/seal.ts'
import { configKeyOf, SETTINGS } from './settings.ts'
import type { Config, Setting, SettingName, Surroundings } from './settings.ts'

/** One variable that cannot be used as it is. `given` is absent for secrets and for what is missing. */
export interface SettingProblem {
  readonly name: SettingName
  readonly given?: string
  readonly shouldBe: string
  readonly example: string
}

export interface ReadConfig {
  readonly config: Config
  /** Not wrong, but most likely not what was meant. */
  readonly warnings: readonly string[]
}

type Environment = Readonly<Record<string, unknown>>

/** The environment as a typed configuration, or everything that is wrong with it at once. */
export function readConfig(
  env: Environment,
  around: Surroundings,
): Result<ReadConfig, readonly SettingProblem[]> {
  const values: Record<string, unknown> = {}
  const problems: SettingProblem[] = []
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
    const written = valueIn(env, name)
    const text = written ?? defaultOf(setting, around)
    const read = text === undefined ? undefined : setting.kind.schema.safeParse(text)
    values[configKeyOf(name)] = read?.data
    if (read?.success === false) problems.push(problemWith(name, written))
  }
  const config = values as Config
  const wrong = [...problems, ...problemsTogether(config, new Set(problems.map((p) => p.name)))]
  if (wrong.length > 0) return fail(wrong)
  return ok({ config, warnings: [...withoutEffect(env), ...unknownNames(env)] })
}

/** For people: each variable, what was given, what it should be, an example. */
export function describeProblems(problems: readonly SettingProblem[]): string {
  const count = problems.length === 1 ? 'one setting is' : `${problems.length} settings are`
  return `Sluice cannot start: ${count} wrong.\n\n${describeEach(problems)}`
}

/** The same without what follows from it, which is for the caller to say. */
export function describeEach(problems: readonly SettingProblem[]): string {
  const parts = problems.map(({ name, given, shouldBe, example }) =>
    [
      `  ${name}`,
      ...(given === undefined ? [] : [`    given      ${given}`]),
      `    should be  ${shouldBe}`,
      `    example    ${name}=${quoted(example)}`,
    ].join('\n'),
  )
  return parts.join('\n\n')
}

/** As a shell takes it; a command in it is left to be run. */
function quoted(example: string): string {
  return /[\s*<>]/.test(example) && !example.startsWith('$(') ? `"${example}"` : example
}

/** An empty variable is how a compose file says "not set". */
function valueIn(env: Environment, name: string): string | undefined {
  const value = env[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function defaultOf(setting: Setting, around: Surroundings): string | undefined {
  return typeof setting.default === 'function' ? setting.default(around) : setting.default
}

function problemWith(
  name: SettingName,
  given: string | undefined,
  shouldBe?: string,
): SettingProblem {
  const setting: Setting = SETTINGS[name]
  const { default: usual, kind } = setting
  return {
    name,
    ...(given !== undefined && { given: kind.secret ? '(not shown)' : shown(given) }),
    shouldBe: shouldBe ?? kind.shouldBe,
    example: setting.example ?? (typeof usual === 'string' ? usual : kind.example),
  }
}

function shown(given: string): string {
  const safe = JSON.stringify(redactText(given))
  return safe.length > 120 ? `${safe.slice(0, 120)}…` : safe
}

/** What each variable alone cannot tell. Variables already found wrong are left out: one problem, one message. */
function problemsTogether(config: Config, wrong: ReadonlySet<SettingName>): SettingProblem[] {
  const { adminToken, readToken, collectToken, host, sitemapUrl, indexnowApiKey } = config
  const found: SettingProblem[] = []
  const report = (name: SettingName, given: string | undefined, shouldBe: string) => {
    if (!wrong.has(name)) found.push(problemWith(name, given, shouldBe))
  }
  if (!wrong.has('HOST') && !isLoopback(host) && !adminToken) {
    const advice = `given together with HOST=${host}, which other machines can reach; without it HOST must be 127.0.0.1`
    report('ADMIN_TOKEN', undefined, advice)
  }
  if (sitemapUrl && !indexnowApiKey) {
    const advice = `given together with SITEMAP_URL; ${SETTINGS.INDEXNOW_API_KEY.kind.shouldBe}`
    report('INDEXNOW_API_KEY', undefined, advice)
  }
  const read = readToken?.reveal()
  const collect = collectToken?.reveal()
  const admin = adminToken?.reveal()
  const own = 'a token of its own: two scopes with one token are one scope'
  if (read !== undefined && read === admin) report('READ_TOKEN', '', own)
  if (collect !== undefined && (collect === admin || collect === read)) {
    report('COLLECT_TOKEN', '', own)
  }
  const clash = ambiguousKeyId(config)
  if (clash !== undefined) {
    const advice = `another name for the new key: "${clash}" is the name of an earlier one in COOKIE_KEYS_OLD`
    report('COOKIE_KEY_ID', clash, advice)
  }
  return found
}

/** A name that two different master keys have: nobody could tell which of them opens what. */
function ambiguousKeyId(config: Config): string | undefined {
  const { cookieKeyId: keyId, cookieMasterKey: masterKey, cookieKeysOld } = config
  const given = [
    ...(masterKey ? [{ keyId, masterKey }] : []),
    ...(cookieKeysOld ? masterKeysFrom(cookieKeysOld) : []),
  ]
  const keys = new Map<string, string>()
  for (const one of given) {
    const key = one.masterKey.reveal()
    if ((keys.get(one.keyId) ?? key) !== key) return one.keyId
    keys.set(one.keyId, key)
  }
  return undefined
}

function isLoopback(host: string): boolean {
  if (!ipaddr.isValid(host)) return host.toLowerCase() === 'localhost'
  return ipaddr.process(host).range() === 'loopback'
}

const NEEDS: readonly (readonly [name: SettingName, needs: SettingName])[] = [
  ['SITE_HOST', 'SITEMAP_URL'],
  ['INDEXNOW_API_KEY', 'SITEMAP_URL'],
  ['INDEXNOW_SEARCH_ENGINES', 'SITEMAP_URL'],
  ['ALERT_WEBHOOK_FORMAT', 'ALERT_WEBHOOK_URL'],
]

function withoutEffect(env: Environment): string[] {
  return NEEDS.filter(([name, needs]) => valueIn(env, name) && !valueIn(env, needs)).map(
    ([name, needs]) => `${name} has no effect without ${needs}. Set both, or neither.`,
  )
}

const OUR_PREFIXES =
  /^(SLUICE|INDEXNOW|SITEMAP|BING|ALERT|COOKIE|COLLECT|XHS|WEIBO)_|^(ADMIN|READ|COLLECT)_TOKEN/

function unknownNames(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => !(name in SETTINGS) && valueIn(env, name) !== undefined)
    .flatMap((name) => {
      const meant = nearestSetting(name)
      if (!meant && !OUR_PREFIXES.test(name)) return []
      const advice = meant ? `Did you mean ${meant}?` : 'Remove it, or look up the name.'
      return [`${name} is not a setting of Sluice and has no effect. ${advice}`]
    })
}

function nearestSetting(name: string): SettingName | undefined {
  const names = Object.keys(SETTINGS) as SettingName[]
  const bare = name.replace(/^SLUICE_/, '')
  const alike = names.find((known) => known === bare)
  return alike ?? nearestName(name, names, OUR_PREFIXES.test(name) ? aThird : aLittle)
}

const aThird: NearEnough = (known) => known.length / 3
/** HOME is two letters from HOST and meant by nobody. */
const aLittle: NearEnough = (known) => Math.min(2, Math.floor(known.length / 4))
