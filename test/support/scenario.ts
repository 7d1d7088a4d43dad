import { it } from 'vitest'

/** A test of one line of the specification; its id stands first, so that `npm run spec` finds it. */
export function scenario(
  id: string,
  meaning: string,
  body: () => Promise<void> | void,
  timeoutMs?: number,
) {
  it(`${id} — ${meaning}`, body, timeoutMs)
}
