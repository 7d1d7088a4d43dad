import type { Answer, Method } from './api.ts'
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
): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const place = await (method === 'GET' ? openToLook : openToWork)(env.value)
  if (!place.ok) return call.refuse(place.failure)
  try {
    const answered = await place.value.ask(method, path, body)
    if (!answered.ok) return call.refuse(answered.failure)
    const data = dataOf<Data>(answered.value)
    call.answer(data, () => people(data))
    return EXIT.done
  } finally {
    await place.value.close()
  }
}

export function dataOf<Data>(answer: Answer): Data {
  return answer['data'] as Data
}
