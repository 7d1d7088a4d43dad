import { z } from 'zod'
import { guarded } from './access.ts'
import { refuse } from './envelope.ts'
import type { ErrorCode } from './error-codes.ts'
import type { Access, HttpApp, HttpContext } from './http-env.ts'
import { queryReader } from './read-query.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** What a route takes and gives, said once: the route is added from it, and so is its page in the API reference. */
export interface Operation<Query extends z.ZodType = z.ZodType> {
  readonly methods: readonly Method[]
  /** As Hono writes it: `/api/sites/:id`. */
  readonly path: string
  readonly access: Access
  readonly subject: string
  readonly summary: string
  readonly query: Query
  readonly body?: z.ZodType
  /** Where it takes more than is usual. */
  readonly maxBodyBytes?: number
  readonly status: number
  /** Where the answer is no JSON document. */
  readonly media?: string
  /** What stands beside `success` and `meta`. */
  readonly answer: z.ZodRawShape
  /** Besides what every route may be refused with. */
  readonly refusals?: readonly ErrorCode[]
}

export const NO_QUERY = z.strictObject({})

const added = new WeakMap<object, Operation[]>()

/** Adds a route; its query is read before `handle` is called. */
export function addOperation<Query extends z.ZodType>(
  app: HttpApp,
  operation: Operation<Query>,
  handle: (c: HttpContext, query: z.output<Query>) => Response | Promise<Response>,
): void {
  const { methods, path, access, query } = operation
  operationsOf(app).push(operation)
  const readQuery = queryReader(query)
  app.on(
    [...methods].map((method) => method.toUpperCase()),
    path,
    guarded(access, (c) => {
      const read = readQuery(c)
      return read.ok ? handle(c, read.value) : refuse(c, read.failure)
    }),
  )
}

/** Everything that was added to an app, in order. */
export function operationsOf(app: HttpApp): Operation[] {
  const operations = added.get(app) ?? []
  added.set(app, operations)
  return operations
}
