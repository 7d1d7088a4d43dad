/** So many statements in a row do not look back. */
const MOST_WITHOUT_LOOKING_BACK = 64

/** Where a statement begins to look for what is pending. */
export interface FromFloor {
  /** The least position. */
  readonly from: number
  readonly round: number
}

/**
 * Where claims begin to look for what is pending. What was claimed stays in the index until the database cleans up: while
 * claims follow each other closely they do not walk over it again, which would cost more with every claim. What came
 * back behind them, or was added by a transaction that ended late, is found after a rest, after so many statements, or
 * when there is nothing ahead.
 */
export class ClaimFloor {
  #from = 0
  #asked = 0
  #round = 0

  /** For one more statement. */
  next(): FromFloor {
    if (++this.#asked > MOST_WITHOUT_LOOKING_BACK) this.reset()
    return { from: this.#from, round: this.#round }
  }

  /** Only for what was asked since the last look back: else one that was sent before would end it. */
  raise({ round }: FromFloor, claimed: readonly { readonly position: number }[]): void {
    if (round !== this.#round) return
    for (const { position } of claimed) this.#from = Math.max(this.#from, position + 1)
  }

  reset(): void {
    this.#from = 0
    this.#asked = 0
    this.#round++
  }
}
