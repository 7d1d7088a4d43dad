import { systemClock } from '../../../../core/clock.ts'
import { seconds } from '../../../../core/duration.ts'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { dataOf } from '../../ask-and-print.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openToWork, type Place } from '../../place.ts'

/** As `GET /v1/executions` shows it. */
export interface Execution {
  readonly execution_id: string
  readonly workflow_name: string
  readonly status: string
  readonly started_at: string
  readonly items_processed: number
  readonly items_failed: number
}

/** How often a server is asked how far it is. */
const LOOK_EVERY_MS = seconds(1)

interface RunOptions {
  readonly givenUp?: true
}

export async function runCollect(call: Call<RunOptions>): Promise<ExitCode> {
  const isForGivenUp = call.options.givenUp === true
  // Each note that failed is a line of the log, with the reason; the sum is what this command prints itself.
  const env = openEnvironment(call, { shows: ({ event }) => event !== 'collect.finished' })
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToWork(env.value), async (place) => {
    const before = await place.ask('GET', OLDEST)
    if (!before.ok) return before
    const started = await place.ask(
      'POST',
      isForGivenUp ? '/v1/collect?given_up=true' : '/v1/collect',
    )
    if (!started.ok) return started
    const { execution_id: id } = dataOf<{ execution_id: string }>(started.value)
    const ended = await endOf(place, id)
    if (!ended.ok) return ended
    const after = await place.ask('GET', OLDEST)
    if (!after.ok) return after
    const left = leftBy(id, dataOf<Listed>(before.value), dataOf<Listed>(after.value))
    const { items_processed: collected, items_failed: failed, status } = ended.value
    call.answer({ ...ended.value, ...left }, () => {
      const codes = Object.entries(left.failures).map(([code, count]) => `${count} ${code}`)
      const why = codes.length === 0 ? '' : ` (${codes.join(', ')})`
      call.terminal.print(`${collected} collected, ${failed} failed${why}.`)
      if (isForGivenUp) call.terminal.print(`${left.given_up} still given up.`)
      else if (left.waiting > 0) call.terminal.print(stillWaiting(left.waiting))
      if (place.serverUrl !== undefined && failed > 0)
        call.terminal.say(
          'Why is in the log of the server, and in last_error_code of GET /v1/candidates.',
        )
      if (status !== 'completed') call.terminal.say(`The execution ${id} ended as ${status}.`)
    })
    const rest = isForGivenUp ? left.given_up : left.waiting
    const isAll = status === 'completed' && failed === 0 && rest === 0
    return ok(isAll ? EXIT.done : EXIT.failed)
  })
}

const OLDEST = '/v1/candidates?limit=1000'

/** As `GET /v1/candidates` shows them. */
interface Listed {
  readonly counts: { readonly pending: number; readonly failed: number }
  readonly candidates: readonly {
    readonly platform: string
    readonly note_id: string
    readonly retry_count: number
    readonly last_error_code: string | null
    readonly exec_meta: { readonly execution_id?: string }
  }[]
}

interface Left {
  /** How many came to which code in this run, as far as they are among the oldest. */
  readonly failures: Readonly<Record<string, number>>
  readonly waiting: number
  readonly given_up: number
}

function leftBy(executionId: string, before: Listed, { candidates, counts }: Listed): Left {
  const attempts = new Map(before.candidates.map((one) => [nameOf(one), one.retry_count]))
  const failures: Record<string, number> = {}
  for (const candidate of candidates) {
    const { last_error_code: code, exec_meta: meta, retry_count: attempt } = candidate
    if (code === null || meta.execution_id !== executionId) continue
    // What this run held and did not try still has the code of an earlier one.
    if (attempt === (attempts.get(nameOf(candidate)) ?? 0)) continue
    failures[code] = (failures[code] ?? 0) + 1
  }
  return { failures, waiting: counts.pending, given_up: counts.failed }
}

const nameOf = ({ platform, note_id }: { platform: string; note_id: string }) =>
  `${platform}:${note_id}`

/** Whoever reads "0 collected, 0 failed" would take it for all there is. */
const stillWaiting = (count: number) =>
  `${count} still waiting: for another try, a cookie that can be used (sluice cookies list), a platform that is off (COLLECT_PLATFORMS), a host that rests, or time.`

async function endOf(place: Place, id: string): Promise<Result<Execution, Complaint>> {
  for (;;) {
    const listed = await place.ask('GET', '/v1/executions')
    if (!listed.ok) return fail(whileRunning(listed.failure, id))
    const { executions } = dataOf<{ executions: readonly Execution[] }>(listed.value)
    const own = executions.find(({ execution_id }) => execution_id === id)
    if (!own) return fail(lost(id))
    if (own.status !== 'running') return ok(own)
    await systemClock.sleep(LOOK_EVERY_MS)
  }
}

/** What keeps us from looking does not keep the execution from going on. */
function whileRunning(failure: Complaint, id: string): Complaint {
  const advice = `The execution ${id} was started, and may go on: see sluice collect status.`
  return {
    ...failure,
    advice: failure.advice === undefined ? advice : `${failure.advice}\n${advice}`,
  }
}

function lost(id: string): Complaint {
  return {
    exit: EXIT.failed,
    code: 'execution-lost',
    what: `The execution ${id} is no longer among the newest: so many were started since.`,
    advice: 'See sluice collect status, and the log of the server.',
  }
}
