import { isOfCollecting } from '../../../../collect/alerts.ts'
import { ok } from '../../../../core/result.ts'
import { dataOf } from '../../ask-and-print.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openToLook } from '../../place.ts'
import { table } from '../../table.ts'
import type { Execution } from './run.ts'

/** As `GET /v1/adapters` shows it. */
interface Adapter {
  readonly platform: string
  readonly enabled: boolean
  readonly detail?: boolean
  readonly search?: boolean
  readonly cookie?: string
}

interface Alert {
  readonly key: string
  readonly severity: string
  readonly status: string
  readonly title: string
}

export async function runCollectStatus(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToLook(env.value), async (place) => {
    const asked = {
      candidates: await place.ask('GET', '/v1/candidates?limit=1'),
      executions: await place.ask('GET', '/v1/executions?limit=5'),
      outbox: await place.ask('GET', '/v1/outbox?limit=1'),
      alerts: await place.ask('GET', '/v1/alerts'),
      platforms: await place.ask('GET', '/v1/adapters'),
    }
    for (const answer of Object.values(asked)) if (!answer.ok) return answer
    const part = <Data>(name: keyof typeof asked) => {
      const answer = asked[name]
      return dataOf<Data>(answer.ok ? answer.value : {})
    }
    const { counts } = part<{ counts: Readonly<Record<string, number>> }>('candidates')
    const { executions } = part<{ executions: readonly Execution[] }>('executions')
    const { depth } = part<{ depth: number }>('outbox')
    const { alerts } = part<{ alerts: readonly Alert[] }>('alerts')
    const { adapters: platforms } = part<{ adapters: readonly Adapter[] }>('platforms')
    const firing = alerts.filter(({ status, key }) => status === 'firing' && isOfCollecting(key))
    const document = {
      candidates: counts,
      executions,
      outbox: { depth },
      alerts: firing,
      platforms,
    }
    call.answer(document, () => {
      const states = Object.entries(counts).map(([status, count]) => `${count} ${status}`)
      call.terminal.print(`Candidates: ${states.join(', ')}`)
      call.terminal.print(`Outbox: ${depth} ${depth === 1 ? 'change' : 'changes'} for the mirror`)
      call.terminal.print(`Platforms: ${platforms.map(platformInWords).join(', ')}`)
      for (const { severity, title } of firing) call.terminal.print(`${severity}: ${title}`)
      const rows = executions.map((one) => [
        one.workflow_name,
        one.status,
        one.started_at,
        `${one.items_processed} collected, ${one.items_failed} failed`,
      ])
      for (const line of table(rows)) call.terminal.print(line)
    })
    return ok(EXIT.done)
  })
}

/** `xhs (fetches, with a cookie)` */
function platformInWords({ platform, enabled, detail, search, cookie }: Adapter): string {
  if (!enabled) return `${platform} (off)`
  const can = [
    detail === true && 'fetches',
    search === true && 'finds',
    cookie === 'required' && 'with a cookie',
  ].filter((word) => word !== false)
  return can.length === 0 ? platform : `${platform} (${can.join(', ')})`
}
