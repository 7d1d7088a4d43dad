import { describe, expect } from 'vitest'
import { ownCaller } from '../../src/collect/caller.ts'
import { startExecution, withExecution } from '../../src/collect/executions.ts'
import { minutes } from '../../src/core/duration.ts'
import { type LogLine, openLog } from '../../src/core/log.ts'
import type { Backend } from '../contracts/backend.ts'
import { COLLECT_BACKENDS, openCollectWorld } from '../support/collect-world.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'

/** A running execution that holds one candidate. */
async function openRunning(backend: Backend) {
  const { stores, clock } = await openCollectWorld(backend)
  const { candidates, executions } = stores
  const logs: LogLine[] = []
  const log = openLog({ clock, level: 'debug', write: (line) => logs.push(line) })
  const random = countingRandom()
  const caller = ownCaller({ random, log })
  const start = () =>
    startExecution({ executions, random, lockTimeoutMs: minutes(30) }, 'collect', caller)
  const started = await start()
  if (!started.ok) throw new Error(started.failure.kind)
  const { executionId } = started.value
  await candidates.add([{ platform: 'page', noteId: 'n1', noteUrl: 'https://a.example/1' }], caller)
  await candidates.claim(executionId, 1, caller)
  const statusNow = async () => (await executions.get(executionId))?.status
  return { running: { executions, executionId, caller }, candidates, logs, start, statusNow }
}

const breaksOff = async () => {
  throw new Error('the work broke')
}

describe.each(COLLECT_BACKENDS)('the end of an execution on $name', (backend) => {
  scenario('C03', 'work that is done completes it, and the lock is free', async () => {
    const { running, candidates, start, statusNow } = await openRunning(backend)

    const done = await withExecution(running, async () => 'done')

    expect([done, await statusNow()]).toEqual(['done', 'completed'])
    expect(await candidates.list('pending', 9)).toMatchObject([{ retryCount: 0 }])
    expect(await start()).toMatchObject({ ok: true })
  })

  scenario('C03', 'work that throws fails it, and the lock is free', async () => {
    const { running, candidates, start, statusNow } = await openRunning(backend)

    await expect(withExecution(running, breaksOff)).rejects.toThrow('the work broke')

    expect(await statusNow()).toBe('failed')
    expect(await candidates.list('pending', 9)).toMatchObject([{ retryCount: 1 }])
    expect(await start()).toMatchObject({ ok: true })
  })

  scenario('C05', 'an end that fails as well does not hide what broke the work', async () => {
    const { running, logs, statusNow } = await openRunning(backend)
    const finish = async () => {
      throw new Error('the disk is full')
    }
    const executions = { ...running.executions, finish }

    const broken = withExecution({ ...running, executions }, breaksOff)
    await expect(broken).rejects.toThrow('the work broke')
    const unended = withExecution({ ...running, executions }, async () => 'done')
    await expect(unended).rejects.toThrow('the disk is full')

    expect(await statusNow()).toBe('running')
    expect(logs).toMatchObject([{ event: 'collect.unfinished', level: 'error' }])
    expect(JSON.stringify(logs)).toContain('the disk is full')
  })
})
