/** A number with how it is written in the language. */
export interface Count {
  readonly count: number
  readonly shown: string
}
