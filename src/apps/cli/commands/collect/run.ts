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

export async function runCollect(call: Call): Promise<ExitCode> {
  // Each note that failed is a line of the log, with the reason; the sum is what this command prints itself.
  const env = openEnvironment(call, { shows: ({ event }) => event !== 'collect.finished' })
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToWork(env.value), async (place) => {
    const started = await place.ask('POST', '/v1/collect')
    if (!started.ok) return started
    const { execution_id: id } = dataOf<{ execution_id: string }>(started.value)
    const ended = await endOf(place, id)
    if (!ended.ok) return ended
    const { items_processed: collected, items_failed: failed, status } = ended.value
    call.answer(ended.value, () => {
      call.terminal.print(`${collected} collected, ${failed} failed.`)
      if (place.serverUrl !== undefined && failed > 0)
        call.terminal.say(
          'Why is in the log of the server, and in last_error_code of GET /v1/candidates.',
        )
      if (status !== 'completed') call.terminal.say(`The execution ${id} ended as ${status}.`)
    })
    return ok(status === 'completed' && failed === 0 ? EXIT.done : EXIT.failed)
  })
}

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
