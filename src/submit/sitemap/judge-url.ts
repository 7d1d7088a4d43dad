import { canonicalUrl, needsEncoding, type UrlProblem } from '../../core/canonical-url.ts'
import { hashUrl, plainOrigin, type PlainOrigin } from '../../core/url-hash.ts'
import type { EntryBatch } from './entries.ts'
import type { DropReason } from './scan-state.ts'

export type InvalidReason = DropReason | UrlProblem

export interface ForeignUrl {
  readonly loc: string
  readonly lastmod: number
}

/** A batch's URLs, parted: those of the site, and others. Good as long as the batch is. */
export interface JudgedUrls {
  readonly count: number
  /** As the sitemap writes it: this is what is sent. */
  urlAt(i: number): string
  /** What they are remembered by: the hashes of their canonical forms, two halves each. */
  readonly hashes: Uint32Array
  readonly lastmods: Uint32Array
  readonly foreign: readonly ForeignUrl[]
}

/** For those who want every one of them. */
export function urlsOf({ count, urlAt }: JudgedUrls): string[] {
  return Array.from({ length: count }, (_, i) => urlAt(i))
}

export interface UrlJudge {
  /** Of the site's host. */
  readonly origins: Origins
  readonly onInvalid: (reason: InvalidReason, value: string) => void
}

/** SPEC S04, S06: what is no URL is dropped, what is another host's is set apart; the batch keeps the rest. */
export function judgeUrls(batch: EntryBatch, judge: UrlJudge): JudgedUrls {
  const { hashes, lastmods, locAt } = batch
  const foreign: ForeignUrl[] = []
  const encoded = new Map<number, string>()
  let count = 0
  for (let i = 0; i < batch.count; i++) {
    const isPlainlyOwn = hashes[2 * i] !== 0 || hashes[2 * i + 1] !== 0
    if (count < i) batch.move(i, count)
    if (!isPlainlyOwn) {
      const loc = locAt(i)
      const own = judgeAtLength(loc, judge, { lastmod: lastmods[i] as number, foreign })
      if (!own) continue
      hashUrl(own.canonical, hashes, 2 * count)
      if (own.url !== loc) encoded.set(count, own.url)
    }
    count++
  }
  return {
    count,
    urlAt: (i) => encoded.get(i) ?? locAt(i),
    hashes: hashes.subarray(0, 2 * count),
    lastmods: lastmods.subarray(0, count),
    foreign,
  }
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

function judgeAtLength(
  loc: string,
  { origins, onInvalid }: UrlJudge,
  { lastmod, foreign }: { lastmod: number; foreign: ForeignUrl[] },
): { url: string; canonical: string } | undefined {
  const canonical = isMarkup(loc) ? undefined : canonicalUrl(loc)
  if (!canonical?.ok) {
    onInvalid(canonical?.failure ?? 'not-a-url', loc)
    return undefined
  }
  if (!isOwn(canonical.value, origins)) {
    foreign.push({ loc, lastmod })
    return undefined
  }
  return { url: needsEncoding(loc) ? canonical.value : loc, canonical: canonical.value }
}

function isOwn(url: string, { secure, plain }: Origins): boolean {
  return url.startsWith(secure) || url.startsWith(plain)
}

/** An address with a bracket in it is what is left of broken markup. */
function isMarkup(loc: string): boolean {
  return loc.includes('<') || loc.includes('>')
}
