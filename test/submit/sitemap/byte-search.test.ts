import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countNewlines, nextBracket } from '../../../src/submit/sitemap/byte-search.ts'

/** What is sought, what differs from it in one bit or by one, and what carries or borrows in a sum of bytes. */
const TRICKY = [
  0x3c, 0x3e, 0x0a, 0x3b, 0x3d, 0x3f, 0xbc, 0xbe, 0x8a, 0x0b, 0x09, 0, 1, 0x7f, 0x80, 0xff,
]

const byte = fc.oneof(fc.constantFrom(...TRICKY), fc.integer({ min: 0, max: 0xff }))
const stretchOfBytes = fc
  .array(byte, { maxLength: 40 })
  .chain((bytes) => fc.tuple(fc.constant(bytes), between(0, bytes.length)))
  .chain(([bytes, from]) =>
    fc.tuple(fc.constant(bytes), fc.constant(from), between(from, bytes.length)),
  )

function between(min: number, max: number) {
  return fc.integer({ min, max })
}

/** Behind the bytes there is room, and what stands there is what is sought. */
function viewOf(bytes: readonly number[], behind: number): DataView {
  return new DataView(Uint8Array.from([...bytes, behind, behind, behind, behind]).buffer)
}

it('S01: the next bracket is found wherever it stands, whatever stands around it', () => {
  fc.assert(
    fc.property(stretchOfBytes, ([bytes, from, end]) => {
      const found = nextBracket(viewOf(bytes, 0x3c), from, end)

      const first = bytes.slice(from, end).findIndex((code) => code === 0x3c || code === 0x3e)
      expect(Math.min(found, end)).toBe(first < 0 ? end : from + first)
    }),
    { numRuns: 2_000 },
  )
})

it('S01: every line end between two places is counted, and no other', () => {
  fc.assert(
    fc.property(stretchOfBytes, ([bytes, from, to]) => {
      const counted = countNewlines(viewOf(bytes, 0x0a), from, to)

      expect(counted).toBe(bytes.slice(from, to).filter((code) => code === 0x0a).length)
    }),
    { numRuns: 2_000 },
  )
})
