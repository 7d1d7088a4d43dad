import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Credential, WorkflowFile } from './n8n-server.ts'

const FOLDER = 'n8n/workflows'

/** Where a test starts a workflow: a door beside its own triggers, which n8n treats as production. */
const DOOR = 'Door of the tests'
export const doorOf = (name: string) => `test-${name}`

interface NodeFile {
  readonly name: string
  readonly type: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * The workflows as they are shipped, with the settings of the tests where an operator would put his own, with a door each,
 * and without a schedule that fires in between.
 */
export function shippedWorkflows(settings: Readonly<Record<string, unknown>>): WorkflowFile[] {
  return readdirSync(FOLDER).map((file) => {
    const workflow = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowFile
    if (workflow.id === 'sluice-settings') return withSettings(workflow, settings)
    const nodes = workflow.nodes as unknown as readonly NodeFile[]
    const trigger = nodes.find(({ type }) => /\.(schedule|manual)Trigger$/.test(type))
    return trigger ? withDoor(workflow, trigger.name, file.replace('.json', '')) : workflow
  })
}

export function exampleCredentials(fill: (text: string) => string): readonly Credential[] {
  return JSON.parse(fill(readFileSync('n8n/credentials.example.json', 'utf8'))) as Credential[]
}

function withSettings(workflow: WorkflowFile, settings: Readonly<Record<string, unknown>>) {
  const nodes = (workflow.nodes as unknown as readonly NodeFile[]).map((node) => {
    if (node.name !== 'Edit here') return node
    const shipped = JSON.parse(String(node.parameters['jsonOutput'])) as object
    const unknown = Object.keys(settings).filter((name) => !(name in shipped))
    if (unknown.length > 0) throw new Error(`no such setting: ${unknown.join(', ')}`)
    const jsonOutput = JSON.stringify({ ...shipped, ...settings })
    return { ...node, parameters: { ...node.parameters, jsonOutput } }
  })
  return { ...workflow, nodes: nodes as unknown as WorkflowFile['nodes'] }
}

function withDoor(workflow: WorkflowFile, trigger: string, name: string): WorkflowFile {
  const door = {
    id: `door-${workflow.id}`,
    name: DOOR,
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 600],
    webhookId: `door-${workflow.id}`,
    parameters: { httpMethod: 'POST', path: doorOf(name), responseMode: 'lastNode', options: {} },
  }
  const own = workflow.nodes.map((node) =>
    node['type'] === 'n8n-nodes-base.scheduleTrigger' ? { ...node, disabled: true } : node,
  )
  return {
    ...workflow,
    nodes: [...own, door],
    connections: { ...workflow.connections, [DOOR]: workflow.connections[trigger] },
  }
}
