import type { CanvasNode, Wire } from './canvas.ts'
import { choose, noOp, sluice, stop } from './nodes.ts'

interface LeaseOptions {
  /** Of the workflow: goes into the id of its requests. */
  readonly workflow: string
  /** The name of the lock: an expression's inside, or text. */
  readonly lock: string
  readonly column: number
  /** Where the end stands. */
  readonly endColumn: number
}

/** Whoever works on a Base holds this, whatever the workflow: Bitable bears one writer at a time. */
export const MIRROR_LOCK = "mirror:{{ $('Settings').first().json.app_token }}"

/**
 * The lock from Sluice before the work, and its end on every path: `Finish` after what went well, `Give up` after what did
 * not. Who finds it taken leaves quietly; who cannot ask fails aloud.
 */
export function leaseNodes({ workflow, lock, column, endColumn }: LeaseOptions): CanvasNode[] {
  const end = (name: string, status: 'completed' | 'failed', row: number) =>
    sluice(workflow, {
      name,
      at: [endColumn, row],
      method: 'POST',
      path: "/v1/executions/{{ $('Acquire').first().json.body.data.execution_id }}/finish",
      body: `={{ JSON.stringify({ status: '${status}', fence: $('Acquire').first().json.body.data.fence }) }}`,
    })
  return [
    sluice(workflow, {
      name: 'Acquire',
      at: [column, 0],
      method: 'POST',
      path: '/v1/executions',
      body: `={ "workflow_name": "${lock}" }`,
    }),
    choose('$json.statusCode', ['201', '409'], { name: 'Acquired?', at: [column + 1, 0] }),
    noOp({ name: 'Another one is at work', at: [column + 2, 1] }),
    stop(
      'Sluice did not give the lock: HTTP {{ $json.statusCode }} {{ $json.body?.error?.message ?? $json.error?.message }}'.replace(
        /^/,
        '=',
      ),
      {
        name: 'No lock',
        at: [column + 2, 2],
      },
    ),
    end('Finish', 'completed', 0),
    choose('$json.statusCode', ['200'], { name: 'Finished?', at: [endColumn + 1, 0] }),
    noOp({ name: 'Done', at: [endColumn + 2, 0] }),
    end('Give up', 'failed', 2),
    stop("={{ $('Failure').first().json.message }}", { name: 'Failed', at: [endColumn + 2, 2] }),
    stop('=The lock was not given back: {{ $json.body?.error?.message ?? $json.error?.message }}', {
      name: 'Not finished',
      at: [endColumn + 2, 1],
    }),
  ]
}

export const LEASE_WIRES: readonly Wire[] = [
  ['Settings', 'Acquire'],
  ['Acquire', 'Acquired?'],
  [['Acquired?', 1], 'Another one is at work'],
  [['Acquired?', 2], 'No lock'],
  ['Finish', 'Finished?'],
  ['Finished?', 'Done'],
  [['Finished?', 1], 'Not finished'],
  ['Failure', 'Give up'],
  ['Give up', 'Failed'],
]

/** Takes what a guarded node threw, and leaves its message alone. */
export const FAILURE_CODE = `
const { error } = $input.first().json
const message = typeof error === 'string' ? error : error?.message ?? 'Something failed without a word.'
return [{ json: { message: message.replace(/ \\[(line|Line) .*$/, '') } }]
`
