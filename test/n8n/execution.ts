import { setTimeout as passing } from 'node:timers/promises'

/** One execution, as n8n keeps it. */
export interface Kept {
  readonly id: string
  readonly status: string
  readonly mode: string
  readonly workflowId: string
  readonly stoppedAt: string | null
  readonly data: {
    readonly resultData: {
      readonly error?: { readonly message: string }
      readonly lastNodeExecuted?: string
      readonly runData: Readonly<Record<string, readonly NodeRun[]>>
    }
  }
}

interface NodeRun {
  readonly data?: {
    readonly main: readonly ({ readonly json: Readonly<Record<string, unknown>> }[] | null)[]
  }
}

type Api = (method: string, path: string) => Promise<unknown>

/** What n8n remembers of its executions. */
export function bookOf(api: Api) {
  const list = async (workflowId?: string): Promise<readonly Kept[]> => {
    const of = workflowId === undefined ? '' : `&workflowId=${workflowId}`
    const answer = await api('GET', `/executions?limit=100&includeData=true${of}`)
    return (answer as { data: readonly Kept[] }).data
  }
  return {
    /** Newest first. */
    list,
    /** Those of a workflow that came after `id`, once there are `count` of them and each is over. */
    async after(workflowId: string, id: number, count: number): Promise<readonly Kept[]> {
      for (let tries = 0; tries < 300; tries++) {
        const newer = (await list(workflowId)).filter((one) => Number(one.id) > id)
        if (newer.length >= count && newer.every(({ stoppedAt }) => stoppedAt)) return newer
        await passing(100)
      }
      throw new Error(`${workflowId} does not come to an end`)
    },
    async newestId(): Promise<number> {
      const [newest] = await list()
      return Number(newest?.id ?? 0)
    },
  }
}

/** What a node gave out in its last run, all its outputs together. */
export function outputOf({ data }: Kept, node: string): Readonly<Record<string, unknown>>[] {
  const run = data.resultData.runData[node]?.at(-1)
  return (run?.data?.main ?? []).flatMap((items) => items ?? []).map(({ json }) => json)
}

export function ranNodes({ data }: Kept): readonly string[] {
  return Object.keys(data.resultData.runData)
}
