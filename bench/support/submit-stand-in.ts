/** Runs in a process of its own: the site's sitemap files, from memory, and an engine that only counts. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SiteDay, sitemapFiles } from './submit-documents.ts'

export interface EngineCounts {
  readonly requests: number
  readonly urls: number
  /** From the first request's arrival to the last one's answer. */
  readonly ms: number
}

const [count = '0', day = '1', port = '0'] = process.argv.slice(2)
const files = sitemapFiles({ count: Number(count), day: Number(day) as SiteDay['day'] })
let requests = 0
let urls = 0
let firstAt = 0
let lastAt = 0

const server = createServer((request, response) => {
  void answer(request).then((body) => response.end(body))
})

async function answer(request: IncomingMessage): Promise<Buffer | string> {
  const url = request.url ?? ''
  if (url.startsWith('/indexnow')) return countRequest(request)
  const file = /^\/part-(\d+)\.xml\.gz$/.exec(url)?.[1]
  return file === undefined ? index(request.headers.host ?? '') : (files[Number(file)] ?? '')
}

function index(host: string): string {
  const parts = files.map((_, n) => `<sitemap><loc>http://${host}/part-${n}.xml.gz</loc></sitemap>`)
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${parts.join('')}</sitemapindex>`
}

async function countRequest(request: IncomingMessage): Promise<string> {
  if (requests++ === 0) firstAt = performance.now()
  if (request.method === 'GET') urls++
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  urls += occurrences(Buffer.concat(chunks), '.html"')
  lastAt = performance.now()
  return ''
}

/** Counted where they lie: to parse the body would take time from what is measured. */
function occurrences(bytes: Buffer, text: string): number {
  let found = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found++
  return found
}

process.on('message', () => {
  process.send?.({ requests, urls, ms: lastAt - firstAt } satisfies EngineCounts)
})
process.on('disconnect', () => process.exit(0))
server.listen(Number(port), '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
)
