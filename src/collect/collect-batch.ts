import type { Clock } from '../core/clock.ts'
import { ok, type Result } from '../core/result.ts'
import type { Candidate, CandidateStore } from '../stores/candidate-store.ts'
import type { ExecutionTaken, LockLost } from '../stores/execution-store.ts'
import { platformOf, type Platforms } from './candidates.ts'
import { openClaims, type Wanted } from './claim-open.ts'
import { openClosedDoors } from './closed-doors.ts'
import { type ExecutionsOptions, startExecution, withExecution } from './executions.ts'
import { CODE_OF, type CollectFailure, describeFailure, NOT_TRIED } from './failures.ts'
import { type FetchedNote, fetchNotes, type Fetching, type FetchFor } from './fetch-notes.ts'
import { type Note, wireNote } from './note.ts'

export interface Collecting extends ExecutionsOptions {
  readonly candidates: CandidateStore
  readonly platforms: Platforms
  readonly fetching: Fetching
  readonly clock: Clock
  /** After this no further batch is claimed; the next run goes on from there. */
  readonly budgetMs: number
}

export interface Collected {
  readonly executionId: string
  readonly claimed: number
  readonly created: number
  /** Were there already. */
  readonly skipped: number
  readonly failed: number
  /** Given back untried, at no cost: a platform that is off, no cookie, a resting host, no time left. */
  readonly leftOver: number
  readonly ending: 'nothing-left' | 'budget' | 'stopped' | 'paused' | 'lock-lost'
}

export interface CollectAsk extends FetchFor {
  readonly workflowName: string
  readonly wanted: Wanted
}

/** A run that has its lock. */
export interface StartedBatch {
  readonly executionId: string
  readonly done: Promise<Collected>
}

/**
 * One run of a workflow: lock, claim, fetch, write, and the lock is given back however it ends. It uses nothing that
 * a client of the API could not use (SPEC C31).
 */
export async function collectBatch(
  collecting: Collecting,
  ask: CollectAsk,
): Promise<Result<StartedBatch, ExecutionTaken>> {
  const started = await startExecution(collecting, ask.workflowName, ask.caller)
  if (!started.ok) return started
  const { executionId } = started.value
  const running = { executions: collecting.executions, executionId, caller: ask.caller }
  const done = withExecution(running, () => collectAndTell(collecting, executionId, ask))
  return ok({ executionId, done })
}

async function collectAndTell(
  collecting: Collecting,
  executionId: string,
  ask: CollectAsk,
): Promise<Collected> {
  const collected = await collectUntilDone(collecting, executionId, ask)
  const { claimed, created, failed, leftOver } = collected
  ask.caller.log.info(
    'collect.finished',
    `Collected ${created} of ${claimed} notes; ${failed} failed, ${leftOver} were left over.`,
    { ...collected },
  )
  return collected
}

type FailedCandidate = Parameters<CandidateStore['fail']>[1][number]

async function collectUntilDone(
  collecting: Collecting,
  executionId: string,
  ask: CollectAsk,
): Promise<Collected> {
  const { candidates, clock, budgetMs } = collecting
  const { caller, signal } = ask
  const startedAt = clock.now()
  const counts = { claimed: 0, created: 0, skipped: 0, failed: 0, leftOver: 0 }
  const failures: FailedCandidate[] = []
  const closed = openClosedDoors(collecting.platforms)
  const claimOpen = openClaims({
    candidates,
    closed,
    executionId,
    wanted: ask.wanted,
    origin: caller,
  })
  const endingNow = (): Collected['ending'] | undefined => {
    if (signal?.aborted) return 'stopped'
    return clock.now() - startedAt >= budgetMs ? 'budget' : undefined
  }

  let lost: LockLost | undefined
  // Each when it is there: whoever is killed has only those to fetch again that were under way.
  const write = async (outcome: Outcome) => {
    if (!outcome.result.ok) return
    const written = await candidates.complete(executionId, collectedNote(outcome), caller)
    if (!written.ok) {
      lost = written.failure
      return
    }
    counts.created += written.value.filter(({ action }) => action === 'created').length
    counts.skipped += written.value.filter(({ action }) => action === 'skipped').length
  }

  let ending: Collected['ending'] = 'nothing-left'
  for (;;) {
    const over = endingNow()
    if (over) {
      ending = over
      break
    }
    const claimed = await claimOpen()
    if (!claimed.ok) return lockLost(claimed.failure, counts, ask)
    if (claimed.value.length === 0) {
      ending = closed.isAny() ? 'paused' : 'nothing-left'
      break
    }
    counts.claimed += claimed.value.length
    const fetched = await fetchClaimed(collecting, claimed.value, { ...ask, onFetched: write })
    if (lost) return lockLost(lost, counts, ask)
    const untried = fetched.filter(({ result }) => !result.ok && NOT_TRIED.has(result.failure.kind))
    counts.leftOver += untried.length
    failures.push(...fetched.flatMap((note) => failedCandidate(note, ask)))
    for (const outcome of untried) closed.note(outcome)
  }
  // Only now: a candidate that went back to pending at once would be claimed again by this very run.
  const given = await candidates.fail(executionId, failures, caller)
  if (!given.ok) return lockLost(given.failure, counts, ask)
  return { executionId, ...counts, failed: failures.length, ending }
}

type Outcome = Pick<FetchedNote, 'platform' | 'noteId'> &
  Partial<Pick<FetchedNote, 'host'>> & { readonly result: Result<Note, CollectFailure> }

/** Candidates whose address their platform does not take any more fail by themselves; those of one that is off wait. */
async function fetchClaimed(
  { platforms, fetching }: Collecting,
  claimed: readonly Candidate[],
  {
    caller,
    signal,
    onFetched,
  }: CollectAsk & { readonly onFetched: (one: Outcome) => Promise<void> },
): Promise<readonly Outcome[]> {
  const judged = claimed.map(({ platform, noteId, noteUrl: url }) => ({
    platform,
    noteId,
    url,
    known: platformOf(platforms, { item: noteId, platform, noteId, url }),
  }))
  const refused = judged.flatMap(({ platform, noteId, known }): Outcome[] =>
    known.ok ? [] : [{ platform, noteId, result: { ok: false, failure: known.failure } }],
  )
  const asks = judged.flatMap(({ noteId, url, known }) =>
    known.ok ? [{ platform: known.value, noteId, url }] : [],
  )
  return [...(await fetchNotes(fetching, asks, { caller, signal, onFetched })), ...refused]
}

function collectedNote({ platform, noteId, result }: Outcome) {
  return result.ok ? [{ platform, noteId, note: wireNote(result.value) }] : []
}

function failedCandidate(
  { platform, noteId, result }: Outcome,
  { caller }: CollectAsk,
): readonly FailedCandidate[] {
  if (result.ok || NOT_TRIED.has(result.failure.kind)) return []
  const errorCode = CODE_OF[result.failure.kind]
  caller.log.warn('collect.note_failed', describeFailure(result.failure), {
    platform,
    noteId,
    code: errorCode,
  })
  return [{ platform, noteId, errorCode }]
}

function lockLost(
  { executionId }: LockLost,
  counts: Omit<Collected, 'executionId' | 'ending'>,
  { caller }: CollectAsk,
): Collected {
  caller.log.warn('collect.lock_lost', `${executionId} was silent too long and lost its lock.`)
  return { executionId, ...counts, ending: 'lock-lost' }
}
