import { type CanvasNode, TYPES, type Wire } from './canvas.ts'
import { choose, code, noOp, sluice, stop } from './nodes.ts'

interface LeaseOptions {
  /** Of the workflow: goes into the id of its requests. */
  readonly workflow: string
  /** The name of the lock, with expressions in it. */
  readonly lock: string
  readonly column: number
  /** Where the end stands. */
  readonly endColumn: number
}

/** Whoever works on a Base holds this, whatever the workflow: Bitable bears one writer at a time. */
export const MIRROR_LOCK = "mirror:{{ $('Settings').first().json.app_token }}"

/** Takes what a guarded node threw, and leaves its message alone. */
const FAILURE = `
const { error } = $input.first().json
const message = typeof error === 'string' ? error : error?.message ?? 'Something failed without a word.'
return [{ json: { message: message.replace(/ \\[line .*$/i, '') } }]
`

const ENDING = `
// Sluice may just be starting anew: a lock that is not given back is lost for half an hour.
const { statusCode, body, error } = $input.first().json
const isFailed = $('Failure').isExecuted
if (statusCode === 200) return [{ json: { next: isFailed ? 'failed' : 'done' } }]
const wait = $('Settings').first().json.backoff_seconds[$runIndex]
const isAnswered = statusCode !== undefined && statusCode < 500
if (wait !== undefined && !isAnswered) return [{ json: { next: 'again', wait } }]
const why = body?.error?.message ?? error?.message ?? 'HTTP ' + statusCode
return [{ json: { next: isFailed ? 'failed' : 'lost', why } }]
`

/**
 * The lock from Sluice before the work, and its end on every path: after what went well, and after what `Failure` took.
 * Who finds it taken leaves quietly; who cannot ask fails aloud.
 */
export function leaseNodes({ workflow, lock, column, endColumn }: LeaseOptions): CanvasNode[] {
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
      '=Sluice did not give the lock: HTTP {{ $json.statusCode }} {{ $json.body?.error?.message ?? $json.error?.message }}',
      { name: 'No lock', at: [column + 2, 2] },
    ),
    code(FAILURE, { name: 'Failure', at: [endColumn - 1, 2] }),
    sluice(workflow, {
      name: 'Finish',
      at: [endColumn, 0],
      method: 'POST',
      path: "/v1/executions/{{ $('Acquire').first().json.body.data.execution_id }}/finish",
      body: "={{ JSON.stringify({ status: $('Failure').isExecuted ? 'failed' : 'completed', fence: $('Acquire').first().json.body.data.fence }) }}",
    }),
    code(ENDING, { name: 'Ending', at: [endColumn + 1, 0] }),
    choose('$json.next', ['done', 'failed', 'again'], { name: 'Ended?', at: [endColumn + 2, 0] }),
    noOp({ name: 'Done', at: [endColumn + 3, 0] }),
    stop("={{ $('Failure').first().json.message }}", { name: 'Failed', at: [endColumn + 3, 1] }),
    {
      ...TYPES.wait,
      name: 'A moment',
      at: [endColumn + 1, 1],
      parameters: { resume: 'timeInterval', amount: '={{ $json.wait }}', unit: 'seconds' },
    },
    stop('=The lock was not given back: {{ $json.why }}', {
      name: 'Not finished',
      at: [endColumn + 3, 2],
    }),
  ]
}

export const LEASE_WIRES: readonly Wire[] = [
  ['Settings', 'Acquire'],
  ['Acquire', 'Acquired?'],
  [['Acquired?', 1], 'Another one is at work'],
  [['Acquired?', 2], 'No lock'],
  ['Failure', 'Finish'],
  ['Finish', 'Ending'],
  ['Ending', 'Ended?'],
  ['Ended?', 'Done'],
  [['Ended?', 1], 'Failed'],
  [['Ended?', 2], 'A moment'],
  [['Ended?', 3], 'Not finished'],
  ['A moment', 'Finish'],
]
