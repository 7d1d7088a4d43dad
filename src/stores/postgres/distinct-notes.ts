import type { NoteKey } from '../candidate-store.ts'

/** Each note once, as one statement wants them; what is named again is answered by its first. */
export function distinctNotes<Item extends NoteKey>(items: readonly Item[]) {
  const places = new Map<string, number>()
  const distinct: Item[] = []
  const answers = items.map((item) => {
    const key = JSON.stringify([item.platform, item.noteId])
    const known = places.get(key)
    if (known !== undefined) return { place: known, isFirst: false }
    places.set(key, distinct.length)
    return { place: distinct.push(item) - 1, isFirst: true }
  })
  return { distinct, placeOf: (index: number) => answers[index] ?? { place: -1, isFirst: true } }
}
