import {
  canonicalUrl,
  MAX_URL_LENGTH,
  needsEncoding,
  type UrlProblem,
} from '../../core/canonical-url.ts'
import {
  hashPlainUrl,
  hashUrl,
  type PlainHashes,
  plainOrigin,
  type PlainOrigin,
} from '../../core/url-hash.ts'
import type { DropReason, EntryBatch } from './scan-state.ts'

export type InvalidReason = DropReason | UrlProblem

export interface ForeignUrl {
  readonly loc: string
  readonly lastmod: number
}

/** A batch's URLs, parted. The lists of the site's own are in step. */
export interface JudgedUrls {
  /** As the sitemap writes them: this is what is sent. */
  readonly urls: string[]
  /** What they are remembered by: the hashes of their canonical forms, two halves each. */
  readonly hashes: Uint32Array
  readonly lastmods: number[]
  readonly foreign: ForeignUrl[]
}

export interface UrlJudge {
  /** Of the site's host. */
  readonly origins: Origins
  readonly onInvalid: (reason: InvalidReason, value: string) => void
}

/** SPEC S04, S06: what is no URL is dropped, what is another host's is set apart. */
export function judgeUrls({ locs, lastmods }: EntryBatch, judge: UrlJudge): JudgedUrls {
  const hashes = new Uint32Array(2 * locs.length)
  const judged: JudgedUrls = { urls: [], hashes, lastmods: [], foreign: [] }
  const plain = { origins: judge.origins.canonical, out: hashes }
  for (let i = 0; i < locs.length; i++) {
    const loc = locs[i] as string
    const lastmod = lastmods[i] as number
    if (isPlainlyOwn(loc, plain, judged)) keep(judged, loc, lastmod)
    else judgeAtLength(loc, lastmod, { ...judge, judged })
  }
  return { ...judged, hashes: hashes.subarray(0, 2 * judged.urls.length) }
}

export interface Origins {
  readonly secure: string
  readonly plain: string
  /** Those of them behind which a URL is canonical if the rest is: a port may be one's default. */
  readonly canonical: readonly PlainOrigin[]
}

export function originsOf(host: string): Origins {
  const [secure, plain] = [`https://${host}/`, `http://${host}/`]
  const canonical = [secure, plain].filter((origin) => URL.parse(origin)?.href === origin)
  return { secure, plain, canonical: canonical.map(plainOrigin) }
}

/** Nearly all are, and then cost one look at each byte, which also leaves the hash. */
function isPlainlyOwn(loc: string, plain: PlainHashes, { urls }: JudgedUrls): boolean {
  return loc.length <= MAX_URL_LENGTH && hashPlainUrl(loc, plain, 2 * urls.length)
}

function judgeAtLength(
  loc: string,
  lastmod: number,
  { origins, judged, onInvalid }: UrlJudge & { judged: JudgedUrls },
): void {
  const canonical = isMarkup(loc) ? undefined : canonicalUrl(loc)
  if (!canonical?.ok) {
    onInvalid(canonical?.failure ?? 'not-a-url', loc)
  } else if (isOwn(canonical.value, origins)) {
    hashUrl(canonical.value, judged.hashes, 2 * judged.urls.length)
    keep(judged, needsEncoding(loc) ? canonical.value : loc, lastmod)
  } else {
    judged.foreign.push({ loc, lastmod })
  }
}

function keep({ urls, lastmods }: JudgedUrls, url: string, lastmod: number): void {
  urls.push(url)
  lastmods.push(lastmod)
}

function isOwn(url: string, { secure, plain }: Origins): boolean {
  return url.startsWith(secure) || url.startsWith(plain)
}

/** An address with a bracket in it is what is left of broken markup. */
function isMarkup(loc: string): boolean {
  return loc.includes('<') || loc.includes('>')
}
