import type { z } from 'zod'
import type { FAILED_URL } from '../../../../submit/http/shapes.ts'
import { inWords } from '../../words.ts'

export type FailedPage = z.infer<typeof FAILED_URL>

const SHOWN_OF_EACH = 3
const INDENT = ' '.repeat(14)

/** By reason, what happened most first: how many, what to do, and a few of the pages. */
export function failedPages(failed: readonly FailedPage[]): readonly string[] {
  return [...Map.groupBy(failed, ({ reason }) => reason)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, pages]) => {
      const more = pages.length - SHOWN_OF_EACH
      return [
        `  failed    ${inWords.count(pages.length)} ${reason}: ${pages[0]?.advice}`,
        ...pages
          .slice(0, SHOWN_OF_EACH)
          .map(({ url, engine }) => `${INDENT}${url} (${inWords.engine(engine)})`),
        ...(more > 0 ? [`${INDENT}and ${inWords.count(more)} more; --json lists them all`] : []),
      ]
    })
}
