import type { z } from 'zod'
import { fail, ok, type Result } from '../core/result.ts'
import type { Refusal } from './envelope.ts'
import type { HttpContext } from './http-env.ts'
import { describeIssues } from './read-json.ts'

/** The query as `schema` reads it, or a refusal that names each wrong parameter. */
export function readQuery<S extends z.ZodType>(
  c: HttpContext,
  schema: S,
): Result<z.output<S>, Refusal> {
  const read = schema.safeParse(c.req.query())
  if (read.success) return ok(read.data)
  return fail({ code: 'INVALID_INPUT', message: describeIssues(read.error) })
}
