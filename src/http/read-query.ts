import type { z } from 'zod'
import { fail, type Result } from '../core/result.ts'
import type { Refusal } from './envelope.ts'
import type { HttpContext } from './http-env.ts'
import { readGiven } from './read-given.ts'

/** The query as `schema` reads it, or a refusal that names each wrong parameter. */
export function readQuery<S extends z.ZodType>(
  c: HttpContext,
  schema: S,
): Result<z.output<S>, Refusal> {
  const read = readGiven(schema, c.req.query())
  return read.ok ? read : fail({ code: 'INVALID_INPUT', message: read.failure })
}
