import { fail, ok } from '../../core/result.ts'
import { execMetaOf } from '../exec-meta.ts'
import { HEARTBEAT_EVERY_MS } from '../execution-store.ts'
import { COMPLETE_AND_CLAIM } from './candidate-statements.ts'
import { type ClaimAsk, type Claimed, type ClaimedRow, claimedOf } from './claim-candidates.ts'
import { ClaimFloor } from './claim-floor.ts'
import {
  type CompleteAsk,
  type Completed,
  completeJudged,
  createdOf,
  noteRow,
  toldNotes,
} from './complete-notes.ts'
import { undoneBy } from './failure.ts'
import { groupCalls } from './group-calls.ts'
import { beatIfDue } from './hear-execution.ts'
import { type Database, json, textArray } from './sql.ts'

type Ask = ClaimAsk | CompleteAsk
type Answer =
  | { readonly claimed: Claimed; readonly from: number }
  | { readonly completed: Completed }

/** An execution that runs, or a candidate that was claimed for an ask. */
type Row =
  | { readonly ask: null; readonly executionId: string; readonly beatDue: boolean }
  | (ClaimedRow & { readonly ask: number })

/** Completions and claims of one server that come at the same time are one statement, unless one is out of the ordinary. */
export function completeAndClaim(database: Database) {
  const floor = new ClaimFloor()
  const call = groupCalls<Ask, Answer>({
    together: (asks) => allTogether(database, asks, floor),
    async alone(ask, refused) {
      const undone = undoneBy(refused)
      if (undone === 'not-done') throw refused
      if ('notes' in ask) return { completed: await completeJudged(database, ask) }
      // Where nobody knows whether it was done, doing it again would claim more.
      if (undone === 'unknown') throw refused
      const [answer] = await allTogether(database, [ask], floor)
      if (!answer) throw refused
      return answer
    },
    atRest: () => floor.reset(),
  })
  return {
    async claim(ask: ClaimAsk): Promise<Claimed> {
      for (;;) {
        const answer = await call(ask)
        if (!('claimed' in answer)) throw new Error('a claim was answered as a completion')
        const { claimed, from } = answer
        if (!claimed.ok || claimed.value.length > 0 || from === 0) return claimed
        // Nothing is ahead; something may have come back behind.
        floor.reset()
      }
    },
    async complete(ask: CompleteAsk): Promise<Completed> {
      const answer = await call(ask)
      if ('completed' in answer) return answer.completed
      throw new Error('a completion was answered as a claim')
    },
  }
}

async function allTogether(
  database: Database,
  asks: readonly Ask[],
  floor: ClaimFloor,
): Promise<readonly Answer[]> {
  const executionIds = new Set(asks.map(({ executionId }) => executionId))
  const begin = floor.next()
  const { from } = begin
  const rows = await send(database, { asks, executionIds: [...executionIds], from })
  const running = rows.flatMap((row) => (row.ask === null ? [row] : []))
  if (running.length < executionIds.size && asks.length > 1) {
    throw new Error('not all of the executions are running')
  }
  const claimed = rows
    .flatMap((row) => (row.ask === null ? [] : [row]))
    .toSorted((a, b) => a.position - b.position)
  floor.raise(begin, claimed)
  await Promise.all(running.map((row) => beatIfDue(database, row)))
  return asks.map((ask, place) => {
    const { executionId } = ask
    const isRunning = running.some((row) => row.executionId === executionId)
    const lost = isRunning ? undefined : fail({ kind: 'lock-lost' as const, executionId })
    if ('notes' in ask) return { completed: lost ?? ok(createdOf(ask)) }
    const own = claimed.filter((row) => row.ask === place + 1)
    return { claimed: lost ?? ok(claimedOf(own, ask)), from }
  })
}

interface Group {
  readonly asks: readonly Ask[]
  readonly executionIds: readonly string[]
  /** The least position to be claimed. */
  readonly from: number
}

function send(database: Database, { asks, executionIds, from }: Group) {
  const notes = asks
    .flatMap((ask, place) =>
      'notes' in ask ? ask.distinct.map((note) => ({ place, ...noteRow(note) })) : [],
    )
    .toSorted(byKey)
  const records = asks.flatMap((ask, place) =>
    'notes' in ask ? [] : Array<number>(ask.batchSize).fill(place),
  )
  const completed = executionIds.map(
    (id) => notes.filter(({ place }) => asks[place]?.executionId === id).length,
  )
  return (records.length > 0 ? database : database.repeatable).all<Row>(
    COMPLETE_AND_CLAIM,
    HEARTBEAT_EVERY_MS,
    textArray(executionIds),
    executionIds.length,
    textArray(asks.map(({ executionId }) => executionId)),
    textArray(asks.map(({ executionId, origin }) => json(execMetaOf(executionId, origin)))),
    subscripts(notes.map(({ place }) => place)),
    textArray(notes.map(({ platform }) => platform)),
    textArray(notes.map((one) => one.note_id)),
    textArray(notes.map((one) => one.idempotency_key)),
    json(notes.map(({ note }) => note)),
    notes.length,
    json(asks.flatMap((ask) => ('notes' in ask ? toldNotes(ask) : []))),
    `{${completed.join()}}`,
    subscripts(records),
    records.length,
    from,
  )
}

/** SQL counts from one. */
function subscripts(places: readonly number[]): string {
  return `{${places.map((place) => place + 1).join()}}`
}

type Keyed = ReturnType<typeof noteRow>

function byKey(a: Keyed, b: Keyed): number {
  return byText(a.platform, b.platform) || byText(a.note_id, b.note_id)
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
