import { InvalidArgumentError } from 'commander'

/** For an option that takes a whole number; how large it may be, the API says. */
export function wholeNumber(typed: string): string {
  if (!/^-?\d{1,15}$/.test(typed)) throw new InvalidArgumentError('It should be a whole number.')
  return typed
}
