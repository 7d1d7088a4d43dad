import { BANG, GREATER, LESS, NEWLINE } from './window.ts'

/**
 * A stretch of a document between two things that are read: tags, blanks and texts of no interest. Most entries are
 * written alike, so that one which was understood is known again by its bytes, several times faster than by its tags.
 */
export interface Stretch {
  readonly length: number
  /** How many lines end in it. */
  readonly lines: number
  /** Its bytes four at a time, the last four perhaps overlapping; and which of their bits must be the same. */
  readonly fours: Int32Array
  readonly masks: Int32Array
  /** Where texts stand, which may be others as long as they are texts. */
  readonly texts: Uint16Array
}

/** Those that stand in one place of an entry. */
export interface Stretches {
  readonly known: Stretch[]
  /** Looking costs a little; where it hardly ever helps, it is given up. */
  credit: number
}

const MOST_CREDIT = 64
const GAIN = 4
const LOSS = -1

export const noStretches = (): Stretches => ({ known: [], credit: MOST_CREDIT })

/** Longer ones hardly come again. */
const LONGEST_STRETCH = 256

/** The common ones are among a document's first. None is forgotten: a varied document must not learn for ever. */
const MOST_STRETCHES = 8

export function learn(
  { known, credit }: Stretches,
  bytes: Uint8Array,
  from: number,
  to: number,
): void {
  const isWorthIt = credit > 0 && known.length < MOST_STRETCHES && to - from <= LONGEST_STRETCH
  if (!isWorthIt) return
  const stretch = bytes.slice(from, to)
  if (!hasDeclaration(stretch)) known.push(stretchOf(stretch))
}

export function stretchOf(bytes: Uint8Array): Stretch {
  const texts = textsIn(bytes)
  const wanted = new Uint8Array(bytes.length).fill(0xff)
  for (const at of texts) wanted[at] = 0
  return {
    length: bytes.length,
    lines: bytes.filter((byte) => byte === NEWLINE).length,
    fours: foursOf(bytes),
    masks: foursOf(wanted),
    texts,
  }
}

/** The known stretch that stands at `at`. Each time one is met it moves forward, the common ones to the front. */
export function knownAt(view: DataView, at: number, stretches: Stretches): Stretch | undefined {
  if (stretches.credit === 0) return undefined
  const { known } = stretches
  let i = 0
  while (i < known.length && !isAt(view, at, known[i] as Stretch)) i++
  const found = known[i]
  stretches.credit = Math.min(stretches.credit + (found ? GAIN : LOSS), MOST_CREDIT)
  if (found && i > 0) {
    known[i] = known[i - 1] as Stretch
    known[i - 1] = found
  }
  return found
}

export function isAt(view: DataView, at: number, stretch: Stretch): boolean {
  const { fours, masks, length, texts } = stretch
  const last = fours.length - 1
  for (let i = 0; i < last; i++) {
    const different = view.getInt32(at + i * 4, true) ^ (fours[i] as number)
    if ((different & (masks[i] as number)) !== 0) return false
  }
  const different = view.getInt32(at + length - 4, true) ^ (fours[last] as number)
  if ((different & (masks[last] as number)) !== 0) return false
  return texts.length === 0 || areTexts(view, at, texts)
}

function areTexts(view: DataView, at: number, texts: Uint16Array): boolean {
  for (let i = 0; i < texts.length; i++) {
    if (!isText(view.getUint8(at + (texts[i] as number)))) return false
  }
  return true
}

/** Neither markup nor a blank, which may be the end of a line. */
function isText(byte: number): boolean {
  return byte > 0x20 && byte !== LESS && byte !== GREATER
}

function textsIn(bytes: Uint8Array): Uint16Array {
  const texts: number[] = []
  let isInTag = false
  for (const [at, byte] of bytes.entries()) {
    if (byte === LESS) isInTag = true
    else if (byte === GREATER) isInTag = false
    else if (!isInTag && isText(byte)) texts.push(at)
  }
  return Uint16Array.from(texts)
}

/** Comments and sections hide what looks like markup. */
function hasDeclaration(bytes: Uint8Array): boolean {
  return bytes.some((byte, at) => byte === LESS && bytes[at + 1] === BANG)
}

function foursOf(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer)
  return Int32Array.from({ length: Math.ceil(bytes.length / 4) }, (_, i) =>
    view.getInt32(Math.min(i * 4, bytes.length - 4), true),
  )
}
