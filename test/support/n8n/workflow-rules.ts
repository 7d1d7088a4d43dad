import { z } from 'zod'
import {
  calledBy,
  type Credential,
  expressionsIn,
  isOf,
  isTrigger,
  loopsOf,
  outputsOf,
  reachedFrom,
  textsIn,
  type Workflow,
  type WorkflowNode,
} from './workflow.ts'

export interface Shipped {
  readonly workflows: readonly Workflow[]
  readonly credentials: readonly Credential[]
}

/** What is wrong with the workflows that Sluice ships, a line each. */
export type WorkflowRule = (shipped: Shipped) => readonly string[]

/** What is shipped, in the versions that were run in a real n8n. No webhook: nothing outside starts a workflow. */
const KNOWN_NODES: Readonly<Record<string, readonly number[]>> = {
  scheduleTrigger: [1.2],
  manualTrigger: [1],
  executeWorkflowTrigger: [1.1],
  errorTrigger: [1],
  executeWorkflow: [1.2],
  httpRequest: [4.2],
  code: [2],
  crypto: [2],
  switch: [3.2],
  splitInBatches: [3],
  set: [3.4],
  wait: [1.1],
  noOp: [1],
  stopAndError: [1],
}

/** A node that sends each item one way or another; whoever only has several connections sends it every way. */
const CHOOSES = /\.(switch|splitInBatches)$/

/** Of an error, what cannot hold the request with its credential. */
const SAFE_PARTS = ['message', 'code', 'retryable', 'name', 'description', 'httpCode']

/** As they look in the wild, a placeholder in angle brackets does not. */
const SECRETS: readonly RegExp[] = [
  /Bearer\s+[\w.~+/-]{8,}/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}/,
  /\b[tu]-[\w.-]{16,}/,
  /\bcli_[0-9a-f]{12,}/,
  /\/hook\/[\w-]{8,}/,
  /\bweb_session=[^\s;'"<]+/,
  /(?:secret|password|token|cookie)["']?\s*[:=]\s*["'][^"'<{$\s]{8,}["']/i,
  /\b[0-9a-fA-F]{32,}\b/,
  /\b[A-Za-z0-9+/]{40,}={0,2}(?![\w/])/,
]

const WITHHELD = /\$env\b|\brequire\(|\bprocess\.|(?<![.\w])fetch\(|\bnew URL\(|\bcrypto\./

export const WORKFLOW_RULES = {
  'has ids for good: of its file, of its nodes': ({ workflows }) => [
    ...eachWorkflow(workflows, ({ id, file }) =>
      id === `sluice-${file}` ? [] : [`the id is ${id}`],
    ),
    ...eachWorkflow(workflows, ({ nodes }) =>
      repeated(nodes.map(({ name }) => name)).map((name) => `two nodes are named ${name}`),
    ),
    ...repeated(workflows.flatMap(({ nodes }) => nodes.map(({ id }) => id))).map(
      (id) => `two nodes have the id ${id}`,
    ),
  ],

  'runs its branches by their place on the canvas': ({ workflows }) =>
    eachWorkflow(workflows, ({ settings }) =>
      settings.executionOrder === 'v1' ? [] : ['executionOrder is not v1'],
    ),

  // Whoever is only called fails with its caller, which tells. One that the error workflow calls would call it again.
  'tells of its failure': ({ workflows }) => {
    const teller = workflows.find(({ nodes }) => nodes.some(isOf('errorTrigger')))
    const below = teller ? calledFrom(workflows, teller) : new Set<string>()
    return eachWorkflow(workflows, ({ id, nodes, settings: { errorWorkflow } }) => {
      if (below.has(id)) return errorWorkflow ? ['its failure would be told in a circle'] : []
      if (!errorWorkflow && nodes.filter(isTrigger).every(isOf('executeWorkflowTrigger'))) return []
      return errorWorkflow && errorWorkflow === teller?.id ? [] : ['errorWorkflow is not set']
    })
  },

  'is published after all that it needs': ({ workflows }) =>
    eachWorkflow(workflows, ({ nodes, settings, meta }) => {
      const called = nodes.flatMap((node) => calledBy(node) ?? [])
      return [...called, settings.errorWorkflow ?? []].flat().flatMap((id) => {
        const needed = workflows.find((other) => other.id === id)
        if (!needed) return [`there is no workflow ${id}`]
        return needed.meta.publishOrder < meta.publishOrder ? [] : [`${id} is published later`]
      })
    }),

  'calls only what can be called': ({ workflows }) =>
    eachNode(workflows, (node) => {
      const called = workflows.find(({ id }) => id === calledBy(node))
      const isCallable = called?.nodes.some(isOf('executeWorkflowTrigger'))
      return called && !isCallable ? [`${called.id} has no trigger for a call`] : []
    }),

  'connects nodes that are there': ({ workflows }) =>
    eachWorkflow(workflows, (workflow) => {
      const names = new Set(workflow.nodes.map(({ name }) => name))
      const used = Object.keys(workflow.connections).flatMap((name) => [
        name,
        ...outputsOf(workflow, name).flat(),
      ])
      const kinds = Object.values(workflow.connections).flatMap(Object.keys)
      return [
        ...[...new Set(used)]
          .filter((name) => !names.has(name))
          .map((name) => `no node is named ${name}`),
        ...kinds
          .filter((kind) => kind !== 'main')
          .map((kind) => `a connection is ${kind}, not main`),
      ]
    }),

  'comes to every node': ({ workflows }) =>
    eachWorkflow(workflows, (workflow) => {
      const triggers = workflow.nodes.filter(isTrigger).map(({ name }) => name)
      const reached = new Set([...triggers, ...reachedFrom(workflow, triggers)])
      return workflow.nodes
        .filter((node) => !reached.has(node.name))
        .map(({ name }) => `nothing leads to ${name}`)
    }),

  'uses nodes that were run in a real n8n': ({ workflows }) =>
    eachNode(workflows, ({ type, typeVersion }) => {
      const [, name = ''] = /^n8n-nodes-base\.(\w+)$/.exec(type) ?? []
      return KNOWN_NODES[name]?.includes(typeVersion) ? [] : [`${type} ${typeVersion} is not known`]
    }),

  // It sends all items again, also those that were done.
  'has no write repeated by n8n': ({ workflows }) =>
    eachNode(workflows, (node) => {
      const isRead = isOf('httpRequest')(node) && (node.parameters['method'] ?? 'GET') === 'GET'
      return node.retryOnFail && !isRead ? ['retryOnFail'] : []
    }),

  // n8n 2.40 writes the credential into the error of a request; expressions see it, Code nodes do not.
  'takes single fields of an error, never a whole one': ({ workflows }) =>
    eachNode(workflows, (node) => expressionsIn(node).flatMap(wholeErrors)),

  'ships no secret': ({ workflows, credentials }) => [
    ...eachNode(workflows, ({ name, parameters, notes }) => secretsIn([name, parameters, notes])),
    ...eachWorkflow(workflows, ({ name, settings }) => secretsIn([name, settings])),
    ...credentials.flatMap(({ id, data }) => secretsIn(data).map((found) => `${id}: ${found}`)),
  ],

  'uses the credentials of the template': ({ workflows, credentials }) =>
    eachNode(workflows, ({ credentials: used = {} }) =>
      Object.entries(used)
        .filter(([type, { id, name }]) =>
          credentials.every((one) => one.id !== id || one.name !== name || one.type !== type),
        )
        .map(([type, { id }]) => `there is no ${type} ${id} in the template`),
    ),

  // SPEC C06: from n8n into Sluice's log, the record and the outbox.
  'carries the id of its execution to Sluice': ({ workflows }) =>
    eachNode(workflows, (node) => {
      if (!asksSluice(node)) return []
      const [header] = headersOf(node).filter(({ name }) => /^x-request-id$/i.test(name))
      return header && /\$execution\.id|request_id/.test(header.value) ? [] : ['no X-Request-ID']
    }),

  'waits for no answer for ever': ({ workflows }) =>
    eachNode(workflows, (node) => {
      if (!isOf('httpRequest')(node)) return []
      const options = z.object({ timeout: z.int().min(1) }).safeParse(node.parameters['options'])
      return options.success ? [] : ['no timeout']
    }),

  'comes out of every loop': ({ workflows }) =>
    eachWorkflow(workflows, (workflow) =>
      loopsOf(workflow)
        .filter((loop) => !workflow.nodes.some((node) => leadsOut(workflow, node, loop)))
        .map((loop) => `no way out of ${[...loop].toSorted().join(', ')}`),
    ),

  'speaks of nodes that are there': ({ workflows }) =>
    eachWorkflow(workflows, ({ nodes }) => {
      const spoken = nodes.flatMap(({ parameters }) =>
        textsIn(parameters).flatMap((text) =>
          [...text.matchAll(/\$\((['"])(.+?)\1\)/g)].map(([, , name = '']) => name),
        ),
      )
      const missing = [...new Set(spoken)].filter((name) =>
        nodes.every((node) => node.name !== name),
      )
      return missing.map((name) => `no node is named ${name}`)
    }),

  'asks for nothing that n8n withholds': ({ workflows }) =>
    eachNode(workflows, ({ parameters }) => {
      const found = WITHHELD.exec(textsIn(parameters).join('\n'))
      return found ? [found[0]] : []
    }),
} as const satisfies Record<string, WorkflowRule>

function eachWorkflow(workflows: readonly Workflow[], find: (one: Workflow) => readonly string[]) {
  return workflows.flatMap((workflow) => find(workflow).map((what) => `${workflow.file}: ${what}`))
}

function eachNode(workflows: readonly Workflow[], find: (node: WorkflowNode) => readonly string[]) {
  return eachWorkflow(workflows, ({ nodes }) =>
    nodes.flatMap((node) => find(node).map((what) => `${node.name}: ${what}`)),
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) < index))]
}

/** A workflow and all that it calls, directly or not. */
function calledFrom(workflows: readonly Workflow[], first: Workflow): ReadonlySet<string> {
  const ids = new Set([first.id])
  for (const id of ids) {
    const nodes = workflows.find((one) => one.id === id)?.nodes ?? []
    for (const called of nodes.flatMap((node) => calledBy(node) ?? [])) ids.add(called)
  }
  return ids
}

function wholeErrors(expression: string): readonly string[] {
  const errors = expression.matchAll(/(?:\.|\[['"])error\b(?:['"]\])?(?:\??\.(\w+))?/g)
  const unsafe = [...errors]
    .filter(([, part = '']) => !SAFE_PARTS.includes(part))
    .map(([all]) => all)
  // The whole item has the error in it.
  const items = expression.matchAll(/(?:\$json|\.json)\b(?!\s*(?:\?\.|\.|\[))/g)
  return [...unsafe, ...[...items].map(([all]) => all)].map((all) => `takes ${all} whole`)
}

function secretsIn(value: unknown): readonly string[] {
  return textsIn(value).flatMap((text) =>
    // Not what was found: the report is read by more people than the file.
    SECRETS.filter((secret) => secret.test(text)).map(
      (secret) => `looks like a secret, by ${secret}`,
    ),
  )
}

function asksSluice(node: WorkflowNode): boolean {
  if (!isOf('httpRequest')(node)) return false
  const { parameters, credentials = {} } = node
  const url = textOf(parameters['url'])
  return (
    url.includes('sluice_url') || Object.values(credentials).some(({ id }) => id === 'sluice-api')
  )
}

const HEADERS = z.object({
  parameters: z.array(z.object({ name: z.string(), value: z.string() })),
})

function headersOf({ parameters }: WorkflowNode) {
  const headers = HEADERS.safeParse(parameters['headerParameters'])
  return parameters['sendHeaders'] === true && headers.success ? headers.data.parameters : []
}

function leadsOut(workflow: Workflow, node: WorkflowNode, loop: ReadonlySet<string>): boolean {
  if (!loop.has(node.name) || !CHOOSES.test(node.type)) return false
  return outputsOf(workflow, node.name).some((targets) => targets.every((name) => !loop.has(name)))
}
