import type { Budget } from '../core/budget.ts'
import { minutes } from '../core/duration.ts'
import type { Lease } from '../core/lease.ts'
import { packUrls, unpackUrls } from '../core/ledger/url-list.ts'
import { ok, type Result } from '../core/result.ts'
import type { LeaseTaken } from '../stores/lease-store.ts'
import type { Run } from '../stores/run-store.ts'
import type { SubmitStores } from '../stores/stores.ts'
import { type HeldLease, holdLease, resumeLease } from '../stores/hold-lease.ts'
import { openSiteRun, type RunAsk } from './open-site-run.ts'
import { openRunProgress } from './run-progress.ts'
import { BEGINNING, type Course, type RunEnd, runSite } from './run-site.ts'
import { leaseNameOf } from './site-lease.ts'
import type { Site } from './site.ts'
import { openSiteLedger, type SiteLedger } from './site-ledger.ts'
import type { ChannelChoice, RunDeps, SiteRun } from './site-run.ts'

const LIST = 'slice:run'

/** Nobody else begins while a run waits for its next slice; one that was forgotten is replaced after this long. */
const PARKED_MS = minutes(15)

/** A run between two slices. What it found and what it sent is in the ledger; this is the rest. */
export interface SavedRun {
  readonly id: string
  readonly channel: ChannelChoice
  readonly trigger: string
  readonly startedAt: number
  readonly lease: Lease
  /** By all slices so far. */
  readonly usedMs: number
  readonly slices: number
  /** As it was last shown. */
  readonly record: Run
  readonly course: Course
}

/** Takes the site's lease and records the run; the first slice does the first work. */
export async function beginSlicedRun(
  ask: RunAsk,
  deps: RunDeps,
): Promise<Result<SavedRun, LeaseTaken>> {
  const { id, site, channel, trigger, signal } = ask
  const { stores, clock } = deps
  const name = leaseNameOf(site.id)
  const held = await holdLease({ name, holder: id, leases: stores.leases, clock, signal })
  if (!held.ok) return held
  const startedAt = clock.now()
  const identity = { id, siteId: site.id, trigger, startedAt }
  const progress = openRunProgress({ ...identity, runs: stores.runs, clock })
  await progress.begin()
  const saved = {
    id,
    channel,
    trigger,
    startedAt,
    lease: await held.value.park(PARKED_MS),
    usedMs: 0,
    slices: 0,
    record: progress.current(),
    course: BEGINNING,
  }
  await save(openSiteLedger(stores.ledger, site.id, held.value.lease.fence), saved)
  return ok(saved)
}

/** The run that waits for its next slice, if there is one. */
export async function loadSavedRun(
  { ledger }: Pick<SubmitStores, 'ledger'>,
  siteId: string,
): Promise<SavedRun | undefined> {
  const chunk = (await ledger.chunks(siteId)).find(({ list }) => list === LIST)
  const packed = chunk && (await ledger.readChunk(siteId, chunk))
  if (!packed) return undefined
  const [text = ''] = await unpackUrls(packed)
  const saved = JSON.parse(text) as SavedRun
  return { ...saved, course: saved.slices === 0 ? BEGINNING : saved.course }
}

export interface SliceAsk {
  readonly site: Site
  /** What this slice may use. Its time ends with the run's. */
  readonly budget: Budget
  readonly signal: AbortSignal
}

/** `over`: somebody else has the site's lease by now, or a slice ended the run and was killed before it could say so. */
export type SliceEnd = { readonly kind: 'ended'; readonly end: RunEnd } | 'paused' | 'over'

/** Does what one invocation can of a run. Killed anywhere, the same slice begins again from what is in the store. */
export async function runSlice(saved: SavedRun, ask: SliceAsk, deps: RunDeps): Promise<SliceEnd> {
  const { leases, runs } = deps.stores
  const { signal } = ask
  const held = await resumeLease(saved.lease, { leases, clock: deps.clock, signal })
  if (!held.ok) return 'over'
  const run = openSlice(saved, ask, { deps, held: held.value })
  const forget = async () => {
    await run.ledger.write({ dropLists: [LIST] })
    await held.value.release()
  }
  try {
    if ((await runs.get(saved.id))?.status !== 'running') {
      await forget()
      return 'over'
    }
    const result = await runSite(run, saved.course)
    if (!('course' in result)) {
      await forget()
      return { kind: 'ended', end: result }
    }
    await run.progress.showNow()
    await save(run.ledger, {
      ...saved,
      lease: await held.value.park(PARKED_MS),
      usedMs: saved.usedMs + ask.budget.used().timeMs,
      slices: saved.slices + 1,
      record: run.progress.current(),
      course: result.course,
    })
    return 'paused'
  } catch (error) {
    await held.value.park(PARKED_MS)
    throw error
  }
}

function openSlice(
  saved: SavedRun,
  { site, budget }: SliceAsk,
  { deps, held }: { readonly deps: RunDeps; readonly held: HeldLease },
): SiteRun {
  const { id, channel, trigger, startedAt, usedMs, record } = saved
  const ask = { id, site, channel, trigger, signal: held.signal }
  const stand = { fence: held.lease.fence, startedAt, budget, earlier: record }
  return { ...openSiteRun(ask, deps, stand), slice: { budget, usedMs } }
}

async function save(ledger: SiteLedger, saved: SavedRun): Promise<void> {
  const urls = await packUrls([JSON.stringify(saved)])
  await ledger.write({ dropLists: [LIST], appendChunks: [{ list: LIST, count: 0, urls }] })
}

/** Gives a run up that cannot go on, and says why. */
export async function endSlicedRun(
  { runs, ledger, leases }: Pick<SubmitStores, 'runs' | 'ledger' | 'leases'>,
  { record, lease }: SavedRun,
  { why, now }: { readonly why: string; readonly now: number },
): Promise<void> {
  const errors = [...record.errors, why]
  await runs.finish({ ...record, errors, status: 'failed', finishedAt: now })
  await ledger.write(record.siteId, { fence: lease.fence, dropLists: [LIST] })
  await leases.release(lease)
}
