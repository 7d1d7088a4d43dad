import type { EN } from './en.ts'

/** The same entries with other words: one that is missing or too many does not compile. */
type Translated<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer Given) => infer Said
    ? (...given: Given) => Said extends string ? string : Said
    : T[K] extends string
      ? string
      : Translated<T[K]>
}

export type Words = Translated<typeof EN>
