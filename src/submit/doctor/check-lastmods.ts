import { type Finding, finding } from './finding.ts'
import type { Survey } from './survey-sitemap.ts'

/** From its date Sluice knows that a page changed; without one it is sent again only when its time has come. */
export function checkLastmods(
  { report, dated, future }: Survey,
  subject: string,
): readonly Finding[] {
  const { urls, badDates, badDate } = report
  if (urls === 0) return []
  const found: Finding[] = []
  const missing = Math.max(0, urls - dated - badDates)
  if (missing > 0) {
    const which = missing === urls ? 'No URL has' : `${missing} of ${urls} URLs do not have`
    found.push(
      finding('sitemap-lastmod-missing', {
        subject,
        message: `${which} a lastmod: Sluice does not see when such a page changes.`,
        fix: 'Let what generates the sitemap write <lastmod> with the time of the last real change.',
        details: { missing, urls },
      }),
    )
  }
  if (badDates > 0) {
    found.push(
      finding('sitemap-lastmod-invalid', {
        subject,
        message: `${badDates} dates cannot be read, such as "${badDate.slice(0, 40)}".`,
        fix: 'Write them as 2026-01-31 or 2026-01-31T12:00:00Z (W3C date and time).',
        details: { invalid: badDates, urls },
      }),
    )
  }
  if (future > 0) {
    found.push(
      finding('sitemap-lastmod-future', {
        subject,
        message: `${future} dates are more than a day ahead: later changes of those pages go unnoticed.`,
        fix: 'Let lastmod be the time of the last change, not of a planned one; and check the clock of what writes it.',
        details: { future, urls },
      }),
    )
  }
  if (found.length > 0) return found
  const message = `All ${urls} URLs have a date that can be read.`
  return [finding('sitemap-lastmod', { subject, message, details: { urls } })]
}
