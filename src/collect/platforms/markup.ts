import { type Handler, Parser } from 'htmlparser2'

// Pages nest some dozens deep. Each closing tag is searched for among the open ones, so that a page of nothing but
// opening tags, then of others' closing tags, would take the square of its length.
const MAX_DEPTH = 2_000
const STEP = 16_384

type Markup = Pick<Handler, 'onopentag' | 'ontext' | 'onclosetag'>

/** Reads a document piece by piece. One that nests absurdly deep ends there, as if it had been cut off. */
export function readMarkup(
  source: string,
  { onopentag, ontext, onclosetag }: Markup,
  { xmlMode = false }: { readonly xmlMode?: boolean } = {},
): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes, isImplied) {
        depth++
        onopentag?.(name, attributes, isImplied)
      },
      ontext: (text) => ontext?.(text),
      onclosetag(name, isImplied) {
        depth--
        onclosetag?.(name, isImplied)
      },
    },
    { xmlMode, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  for (let at = 0; at < source.length && depth < MAX_DEPTH; at += STEP) {
    parser.write(source.slice(at, at + STEP))
  }
  // XML that is cut off stays open: what is not whole is not told.
  if (!xmlMode) parser.end()
}
