import { text } from 'node:stream/consumers'
import type { z } from 'zod'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { SITE_SCHEMA } from '../../../../submit/site-settings.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT } from '../../exit-codes.ts'

/** `field=value` words as the fields of the API. What a value may be, the API says. */
export async function readFields(
  given: readonly (string | undefined)[],
): Promise<Result<Readonly<Record<string, unknown>>, Complaint>> {
  const fields: Record<string, unknown> = {}
  for (const word of given) {
    const [, name, value] = /^(\w+)=([^]*)$/.exec(word ?? '') ?? []
    if (name === undefined || value === undefined) {
      return fail({
        exit: EXIT.wrongUse,
        code: 'bad-field',
        // Not the word itself: it may be a secret whose name was forgotten.
        what: 'A setting is given as field=value.',
        advice: 'Such as submitMode=post; `sluice sites show` has the names.',
      })
    }
    fields[name] = valueOf(name, value === '-' ? (await text(process.stdin)).trim() : value)
  }
  return ok(fields)
}

/** As the field takes it: as it stands, as JSON, or as a list with commas. */
function valueOf(name: string, written: string): unknown {
  if (written === '') return null
  const schema = (SITE_SCHEMA.shape as Readonly<Record<string, z.ZodType>>)[name]
  const readings = [written, jsonOf(written), written.split(',')]
  const isRight = (reading: unknown) => reading !== undefined && schema?.safeParse(reading).success
  return readings.find(isRight) ?? written
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}
