import { createHash } from 'node:crypto'

/** Columns and rows of the canvas. With `executionOrder: v1` branches run from the top down: places are semantics. */
type Place = readonly [column: number, row: number]

export interface CanvasNode {
  readonly name: string
  readonly at: Place
  readonly type: string
  readonly typeVersion: number
  readonly parameters: Readonly<Record<string, unknown>>
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>
  readonly onError?: 'continueRegularOutput' | 'continueErrorOutput'
  readonly executeOnce?: true
  readonly alwaysOutputData?: true
  readonly notes?: string
}

/** From a node, or from its output of this number, to another. */
export type Wire = readonly [from: string | readonly [node: string, output: number], to: string]

export interface Canvas {
  readonly id: string
  readonly name: string
  /** What is called by others comes first: n8n refuses to call what is not published. */
  readonly publishOrder: number
  readonly settings?: Readonly<Record<string, unknown>>
  readonly nodes: readonly CanvasNode[]
  readonly wires: readonly Wire[]
}

const COLUMN = 240
const ROW = 180

/** The workflow as n8n imports it. */
export function workflowOf({ id, name, publishOrder, settings, nodes, wires }: Canvas) {
  return {
    id,
    name,
    active: false,
    nodes: nodes.map(({ at: [column, row], ...node }) => ({
      id: uuidOf(`${id}/${node.name}`),
      position: [column * COLUMN, row * ROW],
      ...node,
      // n8n finds a waiting execution by it.
      ...(node.type === TYPES.wait.type && { webhookId: uuidOf(`${id}/${node.name}/webhook`) }),
    })),
    connections: connectionsOf(wires),
    settings: { executionOrder: 'v1', ...settings },
    meta: { publishOrder },
    pinData: {},
  }
}

interface Target {
  readonly node: string
  readonly type: 'main'
  readonly index: 0
}

function connectionsOf(wires: readonly Wire[]) {
  const connections: Record<string, { main: Target[][] }> = {}
  for (const [from, to] of wires) {
    const [node, output] = typeof from === 'string' ? [from, 0] : from
    const { main } = (connections[node] ??= { main: [] })
    for (let number = main.length; number <= output; number++) main.push([])
    main[output]?.push({ node: to, type: 'main', index: 0 })
  }
  return connections
}

/** The same for ever, so that an import anew changes what is there. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Versions that n8n 1.123 and 2.x both have. */
export const TYPES = {
  schedule: { type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2 },
  manual: { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
  called: { type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
  failed: { type: 'n8n-nodes-base.errorTrigger', typeVersion: 1 },
  call: { type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
  http: { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
  code: { type: 'n8n-nodes-base.code', typeVersion: 2 },
  set: { type: 'n8n-nodes-base.set', typeVersion: 3.4 },
  switch: { type: 'n8n-nodes-base.switch', typeVersion: 3.2 },
  batches: { type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
  wait: { type: 'n8n-nodes-base.wait', typeVersion: 1.1 },
  crypto: { type: 'n8n-nodes-base.crypto', typeVersion: 2 },
  noOp: { type: 'n8n-nodes-base.noOp', typeVersion: 1 },
  stop: { type: 'n8n-nodes-base.stopAndError', typeVersion: 1 },
} as const
