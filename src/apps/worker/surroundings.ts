import { systemClock } from '../../core/clock.ts'
import { type Log, type LogLine, openLog } from '../../core/log.ts'
import { systemRandom } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import type { Tokens } from '../../http/access.ts'
import { describeProblems, readConfig } from '../read-config.ts'
import type { Config } from '../settings.ts'
import { VERSION } from '../version.ts'
import type { Env } from './bindings.ts'

/** What every part of the Worker is made with. */
export interface Surroundings {
  readonly config: Config
  readonly clock: typeof systemClock
  readonly random: typeof systemRandom
  readonly log: Log
  readonly tokens: Tokens
}

const known = new WeakMap<Env, Result<Surroundings, string>>()

/** The settings of the Worker, read once; or what is wrong with them, for people. */
export function surroundingsOf(env: Env): Result<Surroundings, string> {
  const before = known.get(env)
  if (before) return before
  const read = openSurroundings(env)
  known.set(env, read)
  return read
}

function openSurroundings(env: Env): Result<Surroundings, string> {
  const read = readConfig(env, { version: VERSION, isTerminal: false })
  if (!read.ok) return fail(describeProblems(read.failure))
  const { config, warnings } = read.value
  const missing = missingFor(config, env)
  if (missing !== undefined) return fail(missing)
  const log = openLog({ clock: systemClock, level: config.logLevel, write })
  for (const warning of warnings) log.warn('config.doubtful', warning)
  return ok({ config, clock: systemClock, random: systemRandom, log, tokens: tokensOf(config) })
}

/** What the chosen store cannot do without, and does not have. */
function missingFor({ store, cookieMasterKey }: Config, env: Env): string | undefined {
  if (store === 'durable-objects') {
    if (env.SITES !== undefined && env.DIRECTORY !== undefined) return undefined
    return 'The bindings SITES and DIRECTORY are missing. Deploy with wrangler.jsonc, or set STORE to kv and deploy with wrangler.kv.jsonc where there are no Durable Objects.'
  }
  if (env.SLUICE_KV === undefined) {
    return 'STORE is kv, but there is no KV namespace bound as SLUICE_KV. Deploy with --config wrangler.kv.jsonc, which binds one, or leave STORE out to use Durable Objects.'
  }
  // Made here, two requests at once would make two: KV cannot tell who was first, and what one sealed would never open.
  if (cookieMasterKey === undefined) {
    return 'STORE is kv, and the secret COOKIE_MASTER_KEY is not set: KV cannot make exactly one. Set it: openssl rand -hex 32 | npx wrangler secret put COOKIE_MASTER_KEY --config wrangler.kv.jsonc'
  }
  return undefined
}

/** For code that is reached only past the front, which has looked already. */
export function surroundingsOrThrow(env: Env): Surroundings {
  const found = surroundingsOf(env)
  if (!found.ok) throw new Error(found.failure)
  return found.value
}

/** One JSON object a line, as Workers Logs takes it. */
function write(line: LogLine): void {
  console.log(JSON.stringify(line))
}

/** Without ADMIN_TOKEN nobody is let in: there is no file to keep one in that only the operator can read. */
function tokensOf({ adminToken, readToken, collectToken }: Config): Tokens {
  const scoped = { read: readToken, collect: collectToken }
  if (adminToken) {
    return {
      admin: adminToken,
      ...scoped,
      advice: 'The operator set it as the secret ADMIN_TOKEN.',
    }
  }
  const advice =
    'No ADMIN_TOKEN is set, so nobody is let in: set one with "npx wrangler secret put ADMIN_TOKEN".'
  return { admin: new Secret(systemRandom.uuid()), ...scoped, advice }
}
