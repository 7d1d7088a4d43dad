import type { Clock } from '../../core/clock.ts'
import type { HttpClient, HttpReply } from '../../core/http.ts'

/** What an answer told besides its body. */
export interface SeenAnswer {
  readonly url: string
  readonly at: number
  readonly date: string | null
  readonly age: string | null
  readonly contentEncoding: string | null
  /** Whether the request said that it takes nothing compressed. */
  readonly askedPlain: boolean
  /** Of the body, as it is handed over. */
  readonly beginsAsGzip: () => boolean
}

export interface Witness {
  readonly http: HttpClient
  /** In the order in which they came. */
  readonly answers: readonly SeenAnswer[]
}

/** A client that does what another does and remembers how it was answered: nothing is asked twice to learn more. */
export function openWitness(http: HttpClient, clock: Clock): Witness {
  const answers: SeenAnswer[] = []
  return {
    answers,
    http: {
      async send(request) {
        const sent = await http.send(request)
        if (!sent.ok) return sent
        const { value: reply } = sent
        const beginning: number[] = []
        answers.push({
          url: request.url,
          at: clock.now(),
          date: reply.headers.get('date'),
          age: reply.headers.get('age'),
          contentEncoding: reply.headers.get('content-encoding'),
          askedPlain: request.headers?.['accept-encoding'] === 'identity',
          beginsAsGzip: () => beginning[0] === 0x1f && beginning[1] === 0x8b,
        })
        return { ok: true, value: watched(reply, beginning) }
      },
    },
  }
}

function watched(reply: HttpReply, beginning: number[]): HttpReply {
  return {
    ...reply,
    each: (take) =>
      reply.each((chunk) => {
        if (beginning.length < 2) beginning.push(...chunk.subarray(0, 2 - beginning.length))
        return take(chunk)
      }),
  }
}
