import { type z } from 'zod'
import { Refused } from './codes.ts'

/** A body of the shape that a call asks for. Throws `Refused`: not JSON at all, or a field amiss, which is named. */
export function readBody<Shape extends z.ZodType>(shape: Shape, body: string): z.infer<Shape> {
  const parsed = shape.safeParse(jsonOf(body))
  if (parsed.success) return parsed.data
  throw new Refused(99992402, parsed.error.issues[0]?.path.join('.') || 'body')
}

function jsonOf(body: string): unknown {
  if (body === '') return {}
  try {
    return JSON.parse(body)
  } catch {
    throw new Refused(1254000)
  }
}
