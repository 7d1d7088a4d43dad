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
    const { items_processed: collected, items_failed: failed, status } = ended
    call.answer(ended, () => call.terminal.print(`${collected} collected, ${failed} failed.`))
    return ok(status === 'completed' && failed === 0 ? EXIT.done : EXIT.failed)
  })
}

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
