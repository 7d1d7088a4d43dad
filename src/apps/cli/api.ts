import type { Random } from '../../core/random.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/clock.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import { ERROR_CODES } from '../../http/error-codes.ts'
import { httpApp } from '../../http/http-app.ts'
import type { RouteModule } from '../../http/http-env.ts'
import type { Complaint } from './complaint.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { inCommands } from './in-commands.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The named fields of an answer, without the envelope around them. */
export type Answer = Readonly<Record<string, unknown>>

/**
 * The HTTP API, wherever it is answered: by the server that holds the folder, or by the same routes in this process.
 * Commands are clients of it, so that no rule is written twice.
 */
export interface Api {
  ask(method: Method, path: string, body?: unknown): Promise<Result<Answer, Complaint>>
}

type Send = (path: string, init: RequestInit) => Promise<Response>

interface Envelope {
  readonly error?: { readonly code: string; readonly message: string }
}

function apiOver(send: Send, token: Secret): Api {
  return {
    async ask(method, path, body) {
      const response = await send(path, {
        method,
        headers: {
          authorization: `Bearer ${token.reveal()}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const {
        success: _success,
        meta: _meta,
        error,
        ...answer
      } = (await response.json()) as Answer & Envelope
      return error ? fail(complaintOf(error)) : ok(answer)
    },
  }
}

/** The routes in this process. Nobody else can reach them, so that any token will do. */
export function localApi(
  modules: readonly RouteModule[],
  { clock, random, log }: { readonly clock: Clock; readonly random: Random; readonly log: Log },
): Api {
  const token = new Secret(random.uuid())
  const app = httpApp({
    clock,
    random,
    log,
    tokens: { admin: token, advice: '' },
    modules,
  })
  return apiOver(async (path, init) => app.request(path, init), token)
}

/** Longer than any answer takes that does not wait for a run. */
const TIMEOUT_MS = 60_000

export function serverApi(
  url: string,
  token: Secret,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Api {
  const { ask } = apiOver(
    (path, init) => fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
    token,
  )
  return {
    async ask(...request) {
      try {
        return await ask(...request)
      } catch {
        return fail({
          exit: EXIT.failed,
          code: 'server-unreachable',
          what: `The server at ${url} did not answer.`,
          advice: 'Look whether it is still running: `sluice status` asks it again.',
        })
      }
    },
  }
}

function complaintOf({ code, message }: NonNullable<Envelope['error']>): Complaint {
  return { exit: exitOf(code), code, what: inCommands(message) }
}

function exitOf(code: string): ExitCode {
  if (code === 'LOCKED') return EXIT.locked
  const { status } = ERROR_CODES[code as keyof typeof ERROR_CODES] ?? { status: 500 }
  return status < 500 && status !== 429 ? EXIT.wrongUse : EXIT.failed
}
