/** Closely following each other, so many claims do not look back. */
const MOST_AHEAD = 64

/**
 * Where claims begin to look for what is pending. What was claimed stays in the index until the database cleans up: while
 * claims follow each other closely they do not walk over it again, which would cost more with every claim. What came
 * back behind them is found after a rest, after MOST_AHEAD, or when there is nothing ahead.
 */
export class ClaimFloor {
  #position = 0
  #asked = 0

  /** For one more claim. */
  next(): number {
    if (++this.#asked > MOST_AHEAD) this.reset()
    return this.#position
  }

  raise(claimed: readonly { readonly position: number }[]): void {
    for (const { position } of claimed) this.#position = Math.max(this.#position, position + 1)
  }

  reset(): void {
    this.#position = 0
    this.#asked = 0
  }
}
