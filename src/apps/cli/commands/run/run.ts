import { ok } from '../../../../core/result.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { followRun, openRunEnvironment, tellRun } from '../../follow-run.ts'
import { openToWork } from '../../place.ts'

interface RunOptions {
  readonly channel: string
}

export async function runRun(call: Call<RunOptions>): Promise<ExitCode> {
  const env = openRunEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToWork(env.value), async (place) => {
    const ask = { site: call.words[0] ?? '', channel: call.options.channel }
    const followed = await followRun(call, env.value, place, ask)
    return followed.ok ? ok(tellRun(call, followed.value, place)) : followed
  })
}
