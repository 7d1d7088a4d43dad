/** Everything outside of the Worker, for tests that run inside of it: `shop.test` with its files, and an engine. */
const FILES = 4
const PAGES = 3_000

const received = new Map<string, number>()

const page = (n: number) => `https://shop.test/p/${n}`

function fileOf(n: number): string {
  const urls = Array.from(
    { length: PAGES },
    (_, at) => `<url><loc>${page(n * PAGES + at)}</loc></url>`,
  )
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}

function indexOfFiles(): string {
  const files = Array.from(
    { length: FILES },
    (_, n) => `<sitemap><loc>https://shop.test/${n}.xml</loc></sitemap>`,
  )
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${files.join('')}</sitemapindex>`
}

/** What `GET https://engine.test/received` tells. */
export interface Received {
  readonly urls: number
  /** Taken more than once. */
  readonly again: number
}

export async function answerOutside(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url)
  if (host === 'engine.test') return answerAsEngine(request, pathname)
  if (pathname === '/sitemap.xml') return new Response(indexOfFiles())
  const file = /^\/(\d)\.xml$/.exec(pathname)?.[1]
  if (file !== undefined) return new Response(fileOf(Number(file)))
  return new Response('Not found', { status: 404 })
}

async function answerAsEngine(request: Request, pathname: string): Promise<Response> {
  if (pathname === '/received') {
    const again = [...received.values()].filter((count) => count > 1).length
    return Response.json({ urls: received.size, again } satisfies Received)
  }
  const { urlList } = (await request.json()) as { readonly urlList: readonly string[] }
  for (const url of urlList) received.set(url, (received.get(url) ?? 0) + 1)
  return new Response('')
}
