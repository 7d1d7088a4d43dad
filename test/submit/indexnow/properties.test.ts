import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../../src/core/duration.ts'
import { forbids, limitsRate } from '../../support/stand-ins/indexnow-engine.ts'
import { answers, breaks, type Step, USUAL } from '../../support/stand-ins/stand-in.ts'
import { beginIndexNow, pages, PATIENT, urlsThatBecame } from './support.ts'

/** Answers that take nothing, and two that do. */
const STEPS: readonly Step[] = [
  USUAL,
  breaks('wrong-length'),
  answers(400),
  answers(422),
  answers(413),
  answers(401),
  forbids(),
  forbids('InvalidKey'),
  forbids('SiteVerificationNotCompleted'),
  limitsRate(),
  limitsRate('3'),
  answers(500),
  answers(503, 'x'.repeat(100_000)),
  answers(404),
  answers(302),
  breaks('reset'),
  breaks('garbage'),
]

/** Mostly well, so that runs get far. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant(USUAL) },
  { weight: 2, arbitrary: fc.constantFrom(answers(422), answers(500), limitsRate('1')) },
  { weight: 1, arbitrary: fc.constantFrom(...STEPS) },
)

describe('whatever an engine answers', () => {
  it('each URL is settled once or left, the counts add up, and accepted is what was taken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          script: fc.array(step, { maxLength: 25 }),
          count: fc.integer({ min: 0, max: 130 }),
          mode: fc.constantFrom('auto', 'get', 'post'),
          maxInFlight: fc.integer({ min: 1, max: 3 }),
          maxRetries: fc.integer({ min: 0, max: 3 }),
          budget: fc.record(
            { timeMs: fc.nat({ max: minutes(3) }), subrequests: fc.nat({ max: 150 }) },
            { requiredKeys: [] },
          ),
        }),
        async ({ script, count, mode, maxInFlight, maxRetries, budget }) => {
          const { engine, submit, clock } = await beginIndexNow()
          engine.script(...script)

          const { report, settled } = await submit({
            urls: pages(count),
            mode,
            rules: { ...PATIENT, maxInFlight, maxRetries },
            budget,
          })

          const accepted = urlsThatBecame('accepted', settled)
          expect(new Set(accepted)).toEqual(new Set(engine.received.keys()))
          expect(report.requests).toBe(engine.requests.length)
          expect(report.requests).toBeLessThanOrEqual(budget.subrequests ?? Infinity)
          expect(report.left > 0).toBe(report.stopped !== undefined && report.left > 0)
          expect(clock.waiting).toBe(0)
        },
      ),
      { numRuns: 100 },
    )
  })
})
