/** The second day has some new pages and some that changed. */
export interface Day {
  readonly number: 1 | 2
  /** URLs on the first day. */
  readonly count: number
}

const NEW_SHARE = 0.02
const CHANGED_EVERY = 20

const FIRST_DAY = Date.parse('2025-01-14T00:00:00Z') / 1_000
const DAY = 86_400

export const nowOf = ({ number }: Day) => FIRST_DAY + number * DAY

export function urlCount({ number, count }: Day): number {
  return number === 1 ? count : count + Math.round(count * NEW_SHARE)
}

/** How many URLs a contender has to find new or changed. */
export function newsCount(day: Day): number {
  return day.number === 1
    ? day.count
    : urlCount(day) - day.count + Math.ceil(day.count / CHANGED_EVERY)
}

/** Calls `visit` with each URL, of 68 characters, and its lastmod in seconds; none of them is kept. */
export function eachUrl(day: Day, visit: (url: string, lastmod: number) => void): void {
  const bytes = Buffer.from('https://www.example.com/catalogue/section-00/article-0000000000.html')
  const total = urlCount(day)
  for (let n = 0; n < total; n++) {
    const isChanged = day.number === 2 && n < day.count && n % CHANGED_EVERY === 0
    // A sitemap goes by age and addresses by title: they come in no order.
    const title = Math.imul(n, 0x9e37_79b1) >>> 0
    writeDigits(bytes, title % 97, { end: 44, length: 2 })
    writeDigits(bytes, title, { end: 63, length: 10 })
    // Decoded from bytes, as the scanner's are: a text put together of parts is slower to read for all.
    visit(bytes.toString('latin1'), FIRST_DAY - (n % 1_000) * DAY + (isChanged ? 1_001 * DAY : 0))
  }
}

function writeDigits(
  bytes: Uint8Array,
  value: number,
  { end, length }: { end: number; length: number },
) {
  let rest = value
  for (let at = end - 1; at >= end - length; at--) {
    bytes[at] = 48 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
}
