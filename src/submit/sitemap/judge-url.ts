import { canonicalUrl, type UrlProblem } from '../../core/canonical-url.ts'
import type { DropReason, EntryBatch } from './scan-state.ts'

export type InvalidReason = DropReason | UrlProblem

export interface ForeignUrl {
  readonly loc: string
  readonly lastmod: number
}

/** A batch's URLs, parted. The three lists of the site's own are in step. */
export interface JudgedUrls {
  /** As the sitemap writes them: this is what is sent. */
  readonly urls: string[]
  /** What they are remembered by; most often the same string. */
  readonly canonical: string[]
  readonly lastmods: number[]
  readonly foreign: ForeignUrl[]
}

export interface UrlJudge {
  readonly host: string
  readonly onInvalid: (reason: InvalidReason, value: string) => void
}

/** SPEC S04, S06: what is no URL is dropped, what is another host's is set apart. */
export function judgeUrls(
  { locs, lastmods }: EntryBatch,
  { host, onInvalid }: UrlJudge,
): JudgedUrls {
  const judged: JudgedUrls = { urls: [], canonical: [], lastmods: [], foreign: [] }
  const secure = `https://${host}/`
  const plain = `http://${host}/`
  for (let i = 0; i < locs.length; i++) {
    const loc = locs[i] as string
    const lastmod = lastmods[i] as number
    // Most are written canonically, and then hold neither markup nor blanks.
    const found = canonicalUrl(loc)
    const isPlain = found.ok && found.value === loc
    const canonical = !isPlain && isMarkup(loc) ? undefined : found
    if (!canonical?.ok) {
      onInvalid(canonical?.failure ?? 'not-a-url', loc)
    } else if (beginsWith(canonical.value, secure) || beginsWith(canonical.value, plain)) {
      judged.urls.push(!isPlain && hasBlank(loc) ? canonical.value : loc)
      judged.canonical.push(canonical.value)
      judged.lastmods.push(lastmod)
    } else {
      judged.foreign.push({ loc, lastmod })
    }
  }
  return judged
}

/** By far faster than `startsWith`, which compares a character at a time. */
function beginsWith(text: string, beginning: string): boolean {
  return text.slice(0, beginning.length) === beginning
}

/** An address with a bracket in it is what is left of broken markup. */
function isMarkup(loc: string): boolean {
  return loc.includes('<') || loc.includes('>')
}

function hasBlank(loc: string): boolean {
  return loc.includes(' ') || loc.includes('\n') || loc.includes('\t') || loc.includes('\r')
}
