const LAST_SECOND = 2 ** 32 - 1 // in the year 2106

/** A time as the ledger keeps it: whole seconds since the epoch. None, or one it cannot keep, is 0. */
export function ledgerSeconds(epochMs: number | undefined): number {
  const seconds = Math.floor((epochMs ?? 0) / 1_000)
  return seconds >= 0 && seconds <= LAST_SECOND ? seconds : 0
}
