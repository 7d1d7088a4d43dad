import { describeHttpFailure } from '../../core/http.ts'
import { locationOf } from '../../core/location.ts'
import { printableUrl } from '../../core/redact.ts'
import type { Care } from './care.ts'
import { type Finding, finding } from './finding.ts'
import { MAX_ENGINE_BYTES, REQUEST_MS } from './limits.ts'

/** Asks an endpoint for nothing: without a URL and a key there is nothing that it could take. */
export async function checkEngine(engine: string, care: Care): Promise<readonly Finding[]> {
  const { http, signal } = care
  const subject = printableUrl(engine)
  const sent = await http.send({
    url: engine,
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_ENGINE_BYTES,
    signal,
  })
  if (!sent.ok) {
    const message = `The engine could not be reached. ${describeHttpFailure(sent.failure)}`
    const fix = `Check its address in searchEngines, and that this machine may reach ${subject}.`
    return [finding('engine-unreachable', { subject, message, fix })]
  }
  const { status, headers } = sent.value
  await sent.value.discard()
  return [judgeStatus(subject, status, locationOf(headers)), ...insecure(engine, subject)]
}

function judgeStatus(subject: string, status: number, location: string | undefined): Finding {
  const details = { status }
  const problem = (code: Finding['code'], what: string, fix: string) =>
    finding(code, { subject, message: `The engine answers ${status}${what}.`, fix, details })
  if (status >= 500) {
    return problem('engine-failing', '', 'Nothing to do but wait: runs try again by themselves.')
  }
  if (status === 429) {
    const fix = 'Wait some minutes; a larger requestIntervalMs makes runs slower and gentler.'
    return problem('engine-rate-limited', ': too many requests came from this address', fix)
  }
  if (status === 404 || status === 410) {
    const fix = 'Check the path in searchEngines; IndexNow endpoints usually end in /indexnow.'
    return problem('engine-not-found', ': there may be no endpoint at this address', fix)
  }
  const target = status >= 300 && status < 400 && location && URL.parse(location, subject)
  if (target) {
    const fix = `Put ${printableUrl(target)} into searchEngines in its place, if that is the engine's new address.`
    return problem('engine-redirected', ` and redirects to ${printableUrl(target)}`, fix)
  }
  const message = `The engine answers (${status} to an empty question). Nothing was submitted.`
  return finding('engine', { subject, message, details })
}

function insecure(engine: string, subject: string): readonly Finding[] {
  if (URL.parse(engine)?.protocol !== 'http:') return []
  return [
    finding('engine-insecure', {
      subject,
      message: 'The engine is asked by http: anybody in between can read the key.',
      fix: 'Give its https:// address in searchEngines.',
    }),
  ]
}

/** Two ways to write one endpoint: every URL would be sent to it twice. */
export function checkDuplicates(engines: readonly string[]): readonly Finding[] {
  const byEndpoint = Map.groupBy(engines, endpointOf)
  return [...byEndpoint.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return []
    const written = [first, ...others].map((engine) => printableUrl(engine))
    return finding('engine-duplicate', {
      subject: printableUrl(first),
      message: `The same engine is named ${written.length} times: ${written.join(', ')}. Every URL is sent to it each time.`,
      fix: `Leave only ${printableUrl(first)} in searchEngines.`,
    })
  })
}

/** The scheme, a `www.`, a slash at the end and upper case in the path make no other endpoint. */
function endpointOf(engine: string): string {
  const url = URL.parse(engine)
  if (!url) return engine
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/+$/, '')}`.toLowerCase()
}
