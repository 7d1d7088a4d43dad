import type { CollectStores } from '../../stores/stores.ts'
import type { Family } from './exposition.ts'

/** Whoever collects nothing hands in nothing. */
export type CollectSources = Partial<
  Pick<CollectStores, 'candidates' | 'cookies' | 'executions' | 'outbox'>
>

/** Those that may be running are among the newest. */
const EXECUTIONS = 100

/** What the store knows of the collect side. */
export async function collectMetrics(
  { candidates, cookies, executions, outbox }: CollectSources,
  now: number,
): Promise<readonly Family[]> {
  const byState = candidates ? Object.entries(await candidates.count()) : []
  const cookieStates = Map.groupBy(
    (await cookies?.list()) ?? [],
    ({ platform, status }) => `${platform} ${status}`,
  )
  const newest = (await executions?.list(EXECUTIONS)) ?? []
  const running = newest.filter(({ status }) => status === 'running')
  return [
    {
      name: 'sluice_candidates',
      help: 'Candidates, by state.',
      type: 'gauge',
      samples: byState.map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'sluice_cookies',
      help: 'Cookies, by platform and state.',
      type: 'gauge',
      samples: [...cookieStates.values()].flatMap((those) => {
        const [{ platform, status } = { platform: '', status: '' }] = those
        return [{ labels: { platform, state: status }, value: those.length }]
      }),
    },
    {
      name: 'sluice_execution_age_seconds',
      help: 'How long a running execution has held its workflow.',
      type: 'gauge',
      samples: running.map(({ workflowName, startedAt }) => ({
        labels: { workflow: workflowName },
        value: (now - startedAt) / 1_000,
      })),
    },
    {
      name: 'sluice_execution_silence_seconds',
      help: 'Time since the heartbeat of a running execution.',
      type: 'gauge',
      samples: running.map(({ workflowName, heartbeatAt }) => ({
        labels: { workflow: workflowName },
        value: (now - heartbeatAt) / 1_000,
      })),
    },
    {
      name: 'sluice_outbox_depth',
      help: 'Changes that the mirror has yet to take.',
      type: 'gauge',
      samples: outbox ? [{ value: await outbox.depth() }] : [],
    },
  ]
}
