import robotsParser from 'robots-parser'
import type { HttpFailure } from '../../../core/http.ts'
import { printableUrl } from '../../../core/redact.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import { wholeLines } from '../../../core/whole-lines.ts'
import { httpFailure, type Outside, statusFailure } from '../ask-platform.ts'
import type { PlatformFailure } from '../failures.ts'
import {
  DETAIL_TIMEOUT_MS,
  MAX_REDIRECTS,
  MAX_ROBOTS_BYTES,
  MAX_ROBOTS_KEPT,
  ROBOTS_KEPT_MS,
} from '../limits.ts'
import { groupFor } from './robots-group.ts'

export interface RobotsAsk {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface Robots {
  /** Undefined: the site's robots.txt allows the page to be fetched. */
  refusal(ask: RobotsAsk): Promise<PlatformFailure | undefined>
}

interface Rules {
  isAllowed(url: string, userAgent: string): boolean | undefined
}

// The package is CommonJS, and its types say otherwise.
const parse = robotsParser as unknown as (url: string, text: string) => Rules

/** Who writes more rules than anybody can read wants nothing to be fetched, as far as we can tell. */
const NOTHING_ALLOWED: Rules = { isAllowed: () => false }

/** Each site's robots.txt, asked once an hour at most; of sites asked long ago nothing is kept. */
export function openRobots({ http, clock, userAgent }: Outside & { userAgent: string }): Robots {
  const kept = new Map<string, { readonly rules: Rules; readonly until: number }>()
  return {
    async refusal({ url, ...ask }) {
      const { origin } = new URL(url)
      const known = kept.get(origin)
      const rules =
        known && known.until > clock.now() ? ok(known.rules) : await fetchRules(origin, ask)
      if (!rules.ok) return rules.failure
      keep(origin, rules.value)
      const isAllowed = rules.value.isAllowed(url, userAgent) !== false
      return isAllowed ? undefined : { kind: 'disallowed-by-robots', where: printableUrl(url) }
    },
  }

  function keep(origin: string, rules: Rules) {
    const until = kept.get(origin)?.rules === rules ? kept.get(origin)?.until : undefined
    // Moved to the end: the first is the one that was not asked for the longest.
    kept.delete(origin)
    kept.set(origin, { rules, until: until ?? clock.now() + ROBOTS_KEPT_MS })
    const [oldest] = kept.keys()
    if (kept.size > MAX_ROBOTS_KEPT && oldest !== undefined) kept.delete(oldest)
  }

  /** RFC 9309: without one everything is allowed; where it cannot be read, nothing is. */
  async function fetchRules(
    origin: string,
    { headers, signal }: Omit<RobotsAsk, 'url'>,
  ): Promise<Result<Rules, PlatformFailure>> {
    const url = `${origin}/robots.txt`
    const sent = await http.send({
      url,
      headers: { ...headers, accept: 'text/plain, */*;q=0.5' },
      signal,
      timeoutMs: DETAIL_TIMEOUT_MS,
      maxBytes: MAX_ROBOTS_BYTES,
      maxRedirects: MAX_REDIRECTS,
    })
    if (!sent.ok) return fail(httpFailure(sent.failure))
    const refused = statusFailure(sent.value, clock.now())
    if (refused) {
      await sent.value.discard()
      const isAbsent = refused.kind !== 'platform-down' && refused.kind !== 'rate-limited'
      return isAbsent ? ok(parse(url, '')) : fail(refused)
    }
    const text = await firstText(sent.value)
    if (!text.ok) return fail(httpFailure(text.failure))
    const group = groupFor(text.value, userAgent)
    return ok(group === undefined ? NOTHING_ALLOWED : parse(url, group))
  }
}

/** What is past the limit is not read, as the standard allows. */
async function firstText(reply: {
  each(take: (chunk: Uint8Array) => void): Promise<Result<void, HttpFailure>>
}): Promise<Result<string, HttpFailure>> {
  const decoder = new TextDecoder()
  let text = ''
  const read = await reply.each((chunk) => {
    text += decoder.decode(chunk, { stream: true })
  })
  if (read.ok) return ok(text)
  // Half a rule would allow or forbid more than the whole one.
  return read.failure.kind === 'too-large' ? ok(wholeLines(text)) : read
}
