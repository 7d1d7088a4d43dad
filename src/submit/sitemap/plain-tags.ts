import { noStretches, type Stretch, type Stretches, stretchOf } from './stretch.ts'

/** An entry's tags as one document writes them. */
export interface PlainTags {
  readonly open: Stretch
  readonly close: Stretch
  readonly locOpen: Stretch
  readonly locClose: Stretch
  readonly dateOpen: Stretch
  readonly dateClose: Stretch
  /** Without its end: with attributes it still is a date. */
  readonly dateStart: Stretch
  /** Occurs in no document. */
  readonly nothing: Stretch
  /** What was found between them, to be known again. */
  readonly layout: Layout
}

interface Layout {
  /** From the end of an entry to the next one's address. */
  readonly openings: Stretches
  /** From the address to the date. */
  readonly middles: Stretches
  /** From the date to the end of the entry, or from the address where there is no date. */
  readonly datedEndings: Stretches
  readonly undatedEndings: Stretches
}

/** Names with the prefix that the document gives them. */
export function plainTags(entry: string, loc: string, date: string): PlainTags {
  const encoder = new TextEncoder()
  const stretch = (text: string) => stretchOf(encoder.encode(text))
  return {
    open: stretch(`<${entry}>`),
    close: stretch(`</${entry}>`),
    locOpen: stretch(`<${loc}>`),
    locClose: stretch(`</${loc}>`),
    dateOpen: stretch(`<${date}>`),
    dateClose: stretch(`</${date}>`),
    dateStart: stretch(`<${date}`),
    nothing: stretch('\0\0\0\0'),
    layout: {
      openings: noStretches(),
      middles: noStretches(),
      datedEndings: noStretches(),
      undatedEndings: noStretches(),
    },
  }
}
