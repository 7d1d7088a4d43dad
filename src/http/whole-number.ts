import { z } from 'zod'

/** A number in a query, which is text. */
export function wholeNumber(from: number, to: number) {
  const error = `a whole number from ${from} to ${to}`
  return z.coerce.number(error).int(error).min(from, error).max(to, error)
}
