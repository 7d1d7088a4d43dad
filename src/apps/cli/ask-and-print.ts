import { ok } from '../../core/result.ts'
import type { Answer, Method } from './api.ts'
import { atPlace } from './at-place.ts'
import type { Call } from './command.ts'
import { openEnvironment } from './environment.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { openToLook, openToWork } from './place.ts'

export interface Question {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
}

/** Asks the API one thing and prints its `data`; a question that changes nothing is asked of a copy. */
export async function askAndPrint<Data>(
  call: Call,
  { method, path, body }: Question,
  people: (data: Data) => void,
  exitOf: (data: Data) => ExitCode = () => EXIT.done,
): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const opened = await (method === 'GET' ? openToLook : openToWork)(env.value)
  return atPlace(call, opened, async (place) => {
    const answered = await place.ask(method, path, body)
    if (!answered.ok) return answered
    const data = dataOf<Data>(answered.value)
    call.answer(data, () => people(data))
    return ok(exitOf(data))
  })
}

export function dataOf<Data>(answer: Answer): Data {
  return answer['data'] as Data
}
