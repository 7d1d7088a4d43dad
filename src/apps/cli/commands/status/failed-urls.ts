import type { z } from 'zod'
import { FAILED_KEPT_PER_ENGINE } from '../../../../submit/failed-urls.ts'
import type { FAILED_URL } from '../../../../submit/http/shapes.ts'
import { inWords } from '../../words.ts'

export type ShownFailedUrl = z.infer<typeof FAILED_URL>

const SHOWN_OF_EACH = 3
const INDENT = ' '.repeat(14)
const WHERE_MORE = `--json lists the newest ${FAILED_KEPT_PER_ENGINE} of each engine`

/** By engine and reason, what happened most first: how many, what to do, and a few of the pages. */
export function failedUrlLines(site: string, failed: readonly ShownFailedUrl[]): readonly string[] {
  const groups = Map.groupBy(failed, ({ engine, reason }) => `${engine} ${reason}`)
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap((group) => linesOf(site, group))
}

function linesOf(site: string, group: readonly ShownFailedUrl[]): readonly string[] {
  const [newest] = group
  if (!newest) return []
  const { engine, reason, advice } = newest
  const doctor = advice.replaceAll(/\b([Rr]un) the check\b/g, `$1 \`sluice doctor ${site}\``)
  const more = group.length - SHOWN_OF_EACH
  return [
    `  failed    ${inWords.count(group.length)} at ${inWords.engine(engine)}, ${reason}: ${doctor}`,
    ...group.slice(0, SHOWN_OF_EACH).map(({ url }) => `${INDENT}${url}`),
    ...(more > 0 ? [`${INDENT}and ${inWords.count(more)} more; ${WHERE_MORE}`] : []),
  ]
}
