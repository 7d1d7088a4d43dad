import { z } from 'zod'

const NODE = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  typeVersion: z.number(),
  position: z.tuple([z.number(), z.number()]),
  parameters: z.record(z.string(), z.unknown()),
  webhookId: z.string().optional(),
  retryOnFail: z.boolean().optional(),
  onError: z.string().optional(),
  // By reference: what they hold stays in n8n.
  credentials: z
    .record(z.string(), z.strictObject({ id: z.string(), name: z.string() }))
    .optional(),
})

const TARGETS = z.array(z.object({ node: z.string(), type: z.string(), index: z.int() })).nullable()

/** Strict: what an export says of the instance that it comes from is not for shipping. */
const WORKFLOW = z.strictObject({
  id: z.string(),
  name: z.string(),
  active: z.literal(false),
  nodes: z.array(NODE).min(1),
  connections: z.record(z.string(), z.record(z.string(), z.array(TARGETS))),
  settings: z.looseObject({
    executionOrder: z.string().optional(),
    errorWorkflow: z.string().optional(),
  }),
  meta: z.strictObject({ publishOrder: z.int() }),
  pinData: z.strictObject({}).optional(),
})

export const CREDENTIALS = z.array(
  z.strictObject({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
)
export type Credential = z.infer<typeof CREDENTIALS>[number]

export type WorkflowNode = z.infer<typeof NODE>

export interface Workflow extends z.infer<typeof WORKFLOW> {
  /** Its name without `.json`. */
  readonly file: string
}

/** The workflow in a file, or what keeps it from being one. */
export function readWorkflow(file: string, text: string): Workflow | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'is not JSON'
  }
  const parsed = WORKFLOW.safeParse(value)
  if (parsed.success) return { file, ...parsed.data }
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'unreadable' }
  return `${path.join('.')}: ${message}`
}

/** The outputs of a node, each with the names of the nodes that it leads to. */
export function outputsOf({ connections }: Workflow, name: string): readonly (readonly string[])[] {
  return Object.values(connections[name] ?? {}).flatMap((outputs) =>
    outputs.map((targets) => (targets ?? []).map(({ node }) => node)),
  )
}

/** Every node that a run comes to from these, not counting them unless it comes back. */
export function reachedFrom(workflow: Workflow, names: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>()
  const queue = [...names]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const next of outputsOf(workflow, name).flat()) {
      if (!reached.has(next)) queue.push(next)
      reached.add(next)
    }
  }
  return reached
}

/** Groups of nodes, each of which leads back to itself through the others of its group. */
export function loopsOf(workflow: Workflow): readonly ReadonlySet<string>[] {
  const loops: Set<string>[] = []
  const reach = new Map(workflow.nodes.map(({ name }) => [name, reachedFrom(workflow, [name])]))
  for (const [name, reached] of reach) {
    if (!reached.has(name) || loops.some((loop) => loop.has(name))) continue
    loops.push(new Set([...reached].filter((other) => reach.get(other)?.has(name))))
  }
  return loops
}

/** Every text in a value, however deep. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** From the first brace to the last of each expression of a node; the code of a Code node is none. */
export function expressionsIn(node: WorkflowNode): readonly string[] {
  return textsIn(node.parameters).flatMap((text) => /^=[^]*?\{\{([^]*)\}\}/.exec(text)?.[1] ?? [])
}

/** The workflow that a node calls. */
export function calledBy(node: WorkflowNode): string | undefined {
  if (!isOf('executeWorkflow')(node)) return
  const called = z.object({ value: z.string() }).safeParse(node.parameters['workflowId'])
  return called.success ? called.data.value : ''
}

export const isOf =
  (kind: string) =>
  ({ type }: WorkflowNode) =>
    type === `n8n-nodes-base.${kind}`

export const isTrigger = (node: WorkflowNode) =>
  /[tT]rigger$/.test(node.type) || isOf('webhook')(node)
