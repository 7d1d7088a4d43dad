import type { z } from 'zod'
import { ok, type Result } from '../../../../core/result.ts'
import type { BING_STATUS, LAST_EXECUTION } from '../../../../submit/http/shapes.ts'
import type { Answer } from '../../api.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openEnvironment } from '../../environment.ts'
import { openToLook, type Place } from '../../place.ts'
import type { ShownRun } from '../../../../submit/shown-run.ts'
import { listedSites, NO_SITE_YET } from '../../sites-api.ts'
import { table } from '../../table.ts'
import type { Terminal } from '../../terminal.ts'
import { inWords } from '../../words.ts'
import { type ShownFailedUrl, failedUrlLines } from './failed-urls.ts'

/** As GET /status answers. */
interface Status extends Answer {
  readonly status: string
  readonly siteId: string
  readonly lastExecution: z.infer<typeof LAST_EXECUTION> | null
  readonly currentRun?: ShownRun
  readonly bing: z.infer<typeof BING_STATUS>
  readonly warnings: readonly string[]
}

export async function runStatus(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToLook(env.value), async (place) => {
    const found = await statuses(place, call.words[0])
    if (!found.ok) return found
    const [only, ...others] = found.value
    if (!only || others.length > 0) {
      call.answer({ sites: found.value }, () => printAll(found.value, call.terminal))
      return ok(EXIT.done)
    }
    const listed = await place.ask('GET', `/api/sites/${encodeURIComponent(only.siteId)}/failed`)
    if (!listed.ok) return listed
    const failed = listed.value['failed'] as readonly ShownFailedUrl[]
    call.answer({ ...only, failed }, () => printOne(only, failed, call.terminal))
    return ok(EXIT.done)
  })
}

async function statuses(
  place: Place,
  named: string | undefined,
): Promise<Result<readonly Status[], Complaint>> {
  const sites = named === undefined ? await listedSites(place) : ok([{ id: named }])
  if (!sites.ok) return sites
  const found: Status[] = []
  for (const { id } of sites.value) {
    const status = await place.ask('GET', `/status?${new URLSearchParams({ site: id })}`)
    if (!status.ok) return status
    found.push(status.value as Status)
  }
  return ok(found)
}

function printAll(all: readonly Status[], terminal: Terminal): void {
  if (all.length === 0) return terminal.say(NO_SITE_YET)
  const rows = all.map(({ siteId, status, lastExecution: last }) => [
    siteId,
    status,
    last ? `${last.status}, ${timeOf(last.timestamp)}` : 'never run',
    last?.submitted_urls ?? 0,
    last?.failed_urls ?? 0,
  ])
  for (const line of table([['site', 'status', 'last run', 'submitted', 'failed'], ...rows]))
    terminal.print(line)
}

function printOne(status: Status, failed: readonly ShownFailedUrl[], terminal: Terminal): void {
  const { lastExecution: last, currentRun: current, bing } = status
  terminal.print(`${status.siteId}: ${status.status}`)
  if (current) {
    terminal.print(
      `  now       ${inWords.count(current.submitted)} of ${inWords.count(current.new)} submitted, since ${inWords.time(current.startedAt)}`,
    )
  }
  terminal.print(
    last
      ? `  last run  ${last.status}, ${timeOf(last.timestamp)}: ${inWords.count(last.submitted_urls)} submitted, ${inWords.count(last.failed_urls)} failed, ${inWords.count(last.cached_urls)} not changed`
      : `  last run  never. Begin with \`sluice run ${status.siteId}\`.`,
  )
  if (bing.enabled) {
    terminal.print(
      `  Bing      ${inWords.count(bing.todayQuotaUsed ?? 0)} of today's quota used${bing.error ? `. ${bing.error}` : ''}`,
    )
  }
  for (const line of failedUrlLines(status.siteId, failed)) terminal.print(line)
  const messages = new Set([...status.warnings, ...(last?.errors ?? [])])
  for (const message of messages)
    terminal.print(`  ${terminal.paint('yellow', '⚠', 'stdout')} ${message}`)
}

function timeOf(timestamp: number): string {
  return inWords.time(new Date(timestamp).toISOString())
}
