import { systemClock } from '../../../../core/clock.ts'
import { seconds } from '../../../../core/duration.ts'
import { fail, ok } from '../../../../core/result.ts'
import { dataOf } from '../../ask-and-print.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
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

export async function runCollect(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToWork(env.value), async (place) => {
    const started = await place.ask('POST', '/v1/collect')
    if (!started.ok) return started
    const { execution_id: id } = dataOf<{ execution_id: string }>(started.value)
    const ended = await endOf(place, id)
    if (!ended) {
      return fail({
        exit: EXIT.failed,
        code: 'execution-lost',
        what: `The execution ${id} cannot be found any more.`,
        advice: 'Look at the log of the server.',
      })
    }
    const listed = await place.ask('GET', '/v1/candidates?limit=1000')
    if (!listed.ok) return listed
    const left = leftBy(id, dataOf<Listed>(listed.value))
    const { items_processed: collected, items_failed: failed, status } = ended
    call.answer({ ...ended, ...left }, () => {
      const codes = Object.entries(left.failures).map(([code, count]) => `${count} ${code}`)
      const why = codes.length === 0 ? '' : ` (${codes.join(', ')})`
      call.terminal.print(`${collected} collected, ${failed} failed${why}.`)
      if (left.waiting > 0) call.terminal.print(stillWaiting(left.waiting))
    })
    const isAll = status === 'completed' && failed === 0 && left.waiting === 0
    return ok(isAll ? EXIT.done : EXIT.failed)
  })
}

/** As `GET /v1/candidates` shows them. */
interface Listed {
  readonly counts: { readonly pending: number }
  readonly candidates: readonly {
    readonly last_error_code: string | null
    readonly exec_meta: { readonly execution_id?: string }
  }[]
}

interface Left {
  /** How many came to which code in this run, as far as they are among the oldest. */
  readonly failures: Readonly<Record<string, number>>
  readonly waiting: number
}

function leftBy(executionId: string, { candidates, counts }: Listed): Left {
  const failures: Record<string, number> = {}
  for (const { last_error_code: code, exec_meta: meta } of candidates) {
    if (code === null || meta.execution_id !== executionId) continue
    failures[code] = (failures[code] ?? 0) + 1
  }
  return { failures, waiting: counts.pending }
}

/** Whoever reads "0 collected, 0 failed" would take it for all there is. */
const stillWaiting = (count: number) =>
  `${count} still waiting: for another try, a cookie that can be used (sluice cookies list), a host that rests, or time.`

async function endOf(place: Place, id: string): Promise<Execution | undefined> {
  for (;;) {
    const listed = await place.ask('GET', '/v1/executions')
    if (!listed.ok) return undefined
    const { executions } = dataOf<{ executions: readonly Execution[] }>(listed.value)
    const own = executions.find(({ execution_id }) => execution_id === id)
    if (own?.status !== 'running') return own
    await systemClock.sleep(LOOK_EVERY_MS)
  }
}
