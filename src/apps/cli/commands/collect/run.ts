import { systemClock } from '../../../../core/clock.ts'
import { seconds } from '../../../../core/duration.ts'
import { askAndPrint, dataOf } from '../../ask-and-print.ts'
import type { Call } from '../../command.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openToLook, openToWork, type Place } from '../../place.ts'
import { table } from '../../table.ts'

interface AddOptions {
  readonly platform: string
  readonly keyword?: string
}

export async function runAddCandidates(call: Call<AddOptions>): Promise<ExitCode> {
  const { platform, keyword } = call.options
  const items = call.words.flat().map((url) => ({
    platform,
    note_url: url,
    ...(keyword !== undefined && { source_keyword: keyword }),
  }))
  return askAndPrint<{ created: number; skipped: number }>(
    call,
    { method: 'POST', path: '/v1/candidates', body: { items } },
    ({ created, skipped }) =>
      call.terminal.print(`${created} added, ${skipped} were known already.`),
  )
}

interface Recovered {
  readonly executions_timed_out: number
  readonly records_released: number
  readonly records_failed: number
}

export async function runRecover(call: Call): Promise<ExitCode> {
  return askAndPrint<Recovered>(call, { method: 'POST', path: '/v1/recover' }, (recovered) =>
    call.terminal.print(
      `${recovered.executions_timed_out} executions timed out; ${recovered.records_released} notes wait again, ${recovered.records_failed} failed.`,
    ),
  )
}

interface Execution {
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
  const place = await openToWork(env.value)
  if (!place.ok) return call.refuse(place.failure)
  try {
    const started = await place.value.ask('POST', '/v1/collect')
    if (!started.ok) return call.refuse(started.failure)
    const { execution_id: id } = dataOf<{ execution_id: string }>(started.value)
    const ended = await endOf(place.value, id)
    if (!ended) {
      return call.refuse({
        exit: EXIT.failed,
        code: 'execution-lost',
        what: `The execution ${id} cannot be found any more.`,
        advice: 'Look at the log of the server.',
      })
    }
    const { items_processed: collected, items_failed: failed, status } = ended
    call.answer(ended, () => call.terminal.print(`${collected} collected, ${failed} failed.`))
    return status === 'completed' && failed === 0 ? EXIT.done : EXIT.failed
  } finally {
    await place.value.close()
  }
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

interface Alert {
  readonly severity: string
  readonly status: string
  readonly title: string
}

export async function runCollectStatus(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const place = await openToLook(env.value)
  if (!place.ok) return call.refuse(place.failure)
  try {
    const asked = {
      candidates: await place.value.ask('GET', '/v1/candidates?limit=1'),
      executions: await place.value.ask('GET', '/v1/executions?limit=5'),
      outbox: await place.value.ask('GET', '/v1/outbox?limit=1'),
      alerts: await place.value.ask('GET', '/v1/alerts'),
    }
    for (const answer of Object.values(asked)) if (!answer.ok) return call.refuse(answer.failure)
    const part = <Data>(name: keyof typeof asked) => {
      const answer = asked[name]
      return dataOf<Data>(answer.ok ? answer.value : {})
    }
    const { counts } = part<{ counts: Readonly<Record<string, number>> }>('candidates')
    const { executions } = part<{ executions: readonly Execution[] }>('executions')
    const { depth } = part<{ depth: number }>('outbox')
    const { alerts } = part<{ alerts: readonly Alert[] }>('alerts')
    const firing = alerts.filter(({ status }) => status === 'firing')
    const document = { candidates: counts, executions, outbox: { depth }, alerts: firing }
    call.answer(document, () => {
      const states = Object.entries(counts).map(([status, count]) => `${count} ${status}`)
      call.terminal.print(`Candidates: ${states.join(', ')}`)
      call.terminal.print(`Outbox: ${depth} changes for the mirror`)
      for (const { severity, title } of firing) call.terminal.print(`${severity}: ${title}`)
      const rows = executions.map((one) => [
        one.workflow_name,
        one.status,
        one.started_at,
        `${one.items_processed} collected, ${one.items_failed} failed`,
      ])
      for (const line of table(rows)) call.terminal.print(line)
    })
    return EXIT.done
  } finally {
    await place.value.close()
  }
}
