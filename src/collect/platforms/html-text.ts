import { readMarkup } from './markup.ts'

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'svg', 'iframe'])
const ENDS_LINE = new Set(
  'address article aside blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tr ul'.split(
    ' ',
  ),
)

export interface HtmlText {
  readonly text: string
  /** The addresses of its images, as written. */
  readonly images: readonly string[]
}

/** What a piece of HTML says, a line per block. Smileys are images whose `alt` is what they say: `[笑]`. */
export function readHtmlText(html: string): HtmlText {
  const parts: string[] = []
  const images: string[] = []
  let silent = 0
  readMarkup(html, {
    onopentag(name, { src, alt }) {
      if (SILENT.has(name)) silent++
      if (silent > 0) return
      if (ENDS_LINE.has(name)) parts.push('\n')
      if (name !== 'img') return
      if (alt !== undefined && /^\[.{1,20}\]$/.test(alt)) parts.push(alt)
      else if (src) images.push(src)
    },
    ontext: (text) => void (silent === 0 && parts.push(text.replace(/[\t\r\n]/g, ' '))),
    onclosetag(name) {
      if (SILENT.has(name)) silent = Math.max(0, silent - 1)
      // `<br>` has broken the line already.
      else if (silent === 0 && ENDS_LINE.has(name) && name !== 'br') parts.push('\n')
    },
  })
  return { text: tidyLines(parts.join('')), images }
}

/** Lines without blanks around them, no more than one empty line in a row. */
export function tidyLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r]/).map((line) => line.replace(/[\t ]{2,}/g, ' ').trim())
  const kept = lines.filter((line, n) => line !== '' || (n > 0 && lines[n - 1] !== ''))
  return kept.join('\n').trim()
}
