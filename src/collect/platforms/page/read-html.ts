import { MAX_TEXT_LENGTH } from '../limits.ts'
import { tidyLines } from '../html-text.ts'
import { readMarkup } from '../markup.ts'

/** What a page says of itself. */
export interface PageFacts {
  /** By lower-case name or property; the first one counts, except for images and tags. */
  readonly meta: ReadonlyMap<string, readonly string[]>
  readonly canonical: string | undefined
  readonly base: string | undefined
  readonly title: string
  /** The texts of `application/ld+json`. */
  readonly linkedData: readonly string[]
  /** What stands in paragraphs inside of `article` or `main`. */
  readonly article: string
}

const MAX_PER_NAME = 100
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg'])
const TEXT_BLOCKS = new Set(['p', 'h2', 'h3', 'li', 'blockquote', 'pre'])

/** Reads a page once, from its first tag to its last, and keeps only what a note is made of. */
export function readHtml(html: string): PageFacts {
  const meta = new Map<string, string[]>()
  const linkedData: string[] = []
  const title: string[] = []
  const article: string[] = []
  let canonical: string | undefined
  let base: string | undefined
  let into: string[] | undefined
  let script: string[] | undefined
  let inArticle = 0
  let inBlock = 0
  let silent = 0
  let articleLength = 0

  const opened: Record<string, (attributes: Record<string, string>) => void> = {
    meta({ name, property, itemprop, content }) {
      const key = (property ?? name ?? itemprop)?.trim().toLowerCase()
      if (key === undefined || content === undefined || content.trim() === '') return
      const values = meta.get(key) ?? []
      if (values.length < MAX_PER_NAME) meta.set(key, [...values, content.trim()])
    },
    link({ rel, href }) {
      const isCanonical = rel?.toLowerCase().split(/\s+/).includes('canonical')
      if (isCanonical) canonical ??= href
    },
    base({ href }) {
      base ??= href
    },
    title() {
      if (title.length === 0) into = title
    },
    script({ type }) {
      if (type?.trim().toLowerCase() === 'application/ld+json') into = script = []
    },
  }

  readMarkup(html, {
    onopentag(name, attributes) {
      if (Object.hasOwn(opened, name)) opened[name]?.(attributes)
      if (name === 'article' || name === 'main') inArticle++
      if (TEXT_BLOCKS.has(name)) inBlock++
      if (SILENT.has(name)) silent++
      if (TEXT_BLOCKS.has(name) || name === 'br') article.push('\n')
    },
    ontext(text) {
      into?.push(text)
      const isShown = !into && silent === 0 && inArticle > 0 && inBlock > 0
      if (!isShown || articleLength > MAX_TEXT_LENGTH) return
      articleLength += text.length
      article.push(text.replace(/[\t\r\n]/g, ' '))
    },
    onclosetag(name) {
      if (name === 'article' || name === 'main') inArticle--
      if (TEXT_BLOCKS.has(name)) inBlock--
      if (SILENT.has(name)) silent--
      if (name === 'title' || name === 'script') into = undefined
      if (name === 'script' && script) linkedData.push(script.join(''))
      if (name === 'script') script = undefined
    },
  })
  return {
    meta,
    canonical,
    base,
    title: tidyLines(title.join('')).replaceAll('\n', ' '),
    linkedData,
    article: tidyLines(article.join('')),
  }
}
