import { mapWithConcurrency } from '../../core/concurrency.ts'
import { printableUrl } from '../../core/redact.ts'
import { type Check, type DoctorDeps, within } from './care.ts'
import { checkBing } from './check-bing.ts'
import { checkClock } from './check-clock.ts'
import { checkDuplicates, checkEngine } from './check-engines.ts'
import { checkKey } from './check-key.ts'
import { checkRobots } from './check-robots.ts'
import { checkSitemap } from './check-sitemap.ts'
import { type Finding, finding } from './finding.ts'
import { CHECK_MS, ENGINES_AT_ONCE, REQUEST_MS, SITEMAP_MS } from './limits.ts'
import type { Patient } from './patient.ts'
import { surveySitemap } from './survey-sitemap.ts'
import { openWitness } from './witness.ts'

/** Looks at everything that a site's submissions depend on, side by side, and submits nothing. */
export async function examineSite(
  patient: Patient,
  { http, ...rest }: DoctorDeps,
): Promise<readonly Finding[]> {
  const witness = openWitness(http, rest.clock)
  const deps = { ...rest, http: witness.http }
  const { bing, searchEngines } = patient
  const { quota: store } = rest
  const run = (subject: string, check: Check, limitMs = CHECK_MS) =>
    within({ subject, limitMs, check }, deps)

  const engines = mapWithConcurrency(searchEngines, ENGINES_AT_ONCE, (engine) =>
    run(printableUrl(engine), (care) => checkEngine(engine, care)),
  )
  const groups = await Promise.all([
    run(patient.id, () => isSwitchedOff(patient)),
    run('the key file', (care) => checkKey(patient, care)),
    run('robots.txt', (care) => checkRobots(patient, care)),
    run(
      'the sitemap',
      async (care) => checkSitemap(await surveySitemap(patient, care), patient, witness.answers),
      SITEMAP_MS + REQUEST_MS,
    ),
    engines.then((found) => found.flat()),
    run('the list of engines', () => checkDuplicates(searchEngines)),
    run('Bing', (care) => (bing && store ? checkBing(patient, bing, { ...care, store }) : [])),
  ])
  // Last: it compares with the answers that came for the others.
  const found = [...groups.flat(), checkClock(witness.answers)]
  return found.map((one) => ({ ...one, site: patient.id }))
}

function isSwitchedOff({ enabled, id }: Patient): readonly Finding[] {
  if (enabled) return []
  return [
    finding('site-disabled', {
      subject: id,
      message: 'The site is switched off: the schedule passes it by.',
      fix: 'Set enabled to true, unless that is meant.',
    }),
  ]
}
