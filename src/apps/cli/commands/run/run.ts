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
  const place = await openToWork(env.value)
  if (!place.ok) return call.refuse(place.failure)
  try {
    const ask = { site: call.words[0] ?? '', channel: call.options.channel }
    const followed = await followRun(call, env.value, place.value, ask)
    if (!followed.ok) return call.refuse(followed.failure)
    return tellRun(call, followed.value, place.value)
  } finally {
    await place.value.close()
  }
}
