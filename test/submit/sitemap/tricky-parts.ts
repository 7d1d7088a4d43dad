export interface TrickyDocument {
  readonly name: string
  readonly document: string | Uint8Array
  readonly format?: string
  readonly entries: readonly (readonly [loc: string, lastmod: number])[]
  readonly dropped?: readonly (readonly [reason: string, value: string])[]
  readonly end?: { readonly kind: string } & Readonly<Record<string, string | number>>
}

export const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
export const urlset = (inner: string, attributes = NS) => `<urlset ${attributes}>${inner}</urlset>`
export const A = 'https://a.example/'
