import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { readWorkflow } from './workflow.ts'

type Item = Readonly<Record<string, unknown>>

export interface CodeScene {
  readonly input: readonly unknown[]
  /** What other nodes gave out, by their names. */
  readonly nodes?: Readonly<Record<string, readonly unknown[]>>
  /** What the workflow remembers between its executions. */
  readonly memory?: Record<string, unknown>
}

/** When every Code node of the tests runs. */
export const CODE_RUNS_AT = Date.parse('2026-11-16T06:00:00Z')

class FixedDate extends Date {
  static override now = () => CODE_RUNS_AT
}

/** Runs the text of a Code node as it is shipped. How n8n itself treats it, `npm run test:n8n` shows. */
export function runCode(file: string, name: string, scene: CodeScene): readonly Item[] {
  const workflow = readWorkflow(file, readFileSync(`n8n/workflows/${file}.json`, 'utf8'))
  if (typeof workflow === 'string') throw new Error(`${file}: ${workflow}`)
  const node = workflow.nodes.find((one) => one.name === name)
  const text = node?.parameters['jsCode']
  if (typeof text !== 'string') throw new Error(`${file} has no code named ${name}`)
  const { input, nodes = {}, memory = {} } = scene
  const given = {
    $input: reading(input),
    $: (other: string) => reading(nodes[other] ?? []),
    $getWorkflowStaticData: () => memory,
    $execution: { id: '1' },
    $runIndex: 0,
    Date: FixedDate,
  }
  const returned: unknown = runInNewContext(`JSON.stringify((() => {${text}\n})())`, given)
  return (JSON.parse(String(returned)) as readonly { readonly json: Item }[]).map(
    ({ json }) => json,
  )
}

function reading(given: readonly unknown[]) {
  const items = given.map((json) => ({ json }))
  return { all: () => items, first: () => items[0] }
}
