import type { Clock } from '../../core/clock.ts'
import { mapWithConcurrency } from '../../core/concurrency.ts'
import { days, seconds } from '../../core/duration.ts'
import type { UtcDay } from '../../core/utc-day.ts'
import {
  type ChannelTotals,
  type DailyTotals,
  type Run,
  RUNS_KEPT_PER_SITE,
  type RunStore,
  totalsOfRun,
} from '../run-store.ts'
import type { Documents } from './documents.ts'
import { KEYS } from './keys.ts'
import { type Kv, READS_AT_ONCE } from './kv.ts'

/** What is known of a site's runs, in one value: a run costs a few writes, however many are kept. */
interface History {
  /** Newest first. */
  readonly runs: readonly Run[]
  readonly totals: Readonly<Record<UtcDay, Totals>>
  readonly note?: object
}

type Totals = Omit<DailyTotals, 'day'>

const NO_HISTORY: History = { runs: [], totals: {} }
const NOTHING: ChannelTotals = { total: 0, successful: 0 }

/** A run that goes on is written this often at most: there are 1,000 writes a day. */
const SHOWN_EVERY_MS = seconds(30)

/** Whose run it is need not be known for longer than runs are looked for. */
const RUN_NAMED_MS = days(100)
const DAYS_KEPT = 400

export interface KvRunStore extends RunStore {
  /** Writes what runs last showed. */
  flush(): Promise<void>
  forget(siteId: string): Promise<void>
  /** Whatever the app wants to keep beside a site's runs. */
  note(siteId: string, change: (before: object | undefined) => object): Promise<void>
  noteOf(siteId: string): Promise<object | undefined>
}

export function kvRunStore(kv: Kv, documents: Documents, clock: Clock): KvRunStore {
  /** What runs have shown here since it was last written. */
  const waiting = new Map<string, Run>()
  const writtenAt = new Map<string, number>()

  const read = async (siteId: string): Promise<History> => {
    const { runs, totals } = (await documents.read<History>(KEYS.history(siteId))) ?? NO_HISTORY
    return { totals, runs: runs.map((run) => asRead(latest(run))) }
  }
  const latest = (run: Run) => (run.status === 'running' ? (waiting.get(run.id) ?? run) : run)
  const change = (siteId: string, decide: (before: History) => History | undefined) =>
    documents.change<History, boolean>(KEYS.history(siteId), (found = NO_HISTORY) => {
      const after = decide(found)
      return after ? { after, answer: true } : { answer: false }
    })
  const nameOnce = async ({ id, siteId }: Run) => {
    const key = KEYS.run(id)
    if ((await kv.text(key)) !== siteId) await kv.put(key, siteId, RUN_NAMED_MS)
  }
  const write = async (run: Run) => {
    waiting.delete(run.id)
    writtenAt.set(run.id, clock.now())
    await change(run.siteId, (before) => {
      const known = before.runs.find(({ id }) => id === run.id)
      return known?.status === 'running' ? withRun(before, run) : undefined
    })
  }

  return {
    async begin(run) {
      writtenAt.set(run.id, clock.now())
      await nameOnce(run)
      await change(run.siteId, (before) => {
        const killed = before.runs.filter(({ status }) => status === 'running')
        const ended = killed.reduce(
          (history, one) => interrupted(history, latest(one), run.startedAt),
          before,
        )
        return withRun(ended, run)
      })
    },
    async progress(run) {
      waiting.set(run.id, run)
      const last = writtenAt.get(run.id)
      if (last === undefined || clock.now() - last >= SHOWN_EVERY_MS) await write(run)
    },
    async finish(run) {
      waiting.delete(run.id)
      await nameOnce(run)
      await change(run.siteId, (before) => {
        const known = before.runs.find(({ id }) => id === run.id)
        if (known && known.status !== 'running') return undefined
        return withTotals(withRun(before, run), totalsOfRun(run))
      })
    },
    addTotals: async (siteId, totals) => {
      await change(siteId, (before) => withTotals(before, totals))
    },
    async get(id) {
      const siteId = await kv.text(KEYS.run(id))
      if (siteId === undefined) return undefined
      return (await read(siteId)).runs.find((run) => run.id === id)
    },
    list: async (siteId, limit) => (await read(siteId)).runs.slice(0, limit),
    async daily(asked, siteId) {
      const keys = siteId === undefined ? await kv.keys(KEYS.histories) : [KEYS.history(siteId)]
      const found = await mapWithConcurrency(keys, READS_AT_ONCE, (key) =>
        documents.read<History>(key),
      )
      const histories = found.filter((history) => history !== undefined)
      return asked.map((day) => ({ day, ...sumOf(histories.map(({ totals }) => totals[day])) }))
    },
    async flush() {
      for (const run of waiting.values()) await write(run)
    },
    forget: (siteId) => documents.remove(KEYS.history(siteId)),
    async note(siteId, decide) {
      await change(siteId, (before) => ({ ...before, note: decide(before.note) }))
    },
    noteOf: async (siteId) => (await documents.read<History>(KEYS.history(siteId)))?.note,
  }
}

/** JSON does not keep what is not there. */
function asRead(run: Run): Run {
  return { ...run, finishedAt: run.finishedAt }
}

function withRun(history: History, run: Run): History {
  const runs = [run, ...history.runs.filter(({ id }) => id !== run.id)]
    .toSorted((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
    .slice(0, RUNS_KEPT_PER_SITE)
  return { ...history, runs }
}

/** What a killed run had last shown is counted: the totals are of what was sent, by whomever. */
function interrupted(history: History, run: Run, now: number): History {
  const ended = { ...run, status: 'interrupted', finishedAt: now } as const
  return withTotals(withRun(history, ended), totalsOfRun(run))
}

function withTotals({ totals, ...rest }: History, { day, ...added }: DailyTotals): History {
  const all = { ...totals, [day]: sumOf([totals[day], added]) }
  const kept = Object.entries(all)
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, DAYS_KEPT)
  return { ...rest, totals: Object.fromEntries(kept) as History['totals'] }
}

function sumOf(parts: readonly (Totals | undefined)[]): Totals {
  const of = (channel: keyof Totals) =>
    parts.reduce(
      ({ total, successful }, part) => ({
        total: total + (part?.[channel].total ?? 0),
        successful: successful + (part?.[channel].successful ?? 0),
      }),
      NOTHING,
    )
  return { indexnow: of('indexnow'), bing: of('bing') }
}
