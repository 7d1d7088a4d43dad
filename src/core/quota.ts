/** What a day's allowance looks like before a batch is taken from it. */
export interface QuotaState {
  readonly used: number
  readonly limit: number
  /** The other side said that nothing more will be taken today, whatever we counted. */
  readonly closed: boolean
}

export function quotaRemaining({ used, limit, closed }: QuotaState): number {
  return closed ? 0 : Math.max(0, limit - used)
}

/** How many of `wanted` may be spent now. */
export function quotaGrant(state: QuotaState, wanted: number): number {
  return Math.min(wanted, quotaRemaining(state))
}
