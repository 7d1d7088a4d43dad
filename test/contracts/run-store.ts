import { describe, expect, it } from 'vitest'
import { days } from '../../src/core/duration.ts'
import { utcDayOf, utcDaysUntil } from '../../src/core/utc-day.ts'
import { RUNS_KEPT_PER_SITE, type FinishedRun, type Run } from '../../src/stores/run-store.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

const STARTED = Date.parse('2025-01-15T00:00:00Z')
const siteId = 'example.com'

export function finishedRun(run: Partial<FinishedRun>): FinishedRun {
  return {
    id: 'run-1',
    siteId,
    startedAt: STARTED,
    finishedAt: STARTED + 5_000,
    status: 'succeeded',
    trigger: 'schedule',
    total: 12,
    new: 10,
    cached: 2,
    submitted: 10,
    failed: 0,
    deleted: 0,
    invalid: 0,
    errors: [],
    warnings: ['the key file is missing'],
    engines: [
      { engine: 'a', total: 10, successful: 9, failed: 1, pending: 0, averageMs: 12.5 },
      { engine: 'b', total: 10, successful: 10, failed: 0, pending: 3, averageMs: 3 },
    ],
    bing: { total: 5, successful: 4, failed: 1, quotaUsed: 4, quotaRemaining: 96 },
    ...run,
  }
}

function runningRun(run: Partial<Run>): Run {
  return { ...finishedRun({}), finishedAt: undefined, status: 'running', ...run }
}

export function runStoreContract(backend: Backend) {
  describe(`RunStore: ${backend.name}`, () => {
    it('shows a run from its first moment to its end', async () => {
      const { stores } = await begin(backend)
      await stores.runs.begin(runningRun({ submitted: 0 }))
      expect(await stores.runs.get('run-1')).toEqual(runningRun({ submitted: 0 }))
      await stores.runs.progress(runningRun({ submitted: 7 }))
      expect(await stores.runs.get('run-1')).toEqual(runningRun({ submitted: 7 }))
      await stores.runs.finish(finishedRun({}))
      expect(await stores.runs.get('run-1')).toEqual(finishedRun({}))
      expect(await stores.runs.get('none')).toBeUndefined()
    })

    it('marks a run that never finished as interrupted when the next begins', async () => {
      const { stores } = await begin(backend)
      await stores.runs.begin(runningRun({ submitted: 7 }))
      await stores.runs.begin(runningRun({ id: 'other', siteId: 'other.example' }))
      await stores.runs.begin(runningRun({ id: 'run-2', startedAt: STARTED + days(1) }))
      expect(await stores.runs.get('run-1')).toMatchObject({
        status: 'interrupted',
        submitted: 7,
        finishedAt: STARTED + days(1),
      })
      expect(await stores.runs.get('other')).toMatchObject({ status: 'running' })
      expect(await stores.runs.daily([utcDayOf(STARTED)])).toMatchObject([
        { indexnow: { total: 20, successful: 19 }, bing: { total: 5, successful: 4 } },
      ])
    })

    it('counts a run that is finished twice once, and takes no late progress', async () => {
      const { stores } = await begin(backend)
      await stores.runs.begin(runningRun({}))
      await stores.runs.finish(finishedRun({}))
      await stores.runs.finish(finishedRun({ submitted: 99 }))
      await stores.runs.progress(runningRun({ submitted: 98 }))
      expect(await stores.runs.get('run-1')).toEqual(finishedRun({}))
      const [day] = await stores.runs.daily([utcDayOf(STARTED)])
      expect(day).toMatchObject({ indexnow: { total: 20 }, bing: { total: 5 } })
    })

    it(`keeps the newest ${RUNS_KEPT_PER_SITE} of a site, newest first, and totals of all`, async () => {
      const { stores } = await begin(backend)
      await stores.runs.finish(finishedRun({ id: 'other', siteId: 'other.example' }))
      for (let n = 0; n < RUNS_KEPT_PER_SITE + 5; n++) {
        await stores.runs.finish(finishedRun({ id: `run-${n}`, startedAt: STARTED + n }))
      }
      const runs = await stores.runs.list(siteId, 1_000)
      expect(runs).toHaveLength(RUNS_KEPT_PER_SITE)
      expect(runs[0]?.id).toBe(`run-${RUNS_KEPT_PER_SITE + 4}`)
      expect(await stores.runs.list(siteId, 2)).toHaveLength(2)
      expect(await stores.runs.list('other.example', 9)).toHaveLength(1)
      const [day] = await stores.runs.daily([utcDayOf(STARTED)], siteId)
      expect(day?.indexnow.total).toBe(20 * (RUNS_KEPT_PER_SITE + 5))
    })

    it('adds up by the day a run started, with an empty row for a day without runs', async () => {
      const { stores } = await begin(backend)
      await stores.runs.finish(finishedRun({ id: 'a' }))
      await stores.runs.finish(finishedRun({ id: 'b', siteId: 'other.example' }))
      const late = STARTED + days(3) - 1
      await stores.runs.finish(
        finishedRun({ id: 'c', startedAt: late, finishedAt: late + days(1) }),
      )
      const none = { total: 0, successful: 0 }
      expect(await stores.runs.daily(utcDaysUntil(utcDayOf(late), 3))).toEqual([
        {
          day: '2025-01-15',
          indexnow: { total: 40, successful: 38 },
          bing: { total: 10, successful: 8 },
        },
        { day: '2025-01-16', indexnow: none, bing: none },
        {
          day: '2025-01-17',
          indexnow: { total: 20, successful: 19 },
          bing: { total: 5, successful: 4 },
        },
      ])
    })

    it('adds what was submitted outside of a run', async () => {
      const { stores } = await begin(backend)
      const day = utcDayOf(STARTED)
      await stores.runs.finish(finishedRun({}))
      await stores.runs.addTotals(siteId, {
        day,
        indexnow: { total: 3, successful: 2 },
        bing: { total: 1, successful: 1 },
      })
      expect(await stores.runs.daily([day], siteId)).toEqual([
        { day, indexnow: { total: 23, successful: 21 }, bing: { total: 6, successful: 5 } },
      ])
      expect(await stores.runs.list(siteId, 9)).toHaveLength(1)
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill in the middle of finishing', () =>
      survivesKill(backend, {
        arrange: ({ runs }) => runs.begin(runningRun({})),
        act: ({ runs }) => runs.finish(finishedRun({})),
        look: async ({ runs }) => [
          await runs.list(siteId, 9),
          await runs.daily([utcDayOf(STARTED)]),
        ],
      }),
    )
  })
}
