import { systemRandom } from '../../../../core/random.ts'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { describeUnusable } from '../../../../submit/sealed-settings.ts'
import { planRun } from '../../../../submit/plan-run.ts'
import { shownRun } from '../../../../submit/shown-run.ts'
import { getSite } from '../../../../submit/sites.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { inCommands } from '../../in-commands.ts'
import type { OwnPlace } from '../../place.ts'
import { sayRun } from '../../summary.ts'
import { inWords } from '../../words.ts'

/** What would be sent, on stdout; what there is to say about it, on stderr. */
export async function planSubmit(
  { terminal, answer }: Call,
  { submit }: OwnPlace,
  siteId: string,
): Promise<Result<ExitCode, Complaint>> {
  const site = await getSite(submit.sites, siteId)
  if (!site.ok) {
    const { failure } = site
    const what =
      failure.kind === 'site-missing' ? `There is no site ${siteId}.` : describeUnusable(failure)
    return fail({ exit: EXIT.wrongUse, code: failure.kind, what: inCommands(what) })
  }
  const planned = await planRun(
    {
      id: `plan-${systemRandom.uuid()}`,
      site: site.value,
      channel: 'all',
      signal: new AbortController().signal,
    },
    submit.runs,
  )
  const run = shownRun(planned.run)
  answer({ run, urls: planned.urls }, () => {
    for (const url of planned.urls) terminal.print(url)
  })
  sayRun(run, terminal, [
    `Dry run: ${inWords.urls(planned.urls.length)} would be sent. Nothing was sent, nothing was written.`,
  ])
  return ok(run.status === 'succeeded' ? EXIT.done : EXIT.failed)
}
