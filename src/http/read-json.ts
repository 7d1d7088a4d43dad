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
  if (nestsDeeper(json.value, MAX_DEPTH)) {
    return fail(invalid(`The body nests more than ${MAX_DEPTH} deep. Send it flatter.`))
  }
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

/** Schemas and stores go down as deep as a document does, and have an end. */
const MAX_DEPTH = 100

function nestsDeeper(document: unknown, depth: number): boolean {
  let level: readonly object[] = [document].filter(isNested)
  for (let at = 0; level.length > 0; at++) {
    if (at === depth) return true
    level = level.flatMap((value) => Object.values(value).filter(isNested))
  }
  return false
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

const invalid = (message: string): Refusal => ({ code: 'INVALID_INPUT', message })
