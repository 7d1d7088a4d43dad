import { describe, expect, it } from 'vitest'
import { DECISIONS } from '../support/decisions.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

const { raise, clear } = DECISIONS

export interface AlertTraits {
  /** Set, with the reason, where two who raise at the same moment may both tell of it. */
  readonly notAtomic?: string
}

export function alertStoreContract(backend: Backend, traits: AlertTraits = {}) {
  describe(`AlertStore: ${backend.name}`, () => {
    it('records a message with the alert that it tells of', async () => {
      const { stores } = await begin(backend)
      const raised = await stores.alerts.move('quota', raise, 1_000)
      expect(raised).toMatchObject({
        notice: 'raised',
        state: { status: 'firing', title: 'Quota' },
      })
      expect(await stores.alerts.list()).toEqual([raised.state])
      expect(await stores.alerts.undelivered()).toEqual([
        { id: 1, notice: 'raised', at: 1_000, alert: raised.state, deliveredAt: undefined },
      ])
    })

    it('raises once, however often it is raised at once', async () => {
      const { stores } = await begin(backend)
      await Promise.all([1, 2, 3, 4].map(() => stores.alerts.move('quota', raise, 1_000)))
      expect(await stores.alerts.undelivered()).toHaveLength(1)
    })

    it.skipIf(traits.notAtomic)('raises once, however many raise it at once', async () => {
      const { stores, another } = await begin(backend)
      const second = await another()
      await Promise.all(
        [stores, second, stores, second].map(({ alerts }) => alerts.move('quota', raise, 1_000)),
      )
      expect(await stores.alerts.undelivered()).toHaveLength(1)
    })

    it.skipIf(backend.oneProcessOnly)('raises once among processes', async () => {
      const { stores, twoProcesses } = await begin(backend)
      const inTurn = await twoProcesses()
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => inTurn(i).alerts.move('quota', raise, 1_000)),
      )
      expect(await stores.alerts.messages(9)).toHaveLength(1)
    })

    it('clears once, and forgets an alert that never fired', async () => {
      const { stores } = await begin(backend)
      await stores.alerts.move('quota', raise, 1_000)
      await stores.alerts.move('quota', clear, 2_000)
      await stores.alerts.move('quota', clear, 2_000)
      await stores.alerts.move('never', () => ({ state: undefined }), 2_000)
      expect(await stores.alerts.list()).toMatchObject([{ key: 'quota', status: 'resolved' }])
      expect((await stores.alerts.messages(9)).map(({ notice }) => notice)).toEqual([
        'resolved',
        'raised',
      ])
      expect(await stores.alerts.messages(1)).toHaveLength(1)
    })

    it('keeps a message until it is delivered', async () => {
      const { stores } = await begin(backend)
      await stores.alerts.move('quota', raise, 1_000)
      await stores.alerts.move('quota', clear, 2_000)
      const [first] = await stores.alerts.undelivered()
      await stores.alerts.delivered(first?.id ?? 0, 3_000)
      await stores.alerts.delivered(first?.id ?? 0, 9_000)
      expect((await stores.alerts.undelivered()).map(({ notice }) => notice)).toEqual(['resolved'])
      expect((await stores.alerts.messages(9)).at(-1)).toMatchObject({ deliveredAt: 3_000 })
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill between the alert and its message', () =>
      survivesKill(backend, {
        arrange: async () => undefined,
        act: ({ alerts }) => alerts.move('quota', raise, 1_000),
        // Numbers grow; that none is left out is not promised.
        look: async ({ alerts }) => [
          await alerts.list(),
          (await alerts.messages(9)).map((message) => ({ ...message, id: undefined })),
        ],
      }),
    )
  })
}
