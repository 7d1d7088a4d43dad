import type { z } from 'zod'
import { fail, ok, type Result } from '../core/result.ts'
import type { Refusal } from './envelope.ts'
import type { HttpContext } from './http-env.ts'

/** The body as `schema` reads it, or a refusal that names each wrong field. */
export async function readJson<T>(
  c: HttpContext,
  schema: z.ZodType<T>,
): Promise<Result<T, Refusal>> {
  const text = await c.req.text()
  if (text.trim() === '') return fail(invalid('The body is empty. Send a JSON document.'))
  const json = parseJson(text)
  if (!json.ok) return fail(invalid('The body is not valid JSON. Check its quotes and commas.'))
  const read = schema.safeParse(json.value)
  return read.success ? ok(read.data) : fail(invalid(describeIssues(read.error)))
}

function parseJson(text: string): Result<unknown, 'not-json'> {
  try {
    return ok(JSON.parse(text))
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    return fail('not-json')
  }
}

/** Each wrong field by its name. */
export function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ')
}

const invalid = (message: string): Refusal => ({ code: 'INVALID_INPUT', message })
