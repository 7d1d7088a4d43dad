import { ok, type Result } from '../core/result.ts'
import type { Candidate, CandidateStore, NoteKey } from '../stores/candidate-store.ts'
import type { LockLost } from '../stores/execution-store.ts'
import type { Origin } from '../stores/outbox-store.ts'
import type { ClosedDoors } from './closed-doors.ts'
import { LIMITS, USUAL_BATCH } from './limits.ts'

/** Which candidates a run is for: those that wait, or those that were given up, for one more attempt. */
export type Wanted = 'waiting' | 'given-up'

export interface OpenClaiming {
  readonly candidates: CandidateStore
  readonly closed: ClosedDoors
  readonly executionId: string
  readonly wanted: Wanted
  readonly origin: Origin
}

/** Claims the next batch; with none in it nothing is left that is not behind a closed door. */
export type ClaimOpen = () => Promise<Result<readonly Candidate[], LockLost>>

/** Past those whose door is closed, however many: others must not wait for a cookie that they do not need. */
export function openClaims(claiming: OpenClaiming): ClaimOpen {
  const { candidates, closed, executionId, wanted, origin } = claiming
  const nextOpen = readOpen(claiming)
  return async () => {
    if (wanted === 'waiting' && !closed.isAny()) {
      return candidates.claim(executionId, USUAL_BATCH, origin)
    }
    for (;;) {
      const open = await nextOpen()
      if (open.length === 0) return ok([])
      const claimed = await candidates.claimThese(executionId, open, origin)
      // Others may have been quicker with all of these: that says nothing of those that follow.
      if (!claimed.ok || claimed.value.length > 0) return claimed
    }
  }
}

/** Reads on from where it stopped, for doors that are closed stay so: what it went past needs no second look. */
function readOpen({ candidates, closed, wanted }: OpenClaiming) {
  const status = wanted === 'waiting' ? 'pending' : 'failed'
  let place: NoteKey | undefined
  const readOn = async (): Promise<readonly Candidate[]> => {
    const open: Candidate[] = []
    // Short pages where all are open, long ones across many that are not.
    for (let limit: number = USUAL_BATCH; ; limit = Math.min(4 * limit, LIMITS.rowsPerPage)) {
      const page = await candidates.list(status, limit, place)
      for (const candidate of page) {
        place = candidate
        if (!closed.has(candidate)) open.push(candidate)
        if (open.length === USUAL_BATCH) return open
      }
      if (page.length < limit) return open
    }
  }
  return async () => {
    const isFromStart = place === undefined
    const open = await readOn()
    if (open.length > 0 || isFromStart) return open
    // Meanwhile some may have come back behind the place.
    place = undefined
    return readOn()
  }
}
