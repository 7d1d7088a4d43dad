import robotsParser from 'robots-parser'
import { describeHttpFailure } from '../../core/http.ts'
import { printableUrl } from '../../core/redact.ts'
import { hideKey, isUsableKey } from '../channels/indexnow/key.ts'
import { isOrigin } from '../sitemap/discover.ts'
import { MAX_REDIRECTS, MAX_ROBOTS_BYTES } from '../sitemap/limits.ts'
import type { Care } from './care.ts'
import { crawlersOf, isBlocked, type Robots } from './crawlers.ts'
import { type Finding, finding } from './finding.ts'
import { MOST_SHOWN, REQUEST_MS } from './limits.ts'
import type { Patient } from './patient.ts'

// The package is CommonJS, and its types say otherwise.
const parse = robotsParser as unknown as (url: string, text: string) => Robots

/** Whether the crawlers of the engines may come, fetch the key file and find the sitemap. */
export async function checkRobots(patient: Patient, care: Care): Promise<readonly Finding[]> {
  const origin = URL.parse(patient.keyLocation)?.origin ?? `https://${patient.host}`
  const url = `${origin}/robots.txt`
  const { http, signal } = care
  const sent = await http.send({
    url,
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_ROBOTS_BYTES,
    maxRedirects: MAX_REDIRECTS,
    signal,
  })
  if (!sent.ok) return unreachable(url, describeHttpFailure(sent.failure))
  const { status } = sent.value
  const body = await sent.value.text()
  if (status >= 500 || status === 429) return unreachable(url, `It answers ${status}.`)
  if (status !== 200) {
    const message = `There is no robots.txt (${status}): everything may be crawled.`
    return [finding('robots-absent', { subject: url, message })]
  }
  // One that is too long is read no further by engines either, but what it begins with cannot be told here.
  if (!body.ok) return unreachable(url, describeHttpFailure(body.failure))
  if (/^\s*</.test(body.value)) {
    const message = 'robots.txt is a web page: engines find no rule and no sitemap in it.'
    const fix = `Exclude ${url} from the rule that answers every address with the app's page, and serve a text file there.`
    return [finding('robots-is-html', { subject: url, message, fix })]
  }
  return judge(parse(url, body.value), url, patient)
}

function unreachable(url: string, why: string): readonly Finding[] {
  const message = `robots.txt could not be read. ${why}`
  const fix = `Let ${url} answer 200, or 404 where there is none: with an error engines may stay away from the whole site.`
  return [finding('robots-unreachable', { subject: url, message, fix })]
}

function judge(robots: Robots, url: string, patient: Patient): readonly Finding[] {
  const { keyLocation, apiKey } = patient
  const origin = new URL('/', url).href
  const crawlers = crawlersOf(patient.searchEngines)
  const sitemaps = [patient.sitemapUrl, ...patient.sitemapUrls].filter(
    (sitemap) => !isOrigin(sitemap),
  )
  const blockedFrom = (address: string) =>
    crawlers.filter((crawler) => isBlocked(robots, address, crawler)).map(({ name }) => name)
  const found: Finding[] = []
  const report = (code: Finding['code'], address: string, names: readonly string[]) => {
    const path = hideKey(new URL(printableUrl(address)).pathname, apiKey)
    const line = robots.getMatchingLineNumber(address, names[0])
    found.push(
      finding(code, {
        subject: url,
        message: `robots.txt keeps ${names.join(', ')} away from ${path}${line > 0 ? ` (line ${line})` : ''}.`,
        fix: `Add "Allow: ${path}${path === '/' ? '' : '$'}" for them, or remove the Disallow line that covers it.`,
        details: { crawlers: names, path, ...(line > 0 && { line }) },
      }),
    )
  }
  const fromSite = blockedFrom(origin)
  if (fromSite.length > 0) report('robots-blocks-site', origin, fromSite)
  // Whoever may not come at all may not come there either: said once.
  const also = (names: readonly string[]) => names.filter((name) => !fromSite.includes(name))
  const fromKey = isUsableKey(apiKey) ? also(blockedFrom(keyLocation)) : []
  if (fromKey.length > 0) report('robots-blocks-key-file', keyLocation, fromKey)
  for (const sitemap of sitemaps.slice(0, MOST_SHOWN)) {
    const names = also(blockedFrom(sitemap))
    if (names.length > 0) report('robots-blocks-sitemap', sitemap, names)
  }
  found.push(...unlisted(robots, url, sitemaps))
  if (found.length > 0) return found
  const message = 'robots.txt lets the engines in and names the sitemap.'
  return [finding('robots', { subject: url, message })]
}

/** One that is named is enough: it may be an index of the others. */
function unlisted(robots: Robots, url: string, sitemaps: readonly string[]): readonly Finding[] {
  const listed = robots.getSitemaps().map((line) => URL.parse(line, url)?.href)
  const isNamed =
    sitemaps.length === 0
      ? listed.length > 0
      : sitemaps.some((sitemap) => listed.includes(URL.parse(sitemap)?.href))
  if (isNamed) return []
  const wanted = printableUrl(sitemaps[0] ?? new URL('/sitemap.xml', url).href)
  return [
    finding('robots-sitemap-unlisted', {
      subject: url,
      message: `robots.txt does not name the sitemap${listed.length > 0 ? `, but ${listed.length} other${listed.length > 1 ? 's' : ''}` : ''}.`,
      fix: `Add the line "Sitemap: ${wanted}" to robots.txt, for the crawlers that Sluice does not tell.`,
    }),
  ]
}
