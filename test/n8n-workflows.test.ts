import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import {
  CREDENTIALS,
  readWorkflow,
  type Workflow,
  type WorkflowNode,
} from './support/n8n/workflow.ts'
import { type Shipped, WORKFLOW_RULES } from './support/n8n/workflow-rules.ts'
import { scenario } from './support/scenario.ts'

const CREDENTIALS_FILE = 'n8n/credentials.example.json'

const texts = new Map(
  globSync('n8n/workflows/*.json')
    .toSorted()
    .map((file) => [basename(file, '.json'), readFileSync(file, 'utf8')]),
)
const read = [...texts].map(([file, text]) => [file, readWorkflow(file, text)] as const)
const shipped: Shipped = {
  workflows: read.flatMap(([, found]) => (typeof found === 'string' ? [] : [found])),
  credentials: existsSync(CREDENTIALS_FILE)
    ? CREDENTIALS.parse(JSON.parse(readFileSync(CREDENTIALS_FILE, 'utf8')))
    : [],
}

describe('every workflow that is shipped', () => {
  it('is there', () => expect(texts.size > 0).toBe(existsSync('n8n')))

  it('reads as a workflow, with nothing of the n8n that it comes from', () => {
    expect(read.filter(([, found]) => typeof found === 'string')).toEqual([])
  })

  it.each(Object.entries(WORKFLOW_RULES))('%s', (_, rule) => expect(rule(shipped)).toEqual([]))

  scenario('C07', 'no workflow contains a secret, or hands on an error that may hold one', () => {
    expect(WORKFLOW_RULES['ships no secret'](shipped)).toEqual([])
    expect(WORKFLOW_RULES['takes single fields of an error, never a whole one'](shipped)).toEqual(
      [],
    )
  })

  scenario('C06', 'every request to Sluice carries the id of its execution', () => {
    expect(WORKFLOW_RULES['carries the id of its execution to Sluice'](shipped)).toEqual([])
  })
})

/** Small workflows with nothing wrong; each test of a rule breaks one thing in them. */
function healthy() {
  const node = (
    name: string,
    type: string,
    typeVersion: number,
    parameters = {},
  ): WorkflowNode => ({
    id: `id of ${name}`,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    position: [0, 0],
    parameters,
  })
  const to = (...targets: string[][]) => ({
    main: targets.map((names) => names.map((name) => ({ node: name, type: 'main', index: 0 }))),
  })
  const ask: WorkflowNode = {
    ...node('Ask', 'httpRequest', 4.2, {
      method: 'POST',
      url: "={{ $('Settings').first().json.sluice_url }}/v1/recover",
      sendHeaders: true,
      headerParameters: {
        parameters: [{ name: 'X-Request-ID', value: '=n8n-{{ $execution.id }}' }],
      },
      options: { timeout: 1_000 },
    }),
    credentials: { httpHeaderAuth: { id: 'sluice-api', name: 'Sluice API' } },
  }
  const called = (name: string, id: string) =>
    node(name, 'executeWorkflow', 1.2, { workflowId: { __rl: true, mode: 'id', value: id } })
  const workflow = (file: string, publishOrder: number, rest: Partial<Workflow>): Workflow => ({
    file,
    id: `sluice-${file}`,
    name: file,
    active: false,
    nodes: [],
    connections: {},
    settings: { executionOrder: 'v1' },
    meta: { publishOrder },
    ...rest,
  })

  const settings = workflow('settings', 0, {
    nodes: [node('Called', 'executeWorkflowTrigger', 1.1), node('Edit here', 'set', 3.4)],
    connections: { Called: to(['Edit here']) },
  })
  const error = workflow('error', 1, {
    nodes: [node('A failure', 'errorTrigger', 1), called('Where to', 'sluice-settings')],
    connections: { 'A failure': to(['Where to']) },
  })
  const recover = workflow('recover', 2, {
    settings: { executionOrder: 'v1', errorWorkflow: 'sluice-error' },
    nodes: [
      node('Every minute', 'scheduleTrigger', 1.2),
      called('Settings', 'sluice-settings'),
      ask,
      node('Done?', 'switch', 3.2, { left: '={{ $json.statusCode }} {{ $json.error?.message }}' }),
      node('Pause', 'wait', 1.1),
      // Said, not evaluated.
      node('Done', 'noOp', 1, { content: 'Edit the error: $json.error' }),
    ],
    connections: {
      'Every minute': to(['Settings']),
      Settings: to(['Ask']),
      Ask: to(['Done?']),
      'Done?': to(['Done'], ['Pause']),
      Pause: to(['Ask']),
    },
  })
  const credentials = [
    {
      id: 'sluice-api',
      name: 'Sluice API',
      type: 'httpHeaderAuth',
      data: { name: 'Authorization', value: 'Bearer <COLLECT_TOKEN of Sluice>' },
    },
  ]
  return { settings, error, recover, ask, credentials, node, to }
}

type Healthy = ReturnType<typeof healthy>
type Breakage = [breakIt: (found: Healthy) => void, said: string]

const WHOLE_ERRORS = [
  ['{{ $json.error }}', '.error'],
  ['{{ JSON.stringify($json.error) }}', '.error'],
  ["{{ $('Ask').item.json.error }}", '.error'],
  ["{{ $json['error'] }}", "['error']"],
  ['{{ $json.error.options.headers }}', '.error.options'],
  ['{{ {a: {b: 1}} && $json.error?.config }}', '.error?.config'],
  ['{{ $json }}', '$json'],
  ["{{ JSON.stringify($('Ask').first().json) }}", '.json'],
]

const SECRETS = [
  'Bearer abcdefgh12345678',
  'app_secret: "x8Kd02mLq7"',
  't-0123456789abcdefghij',
  'cli_a0123456789abcde',
  'https://open.feishu.cn/open-apis/bot/v2/hook/3f2b9c1a-77',
  'web_session=0400698e',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
  'q6Zk0dX1mB2vC3nM4lK5jH6gF7dS8aQ9wE0rT1yU2iO=',
]

const WITHHELD = [
  '$env.TOKEN',
  "require('crypto')",
  'process.env',
  'await fetch(url)',
  'new URL(url)',
]

/** By rule: what is done to the healthy ones, and what the rule then says. */
const BROKEN: Record<keyof typeof WORKFLOW_RULES, Breakage[]> = {
  'has ids for good: of its file, of its nodes': [
    [({ recover }) => (recover.id = 'Xy12'), 'recover: the id is Xy12'],
    [({ ask }) => (ask.id = 'id of Done'), 'two nodes have the id id of Done'],
    [({ ask }) => (ask.name = 'Done'), 'recover: two nodes are named Done'],
  ],
  'runs its branches by their place on the canvas': [
    [({ error }) => delete error.settings.executionOrder, 'error: executionOrder is not v1'],
  ],
  'tells of its failure': [
    [({ recover }) => delete recover.settings.errorWorkflow, 'recover: errorWorkflow is not set'],
    [
      ({ recover }) => (recover.settings.errorWorkflow = 'sluice-settings'),
      'recover: errorWorkflow is not set',
    ],
    [
      ({ settings }) => (settings.settings.errorWorkflow = 'sluice-error'),
      'settings: its failure would be told in a circle',
    ],
    [({ error }) => error.nodes.shift(), 'recover: errorWorkflow is not set'],
  ],
  'is published after all that it needs': [
    [({ error }) => (error.meta.publishOrder = 2), 'recover: sluice-error is published later'],
    [({ error }) => (error.meta.publishOrder = 0), 'error: sluice-settings is published later'],
    [
      ({ recover }) => (recover.settings.errorWorkflow = 'sluice-away'),
      'recover: there is no workflow sluice-away',
    ],
  ],
  'calls only what can be called': [
    [
      ({ settings, node }) => settings.nodes.splice(0, 1, node('Called', 'manualTrigger', 1)),
      'error: Where to: sluice-settings has no trigger for a call',
    ],
  ],
  'connects nodes that are there': [
    [
      ({ recover, to }) => (recover.connections['Ask'] = to(['Away'])),
      'recover: no node is named Away',
    ],
    [({ recover, to }) => (recover.connections['Gone'] = to([])), 'recover: no node is named Gone'],
    [
      ({ recover }) => (recover.connections['Done'] = { ai_tool: [] }),
      'recover: a connection is ai_tool, not main',
    ],
  ],
  'comes to every node': [
    [
      ({ recover, to }) => (recover.connections['Done?'] = to([], ['Pause'])),
      'recover: nothing leads to Done',
    ],
  ],
  'uses nodes that were run in a real n8n': [
    [
      ({ ask }) => (ask.typeVersion = 4.5),
      'recover: Ask: n8n-nodes-base.httpRequest 4.5 is not known',
    ],
    [
      ({ recover, node }) => recover.nodes.push(node('Shell', 'executeCommand', 1)),
      'recover: Shell: n8n-nodes-base.executeCommand 1 is not known',
    ],
    [
      ({ recover, node }) => recover.nodes.push(node('Hook', 'webhook', 2)),
      'recover: Hook: n8n-nodes-base.webhook 2 is not known',
    ],
  ],
  'has no write repeated by n8n': [
    [({ ask }) => (ask.retryOnFail = true), 'recover: Ask: retryOnFail'],
  ],
  'takes single fields of an error, never a whole one': WHOLE_ERRORS.map(([expression, taken]) => [
    ({ ask }) => (ask.parameters['jsonBody'] = `=Failed: ${expression} today`),
    `recover: Ask: takes ${taken} whole`,
  ]),
  'ships no secret': [
    ...SECRETS.map((secret): Breakage => [
      ({ ask }) => (ask.parameters['note'] = { deep: [secret] }),
      'recover: Ask: looks like a secret',
    ]),
    [
      ({ credentials }) =>
        credentials.splice(0, 1, {
          id: 'sluice-api',
          name: 'Sluice API',
          type: 'httpHeaderAuth',
          data: { name: 'Authorization', value: 'Bearer abcdefgh12345678' },
        }),
      'sluice-api: looks like a secret',
    ],
  ],
  'uses the credentials of the template': [
    [
      ({ ask }) => (ask.credentials = { httpHeaderAuth: { id: 'kJ3', name: 'Sluice API' } }),
      'recover: Ask: there is no httpHeaderAuth kJ3 in the template',
    ],
    [
      ({ ask }) => (ask.credentials = { httpBasicAuth: { id: 'sluice-api', name: 'Sluice API' } }),
      'recover: Ask: there is no httpBasicAuth sluice-api in the template',
    ],
  ],
  'carries the id of its execution to Sluice': [
    [({ ask }) => (ask.parameters['sendHeaders'] = false), 'recover: Ask: no X-Request-ID'],
    [
      ({ ask }) =>
        (ask.parameters['headerParameters'] = {
          parameters: [{ name: 'X-Request-ID', value: 'n8n' }],
        }),
      'recover: Ask: no X-Request-ID',
    ],
    [
      ({ ask }) => {
        ask.parameters['url'] = 'http://sluice:8787/v1/recover'
        ask.parameters['headerParameters'] = { parameters: [] }
      },
      'recover: Ask: no X-Request-ID',
    ],
  ],
  'waits for no answer for ever': [
    [({ ask }) => (ask.parameters['options'] = {}), 'recover: Ask: no timeout'],
  ],
  'comes out of every loop': [
    [
      ({ recover, to }) => (recover.connections['Done?'] = to(['Pause'], ['Pause'])),
      'recover: no way out of Ask, Done?, Pause',
    ],
    // Both ways at once are no way out.
    [
      ({ recover, to }) => {
        recover.connections['Done?'] = to(['Pause'], ['Pause'])
        recover.connections['Pause'] = to(['Ask', 'Done'])
      },
      'recover: no way out of Ask, Done?, Pause',
    ],
    [
      ({ recover, to }) => (recover.connections['Done'] = to(['Done'])),
      'recover: no way out of Done',
    ],
  ],
  'speaks of nodes that are there': [
    [
      ({ ask }) => (ask.parameters['url'] = '={{ $("Setings").first().json.sluice_url }}'),
      'recover: no node is named Setings',
    ],
  ],
  'asks for nothing that n8n withholds': WITHHELD.map((code) => [
    ({ ask }) => (ask.parameters['jsCode'] = `return ${code}`),
    'recover: Ask: ',
  ]),
}

describe('every rule has been seen to fail', () => {
  const shippedBy = ({ settings, error, recover, credentials }: Healthy): Shipped => ({
    workflows: [settings, error, recover],
    credentials,
  })

  it.each(Object.entries(WORKFLOW_RULES))('%s', (name, rule) => {
    const broken = BROKEN[name as keyof typeof BROKEN]

    expect(rule(shippedBy(healthy()))).toEqual([])
    expect(broken.length).toBeGreaterThan(0)
    for (const [breakIt, said] of broken) {
      const found = healthy()
      breakIt(found)
      expect(
        rule(shippedBy(found)).filter((line) => line.startsWith(said)),
        said,
      ).not.toEqual([])
    }
  })

  it('lets a read be repeated, and a loop end where an output leads nowhere', () => {
    const found = healthy()
    found.ask.retryOnFail = true
    found.ask.parameters['method'] = 'GET'
    found.recover.connections['Done?'] = found.to([], ['Pause'])

    expect(WORKFLOW_RULES['has no write repeated by n8n'](shippedBy(found))).toEqual([])
    expect(WORKFLOW_RULES['comes out of every loop'](shippedBy(found))).toEqual([])
  })

  it('reads a whole workflow only', () => {
    const { file, ...whole } = healthy().recover
    const [node] = whole.nodes
    const wrong: [unknown, RegExp][] = [
      [{ ...whole, active: true }, /^active/],
      [{ ...whole, meta: {} }, /^meta\.publishOrder/],
      [{ ...whole, shared: [{ role: 'workflow:owner' }] }, /shared/],
      [{ ...whole, staticData: { lastId: 1 } }, /staticData/],
      [{ ...whole, pinData: { Ask: [{ json: { body: 'of a customer' } }] } }, /Ask/],
      [
        { ...whole, nodes: [{ ...node, credentials: { a: { id: '1', name: 'b', data: {} } } }] },
        /data/,
      ],
      [{ ...whole, nodes: [] }, /^nodes/],
    ]

    expect(readWorkflow(file, JSON.stringify(whole))).toMatchObject({ file, id: 'sluice-recover' })
    expect(readWorkflow(file, '{')).toBe('is not JSON')
    for (const [value, why] of wrong) expect(readWorkflow(file, JSON.stringify(value))).toMatch(why)
  })
})
