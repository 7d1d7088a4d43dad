/** Shorter parts stand everywhere. */
const SHORTEST = 4

/**
 * How much of a phrase stands in these parts of sentences, from 0 to 1: sentences are put together of parts, so that
 * seldom all of it does, but of one that was reworded next to nothing.
 */
export function saidShare(english: string, parts: readonly string[]): number {
  const text = english.replaceAll(/\{\+?\w+\}/g, '\0').toLowerCase()
  const isSaid = new Uint8Array(text.length)
  const mark = (part: string) => {
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      isSaid.fill(1, at, at + part.length)
    }
  }
  const own = text.split('\0').map((part) => part.trim())
  for (const part of parts.map((each) => each.trim().toLowerCase())) {
    if (part.length >= SHORTEST) mark(part)
    for (const fixed of own) if (fixed.length >= SHORTEST && part.includes(fixed)) mark(fixed)
  }
  const letters = [...text.matchAll(/[a-z]/g)]
  return letters.filter(({ index }) => isSaid[index] === 1).length / letters.length
}
