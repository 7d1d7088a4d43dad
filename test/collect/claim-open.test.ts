import { describe, expect } from 'vitest'
import { openClaims } from '../../src/collect/claim-open.ts'
import { openClosedDoors } from '../../src/collect/closed-doors.ts'
import { USUAL_BATCH } from '../../src/collect/limits.ts'
import { minutes } from '../../src/core/duration.ts'
import { fail } from '../../src/core/result.ts'
import type { CandidateStore, CandidateStatus } from '../../src/stores/candidate-store.ts'
import { COLLECT_BACKENDS, openCollectWorld } from '../support/collect-world.ts'
import type { Backend } from '../contracts/backend.ts'
import { scenario } from '../support/scenario.ts'

const origin = { requestId: 'r-1' }
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const named = (platform: string, count: number) =>
  numbers(count).map((n) => ({
    platform,
    noteId: `${platform}-${n}`,
    noteUrl: `https://${platform}.example/${n}`,
  }))

/** An execution that found xhs off, and how many rows its looking has cost. */
async function openClaiming(backend: Backend) {
  const { stores } = await openCollectWorld(backend)
  const { candidates, executions } = stores
  const start = (workflowName: string) =>
    executions.acquire(
      { workflowName, executionId: `exec-${workflowName}`, timeoutMs: minutes(30) },
      origin,
    )
  await start('collect')
  const closed = openClosedDoors(new Map())
  closed.note({ platform: 'xhs', result: fail({ kind: 'platform-off', platform: 'xhs' }) })
  let rowsRead = 0
  const counted: CandidateStore = {
    ...candidates,
    async list(...ask) {
      const listed = await candidates.list(...ask)
      rowsRead += listed.length
      return listed
    },
  }
  const claimsWith = (store: CandidateStore) =>
    openClaims({
      candidates: store,
      closed,
      executionId: 'exec-collect',
      wanted: 'waiting',
      origin,
    })
  const idsIn = async (status: CandidateStatus) =>
    (await candidates.list(status, 9_999)).map(({ noteId }) => noteId)
  const rows = () => rowsRead
  return { candidates, executions, start, claimsWith, claim: claimsWith(counted), rows, idsIn }
}

async function claimedIds(claim: ReturnType<typeof openClaims>): Promise<readonly string[]> {
  const claimed = await claim()
  if (!claimed.ok) throw new Error(claimed.failure.kind)
  return claimed.value.map(({ noteId }) => noteId)
}

describe.each(COLLECT_BACKENDS)('claiming past closed doors on $name', (backend) => {
  scenario('C04', 'looks once at each, however many batches it takes', async () => {
    const { candidates, claim, rows, idsIn } = await openClaiming(backend)
    await candidates.add([...named('xhs', 1_500), ...named('page', 60)], origin)

    const batches: number[] = []
    for (const _batch of numbers(6)) batches.push((await claimedIds(claim)).length)

    expect(batches).toEqual(numbers(6).map(() => USUAL_BATCH))
    expect(await idsIn('processing')).toEqual(named('page', 60).map(({ noteId }) => noteId))
    expect(rows()).toBeLessThan(2_000)
  })

  scenario(
    'C11',
    'finds what came back behind it before it says that nothing is left',
    async () => {
      const { candidates, executions, start, claim } = await openClaiming(backend)
      await candidates.add([...named('page', 12), ...named('xhs', 12)], origin)
      await start('n8n')
      await candidates.claimThese('exec-n8n', named('page', 2), origin)

      const first = await claimedIds(claim)
      const given = named('page', 1).map((key) => ({ ...key, errorCode: 'PLATFORM_ERROR' }))
      await candidates.fail('exec-n8n', given, origin)
      const cameBack = await claimedIds(claim)
      await executions.finish('exec-n8n', 'completed', origin)
      const freed = await claimedIds(claim)
      const none = await claimedIds(claim)

      expect(first).toHaveLength(10)
      expect([cameBack, freed, none]).toEqual([['page-0'], ['page-1'], []])
    },
  )

  scenario('C04', 'a batch that others were quicker with does not end the looking', async () => {
    const { candidates, start, claimsWith } = await openClaiming(backend)
    await candidates.add([...named('page', 12), ...named('xhs', 3)], origin)
    await start('n8n')
    const claim = claimsWith({
      ...candidates,
      async claimThese(executionId, keys, by) {
        await candidates.claimThese('exec-n8n', named('page', 10), by)
        return candidates.claimThese(executionId, keys, by)
      },
    })

    const claimed = await claimedIds(claim)

    expect(claimed).toEqual(['page-10', 'page-11'])
  })
})
