import type { z } from 'zod'
import { fail, type Result } from '../core/result.ts'
import type { Refusal } from './envelope.ts'
import type { HttpContext } from './http-env.ts'
import { readGiven } from './read-given.ts'

const MOST_KEPT = 100
const LONGEST_KEPT = 200

/**
 * Gives a query as `schema` reads it, or a refusal that names each wrong parameter. Who watches asks the same again and
 * again, and the same text reads the same: it is read once.
 */
export function queryReader<S extends z.ZodType>(
  schema: S,
): (c: HttpContext) => Result<z.output<S>, Refusal> {
  const known = new Map<string, Result<z.output<S>, never>>()
  return (c) => {
    const text = QUERY.exec(c.req.url)?.[1] ?? ''
    const before = known.get(text)
    if (before) return before
    const read = readGiven(schema, c.req.query())
    if (!read.ok) return fail({ code: 'INVALID_INPUT', message: read.failure })
    if (text.length > LONGEST_KEPT) return read
    if (known.size >= MOST_KEPT) known.clear()
    known.set(text, read)
    return read
  }
}

/** As Hono finds it: what comes after a # is none. */
const QUERY = /^[^?#]*(\?[^#]*)?/
