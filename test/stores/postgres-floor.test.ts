import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgresStores } from '../../src/stores/postgres/open.ts'
import { createTestDatabase } from '../support/postgres-database.ts'
import { scenario } from '../support/scenario.ts'

const origin = { requestId: 'req-1' }
const NOTES = Array.from({ length: 40 }, (_, n) => `n${n}`)

scenario(
  'C04',
  'what comes back behind claims that follow each other closely is claimed by them, too',
  async () => {
    const { url, drop } = await createTestDatabase()
    const stores = await openPostgresStores({ url: new Secret(url), clock: systemClock })
    onTestFinished(async () => {
      await stores.close()
      await drop()
    })
    const { candidates, executions } = stores
    const notes = NOTES.map((noteId) => ({
      platform: 'page',
      noteId,
      noteUrl: 'https://a.example/',
    }))
    await candidates.add(notes, origin)
    for (const executionId of ['fails', 'claims']) {
      const ask = { workflowName: executionId, executionId, timeoutMs: minutes(30) }
      await executions.acquire(ask, origin)
    }
    const first = await candidates.claim('fails', 1, origin)

    const failN0 = () =>
      candidates.fail(
        'fails',
        [{ platform: 'page', noteId: 'n0', errorCode: 'NETWORK_ERROR' }],
        origin,
      )
    const seen: string[] = []
    let hasFailed = false
    for (;;) {
      const claimed = await candidates.claim('claims', 1, origin)
      const [note] = claimed.ok ? claimed.value : []
      if (!note && hasFailed) break
      if (!note) continue
      seen.push(note.noteId)
      // Back behind the last claim, while the next is asked for at once.
      if (note.noteId === 'n5') void failN0().then(() => (hasFailed = true))
    }

    expect(first.ok && first.value.map(({ noteId }) => noteId)).toEqual(['n0'])
    expect(seen.toSorted()).toEqual(NOTES.toSorted())
    expect(seen.at(-1)).toBe('n0')
  },
)
