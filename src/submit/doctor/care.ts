import type { Clock } from '../../core/clock.ts'
import type { HttpClient } from '../../core/http.ts'
import type { QuotaStore } from '../../stores/quota-store.ts'
import type { RunSettings } from '../site-run.ts'
import type { Gunzip } from '../sitemap/gunzip.ts'
import { type Finding, finding } from './finding.ts'

export interface DoctorDeps {
  readonly http: HttpClient
  readonly clock: Clock
  readonly gunzip: Gunzip
  /** Where Bing's quota is counted; absent for whoever has no store, and then no site with Bing either. */
  readonly quota?: QuotaStore | undefined
  readonly settings: Pick<RunSettings, 'sitemapTimeoutMs' | 'bingApiUrl'>
  readonly signal: AbortSignal
}

/** What a single check is handed: the same, with a signal that also tells when its time is over. */
export type Care = DoctorDeps

export type Check = (
  care: Care,
) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>

export interface NamedCheck {
  readonly subject: string
  readonly limitMs: number
  readonly check: Check
}

/** Runs one check to its end, its time limit or the doctor's end. Whatever becomes of it, the others go on. */
export async function within(
  { subject, limitMs, check }: NamedCheck,
  deps: DoctorDeps,
): Promise<readonly Finding[]> {
  const over = new AbortController()
  const signal = AbortSignal.any([deps.signal, over.signal])
  const unfinished = stopped(signal).then(() => [
    finding('check-unfinished', {
      subject,
      message: deps.signal.aborted
        ? `The check of ${subject} was stopped.`
        : `The check of ${subject} took longer than ${limitMs / 1_000} seconds.`,
      fix: 'Run the doctor again; if it stays so, look at the server that is asked.',
    }),
  ])
  const cancel = deps.clock.after(limitMs, () => over.abort())
  try {
    const found = Promise.resolve().then(() => check({ ...deps, signal }))
    return await Promise.race([found.then((one) => [one].flat()), unfinished])
  } catch (cause) {
    return [bugIn(subject, cause)]
  } finally {
    cancel()
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((stop) => {
    if (signal.aborted) return stop()
    signal.addEventListener('abort', () => stop(), { once: true })
  })
}

function bugIn(subject: string, cause: unknown): Finding {
  const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return finding('check-failed', {
    subject,
    message: `The check of ${subject} broke off (${what}).`,
    fix: 'This is a bug of Sluice. Report it with this line; the other checks are not touched by it.',
  })
}
