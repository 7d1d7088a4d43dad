import { candidateKeyOf } from '../candidate-key.ts'
import type { NoteKey } from '../candidate-store.ts'

export interface DistinctNotes<Item> {
  readonly distinct: readonly Item[]
  /** Where the note of `items[index]` stands among them, and whether it was named there first. */
  placeOf(index: number): { readonly place: number; readonly isFirst: boolean }
}

/** Each note once, as one statement wants them; what is named again is answered by its first. */
export function distinctNotes<Item extends NoteKey>(items: readonly Item[]): DistinctNotes<Item> {
  const places = new Map<string, number>()
  const distinct: Item[] = []
  const answers = items.map((item) => {
    const key = candidateKeyOf(item)
    const known = places.get(key)
    if (known !== undefined) return { place: known, isFirst: false }
    places.set(key, distinct.length)
    return { place: distinct.push(item) - 1, isFirst: true }
  })
  return { distinct, placeOf: (index) => answers[index] ?? { place: -1, isFirst: true } }
}
