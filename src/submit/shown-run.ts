import type { Run } from '../stores/run-store.ts'
import type { SubmitStores } from '../stores/stores.ts'

/** A run that nobody holds the lease for has ended, whatever its record says: its server died. */
export async function asTheyAre(
  runs: readonly Run[],
  { leases }: Pick<SubmitStores, 'leases'>,
): Promise<readonly Run[]> {
  if (!runs.some(({ status }) => status === 'running')) return runs
  const alive = new Set((await leases.held()).map(({ holder }) => holder))
  return runs.map((run) =>
    run.status === 'running' && !alive.has(run.id) ? { ...run, status: 'interrupted' } : run,
  )
}

/** The run under way, and the last that is over: where none is under way, that is the newest, which is known. */
export async function lastRuns(
  siteId: string,
  known: Run | undefined,
  stores: Pick<SubmitStores, 'runs' | 'leases'>,
): Promise<{ readonly current: Run | undefined; readonly last: Run | undefined }> {
  if (known?.status !== 'running') return { current: undefined, last: known }
  const [newest, before] = await asTheyAre(await stores.runs.list(siteId, 2), stores)
  return newest?.status === 'running'
    ? { current: newest, last: before }
    : { current: undefined, last: newest }
}

export type ShownRun = ReturnType<typeof shownRun>

/** A run as answers show it: the fields of docs/spec.md R04, times as text. */
export function shownRun({ startedAt, finishedAt, ...run }: Run) {
  return {
    ...run,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: finishedAt === undefined ? null : new Date(finishedAt).toISOString(),
  }
}

/** The same under the names that `/status` promises (SPEC R05). */
export function lastExecution(run: Run) {
  return {
    runId: run.id,
    status: run.status,
    trigger: run.trigger,
    timestamp: run.startedAt,
    finished_at: run.finishedAt ?? null,
    total_urls: run.total,
    new_urls: run.new,
    cached_urls: run.cached,
    submitted_urls: run.submitted,
    failed_urls: run.failed,
    deleted_urls: run.deleted,
    errors: run.errors,
    warnings: run.warnings,
    engines: run.engines,
    ...(run.bing && { bing: run.bing }),
  }
}
