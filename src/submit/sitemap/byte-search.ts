/**
 * Searches bytes four at a time: where most are not what is sought, one look tells so of all four. Several times faster
 * than one by one, and than making a text of them to search in. Behind what is searched there must be room for three.
 */

const ONES = 0x01010101
const LOW_BITS = 0x7f7f7f7f
const HIGH_BITS = 0x80808080 | 0

/** The two differ in one bit only: with it, both are a `>`. */
const BRACKETS = 0x3e3e3e3e
const BIT_BETWEEN = 0x02020202

/** Where the first `<` or `>` stands at or after `from`; `end` or more where there is none before it. */
export function nextBracket(view: DataView, from: number, end: number): number {
  for (let at = from; at < end; at += 4) {
    const others = (view.getInt32(at, true) | BIT_BETWEEN) ^ BRACKETS
    // What is zero borrows from its high bit. Only what lies behind the first may be taken for one by mistake.
    const found = (others - ONES) & ~others & HIGH_BITS
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >>> 3)
  }
  return end
}

const NEWLINES = 0x0a0a0a0a

/** How many lines end between the two. */
export function countNewlines(view: DataView, from: number, to: number): number {
  let count = 0
  let at = from
  for (; at <= to - 4; at += 4) count += newlinesIn(view.getInt32(at, true))
  const wanted = ~(-1 << (8 * (to - at)))
  return count + newlinesIn(view.getInt32(at, true) & wanted)
}

function newlinesIn(four: number): number {
  const others = four ^ NEWLINES
  // Of a byte that is zero, and of no other, the high bit stays as it is. The product adds up all four in its top byte.
  const found = ~(((others & LOW_BITS) + LOW_BITS) | others) & HIGH_BITS
  return Math.imul(found >>> 7, ONES) >>> 24
}
