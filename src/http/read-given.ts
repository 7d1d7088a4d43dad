import { z } from 'zod'
import { nearestName } from '../core/nearest-name.ts'
import { redactText } from '../core/redact.ts'
import { fail, ok, type Result } from '../core/result.ts'

/**
 * What was given as `schema` reads it, or sentences that name each wrong field and what it should be.
 * An error of a schema is what its field should be: `z.array(z.string(), 'a list of URLs')`.
 */
export function readGiven<S extends z.ZodType>(
  schema: S,
  given: unknown,
): Result<z.output<S>, string> {
  const read = schema.safeParse(given, { error: shouldBe })
  return read.success ? ok(read.data) : fail(sentences(read.error.issues, given).join(' '))
}

type Issue = z.core.$ZodIssue

function sentences(issues: readonly Issue[], given: unknown): string[] {
  const byField = new Map(issues.map((issue) => [issue.path.join('.') + issue.code, issue]))
  return [...byField.values()].map((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.message
    const value = issue.path.reduce<unknown>(
      (around, part) => (around as Readonly<Record<PropertyKey, unknown>> | undefined)?.[part],
      given,
    )
    return `${nameOf(issue)} ${complaint(issue, value)}: it should be ${issue.message}.`
  })
}

function nameOf({ path }: Issue): string {
  const [field, ...inside] = path
  if (field === undefined) return 'The body'
  return [String(field), ...inside.map((part) => `[${String(part)}]`)].join('')
}

/** A text may be a secret: its value is only shown where a number or one of some words was asked for. */
function complaint(issue: Issue, value: unknown): string {
  if (value === undefined) return 'is missing'
  if (value === '' || (issue.code === 'too_small' && sizeOf(value) === 0)) return 'is empty'
  if (wantsNumber(issue) || issue.code === 'invalid_value') return `is ${shown(value)}`
  if (issue.code === 'invalid_type') return `is ${kindOf(value)}`
  if (issue.code === 'too_big') return 'is too long'
  if (issue.code === 'too_small') return 'is too short'
  return 'is not usable'
}

function wantsNumber(issue: Issue): boolean {
  if (issue.code === 'invalid_type') return issue.expected === 'number' || issue.expected === 'int'
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    return issue.origin === 'number' || issue.origin === 'int'
  }
  return false
}

const sizeOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined)

function kindOf(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  return { string: 'text', number: 'a number' }[typeof value as string] ?? 'an object'
}

function shown(value: unknown): string {
  const text = redactText(JSON.stringify(value))
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
}

/** What holds where a schema has no words of its own. */
function shouldBe(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    return EXPECTED[issue.expected] ?? `of the kind ${issue.expected}`
  }
  if (issue.code === 'invalid_value') return alternatives(issue.values.map(String))
  if (issue.code === 'too_small') return `at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`
  if (issue.code === 'too_big') return `at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownName(key, namesIn(issue.inst))).join(' ')
  }
  return 'something else: GET /openapi.json describes it'
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known)
  if (meant) return `${shown(name)} is not known here. Did you mean ${meant}?`
  const others = known.length === 0 ? 'Nothing is' : `Known are ${known.join(', ')}`
  return `${shown(name)} is not known here. ${others}: leave it out.`
}

function namesIn(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}
