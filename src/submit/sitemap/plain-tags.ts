/** An entry's tags as one document writes them. */
export interface PlainTags {
  readonly open: Word
  readonly close: Word
  readonly locOpen: Word
  readonly locClose: Word
  readonly dateOpen: Word
  readonly dateClose: Word
  /** Without its end: with attributes it still is a date. */
  readonly dateStart: Word
  /** Occurs in no document. */
  readonly nothing: Word
}

/** ASCII to be compared four bytes at a time; the last four may overlap the ones before. */
export interface Word {
  readonly fours: Int32Array
  readonly length: number
}

function wordOf(text: string): Word {
  const bytes = new TextEncoder().encode(text)
  const view = new DataView(bytes.buffer)
  const fours = new Int32Array(Math.ceil(bytes.length / 4))
  for (let i = 0; i < fours.length; i++) {
    fours[i] = view.getInt32(Math.min(i * 4, bytes.length - 4), true)
  }
  return { fours, length: bytes.length }
}

/** Names with the prefix that the document gives them. */
export function plainTags(entry: string, loc: string, date: string): PlainTags {
  return {
    open: wordOf(`<${entry}>`),
    close: wordOf(`</${entry}>`),
    locOpen: wordOf(`<${loc}>`),
    locClose: wordOf(`</${loc}>`),
    dateOpen: wordOf(`<${date}>`),
    dateClose: wordOf(`</${date}>`),
    dateStart: wordOf(`<${date}`),
    nothing: wordOf('\0\0\0\0'),
  }
}

export function isAt(view: DataView, at: number, { fours, length }: Word): boolean {
  const last = fours.length - 1
  for (let i = 0; i < last; i++) {
    if (view.getInt32(at + i * 4, true) !== fours[i]) return false
  }
  return view.getInt32(at + length - 4, true) === fours[last]
}
