import { watchCollecting, type CollectWatch } from './alerts.ts'
import { type Caller, ownCaller } from './caller.ts'
import type { Wanted } from './claim-open.ts'
import { collectBatch, type Collecting, type StartedBatch } from './collect-batch.ts'
import type { Log } from '../core/log.ts'
import type { Result } from '../core/result.ts'
import type { Recovered } from '../stores/candidate-store.ts'
import type { ExecutionTaken } from '../stores/execution-store.ts'

/** The workflow that the server and the command line run; n8n names its own. */
const OWN_WORKFLOW = 'collect'

/** Collecting, recovering and watching, as the schedule and the command line ask for it (SPEC C31). */
export interface Collector {
  collect(caller?: Caller, wanted?: Wanted): Promise<Result<StartedBatch, ExecutionTaken>>
  recover(caller?: Caller): Promise<Recovered>
  checkAlerts(): Promise<void>
  /** Lets what is under way give its lock back and end. */
  stop(): Promise<void>
}

export interface CollectorOptions {
  readonly collecting: Collecting
  readonly watch: CollectWatch
  readonly log: Log
}

export function openCollector({ collecting, watch, log }: CollectorOptions): Collector {
  const { random } = collecting
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const keep = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work)).catch(() => undefined)
    return work
  }
  return {
    async collect(caller = ownCaller({ random, log }), wanted = 'waiting') {
      const ask = { workflowName: OWN_WORKFLOW, wanted, caller, signal: stopping.signal }
      const started = await collectBatch(collecting, ask)
      if (started.ok) {
        keep(started.value.done).catch((error: unknown) => {
          caller.log.error('collect.broke_off', 'Collecting broke off because of a bug.', { error })
        })
      }
      return started
    },
    recover: async (caller = ownCaller({ random, log })) => {
      const recovered = await collecting.candidates.recover(collecting.lockTimeoutMs, caller)
      if (recovered.executionsTimedOut > 0) {
        caller.log.warn(
          'collect.recovered',
          `${recovered.executionsTimedOut} silent executions were timed out.`,
          { ...recovered },
        )
      }
      return recovered
    },
    checkAlerts: () => keep(watchCollecting(watch)),
    async stop() {
      stopping.abort()
      await Promise.allSettled(underWay)
    },
  }
}
