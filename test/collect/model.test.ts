import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { begin } from '../contracts/backend.ts'
import { COLLECT_BACKENDS } from '../support/collect-world.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { type Deed, NOTES, play, TIMEOUT_MS } from './play.ts'

const origin = { requestId: 'model' }
const WORKERS = 3

const worker = fc.nat(WORKERS - 1)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ do: fc.constant('start' as const), worker, workflow: fc.nat(1) }),
  fc.record({ do: fc.constant('claim' as const), worker, size: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    do: fc.constantFrom('complete' as const, 'fail' as const),
    worker,
    note: fc.nat(NOTES - 1),
  }),
  fc.record({ do: fc.constant('finish' as const), worker, well: fc.boolean() }),
  fc.record({ do: fc.constant('heartbeat' as const), worker }),
  fc.constant({ do: 'recover' as const }),
  fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 16, 31) }),
)

describe.each(COLLECT_BACKENDS)('executions and candidates on $name', (backend) => {
  it('C03 — C11: do what the plainest model does, whatever is done in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 40 }), async (deeds) => {
        const storage = await backend.create()
        const clock = new FakeClock()
        const handle = await storage.open(clock)
        try {
          await play(handle.stores, clock, deeds)
        } finally {
          await handle.close()
          await storage.destroy()
        }
      }),
      { numRuns: 150 },
    )
  }, 120_000)

  it('C03 — of five starters at once exactly one wins, a thousand times', async () => {
    const { stores, another } = await begin(backend)
    const servers = [stores, await another()]
    for (let round = 0; round < 1_000; round++) {
      const asked = await Promise.all(
        [0, 1, 2, 3, 4].map((n) =>
          (servers[n % 2] ?? stores).executions.acquire(
            { workflowName: 'w', executionId: `e-${round}-${n}`, timeoutMs: TIMEOUT_MS },
            origin,
          ),
        ),
      )
      const winners = asked.flatMap((one) => (one.ok ? [one.value] : []))
      expect(winners).toHaveLength(1)
      expect(winners[0]?.fence).toBe(round + 1)
      await stores.executions.finish(winners[0]?.executionId ?? '', 'completed', origin)
    }
  }, 120_000)
})
