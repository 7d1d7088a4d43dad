import type { z } from 'zod'
import { fail, ok, type Result } from '../core/result.ts'
import type { Refusal } from './envelope.ts'
import type { HttpContext } from './http-env.ts'
import { readGiven } from './read-given.ts'

/** The body as `schema` reads it, or a refusal that names each wrong field. */
export async function readJson<T>(
  c: HttpContext,
  schema: z.ZodType<T>,
): Promise<Result<T, Refusal>> {
  const text = await c.req.text()
  if (text.trim() === '') return fail(invalid('The body is empty. Send a JSON document.'))
  const json = parseJson(text)
  if (!json.ok) return fail(invalid('The body is not valid JSON. Check its quotes and commas.'))
  const read = readGiven(schema, json.value)
  return read.ok ? read : fail(invalid(read.failure))
}

function parseJson(text: string): Result<unknown, 'not-json'> {
  try {
    return ok(JSON.parse(text))
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    return fail('not-json')
  }
}

const invalid = (message: string): Refusal => ({ code: 'INVALID_INPUT', message })
