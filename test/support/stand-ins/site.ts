import type { Clock } from '../../../src/core/clock.ts'
import type { Reply } from './faults.ts'
import { openStandIn, type SeenRequest, type StandIn } from './stand-in.ts'

/** A file of a site: what it is, what it is by turns (the last one stays), or what it is to whom. */
export type SiteFile = string | Uint8Array | SiteReply | readonly SiteReply[] | AnswerFile

export type AnswerFile = (request: SeenRequest) => SiteReply

/** A reply, by default 200. One with an `etag` or a `last-modified` answers 304 to who has it already. */
export interface SiteReply extends Partial<Reply> {
  readonly headers?: Readonly<Record<string, string>>
}

export interface SiteStandIn extends StandIn {
  readonly host: string
  readonly url: (path: string) => string
  /** Adds or replaces files. `{origin}` and `{host}` in a text stand for this site's. */
  put(files: Readonly<Record<string, SiteFile>>): void
  remove(path: string): void
  /** The paths asked for, in order. */
  asked(): string[]
}

export interface SiteOptions {
  readonly clock: Clock
  readonly port?: number
  readonly files?: Readonly<Record<string, SiteFile>>
}

/** A web site over real HTTP that serves what it is given, and 404 for the rest. */
export async function openSite({ clock, port, files = {} }: SiteOptions): Promise<SiteStandIn> {
  const held = new Map(Object.entries(files))
  const turns = new Map<string, number>()
  const standIn = await openStandIn({
    clock,
    ...(port !== undefined && { port }),
    decide: (request) => {
      const file = held.get(request.target)
      const turn = turns.get(request.target) ?? 0
      turns.set(request.target, turn + 1)
      const reply =
        file === undefined ? { status: 404, body: 'Not found' } : replyOf(file, request, turn)
      return { reply: finished(reply, request, standIn.origin) }
    },
  })
  const { origin } = standIn
  // A spread would copy the getters' values of now.
  return Object.assign(Object.create(standIn) as StandIn, {
    host: new URL(origin).host,
    url: (path: string) => `${origin}${path}`,
    put(more: Readonly<Record<string, SiteFile>>) {
      for (const [path, file] of Object.entries(more)) {
        held.set(path, file)
        turns.delete(path)
      }
    },
    remove: (path: string) => void held.delete(path),
    asked: () => standIn.requests.map(({ target }) => target),
  })
}

function replyOf(file: SiteFile, request: SeenRequest, turn: number): SiteReply {
  if (typeof file === 'string' || file instanceof Uint8Array) return { body: file }
  if (typeof file === 'function') return file(request)
  return isTurns(file) ? (file[Math.min(turn, file.length - 1)] ?? {}) : file
}

function isTurns(file: SiteReply | readonly SiteReply[]): file is readonly SiteReply[] {
  return Array.isArray(file)
}

function finished(
  { status = 200, headers = {}, body = '' }: SiteReply,
  request: SeenRequest,
  origin: string,
): Reply {
  if (status === 200 && isUnchanged(headers, request)) return { status: 304, headers }
  const local = (text: string) =>
    text.replaceAll('{origin}', origin).replaceAll('{host}', new URL(origin).host)
  const sent = Object.entries(headers).map(([name, value]) => [name, local(value)])
  return {
    status,
    headers: Object.fromEntries(sent) as Record<string, string>,
    body: typeof body === 'string' ? local(body) : body,
  }
}

function isUnchanged(
  headers: Readonly<Record<string, string>>,
  { headers: asked }: SeenRequest,
): boolean {
  const etag = headers['etag']
  const lastModified = headers['last-modified']
  if (etag !== undefined && asked['if-none-match'] !== undefined)
    return asked['if-none-match'] === etag
  return lastModified !== undefined && asked['if-modified-since'] === lastModified
}

/** A sitemap with these entries: an address, or an address with its `lastmod`. */
export function urlset(
  ...entries: readonly (string | readonly [loc: string, lastmod: string])[]
): string {
  return document('urlset', 'url', entries)
}

export function sitemapIndex(
  ...entries: readonly (string | readonly [loc: string, lastmod: string])[]
): string {
  return document('sitemapindex', 'sitemap', entries)
}

function document(
  root: string,
  name: string,
  entries: readonly (string | readonly [string, string])[],
): string {
  const lines = entries.map((entry) => {
    const [loc, lastmod] = typeof entry === 'string' ? [entry] : entry
    return `  <${name}><loc>${loc.replaceAll('&', '&amp;')}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</${name}>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</${root}>\n`
}
