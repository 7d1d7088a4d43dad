export type SitemapFormat = 'urlset' | 'sitemapindex' | 'rss' | 'atom' | 'text'

/** Where a format keeps what we look for, by local names. */
export interface Shape {
  readonly format: SitemapFormat
  readonly entry: string
  readonly loc: string
  /** The address is an attribute of `loc`, not its text. */
  readonly isLocAttribute: boolean
  /** The best first. */
  readonly dates: readonly string[]
  /** An element around the entries, below the root. */
  readonly container: string
  /** What its namespace looks like: other prefixes bound to it are as good as the root's. */
  readonly namespace: RegExp
}

const SITEMAP = {
  loc: 'loc',
  isLocAttribute: false,
  dates: ['lastmod'],
  container: '',
  namespace: /schemas\/sitemap\/\d/,
} as const

const RSS = {
  format: 'rss',
  entry: 'item',
  loc: 'link',
  isLocAttribute: false,
  dates: ['pubDate', 'dc:date'],
  container: 'channel',
  namespace: /purl\.org\/rss\/1\.0/,
} as const

/** By the root's local name. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['urlset', { ...SITEMAP, format: 'urlset', entry: 'url' }],
  ['sitemapindex', { ...SITEMAP, format: 'sitemapindex', entry: 'sitemap' }],
  ['rss', RSS],
  ['RDF', RSS],
  [
    'feed',
    {
      format: 'atom',
      entry: 'entry',
      loc: 'link',
      isLocAttribute: true,
      dates: ['updated', 'published'],
      container: '',
      namespace: /w3\.org\/2005\/Atom/,
    },
  ],
])

export const TEXT_SHAPE: Shape = {
  format: 'text',
  entry: '',
  loc: '',
  isLocAttribute: false,
  dates: [],
  container: '',
  namespace: /^$/,
}

export const shapeOf = (rootName: string) => SHAPES.get(localName(rootName))

const HTML = /^(?:html|head|body|title|meta|link|script|style|div|p|br|b|h1|center|table)$/i

export const isHtmlName = (name: string) => HTML.test(name)

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')))
}

/**
 * The prefixes whose elements belong to the format: the root's own, whatever it is bound to, since namespaces are often
 * wrong or missing; any other that is bound to the same; and none, unless bound to something else.
 */
export function ownPrefixes(
  rootTag: string,
  rootName: string,
  { namespace }: Shape,
): ReadonlySet<string> {
  const bindings = bindingsOf(rootTag)
  const own = new Set([prefixOf(rootName)])
  const rootUri = bindings.get(prefixOf(rootName))
  if (!bindings.has('')) own.add('')
  for (const [prefix, uri] of bindings) {
    if (uri === rootUri || uri === '' || namespace.test(uri)) own.add(prefix)
  }
  return own
}

/** An element's name within the format: local when it belongs to it, with its prefix when it does not. */
export function nameWithin(
  own: ReadonlySet<string>,
  name: string,
  tag: string,
  { namespace }: Shape,
): string {
  const prefix = prefixOf(name)
  const local = localName(name)
  if (tag.includes('xmlns')) {
    const uri = bindingsOf(tag).get(prefix)
    if (uri !== undefined) return uri === '' || namespace.test(uri) ? local : `{${uri}}${local}`
  }
  return own.has(prefix) ? local : name
}

const BINDING = /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g

function bindingsOf(tag: string): Map<string, string> {
  const bindings = new Map<string, string>()
  for (const [, prefix = '', double, single] of tag.matchAll(BINDING)) {
    bindings.set(prefix, double ?? single ?? '')
  }
  return bindings
}

/** The value of an attribute as it is written, or undefined. */
export function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return found?.[1] ?? found?.[2]
}
