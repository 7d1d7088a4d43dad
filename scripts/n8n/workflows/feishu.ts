import { type Canvas, TYPES } from '../canvas.ts'
import { called, choose, code, KEEPS_NOTHING, request } from '../nodes.ts'

const TOKEN_URL =
  "={{ $('Called').first().json.feishu_url }}/open-apis/auth/v3/tenant_access_token/internal"

const QUEUE = `
// Only numbers go round the loop: what is sent stays where it came in.
const { statusCode, body, error } = $input.first().json
if (body?.code !== 0) throw new Error('Feishu gave no token: code ' + body?.code + ' ' + (body?.msg ?? error?.message ?? 'HTTP ' + statusCode))
return $('Called').all().map((_, index) => ({ json: { index, attempt: 0, renewals: 0, page_token: '' } }))
`

const JUDGE = `
// The one place that says what an answer of Feishu means. HTTP 200 says nothing: the code does.
const TOKEN_CODES = [99991661, 99991663, 99991664, 99991665, 99991668, 99991677]
const BUSY_CODES = [1254290, 1254291, 1254607, 1254002, 1255001, 1255002, 1255040, 99991400]
const asked = $('Due').first().json
const { statusCode, body, error } = $input.first().json
const { backoff_seconds, fields_kept } = $('Shape').all()[asked.index].json
const code = body?.code
const verdict = (outcome, more = {}) => [{ json: { ...asked, run: $runIndex, outcome, ...more } }]

if (statusCode === 200 && code === 0) {
  const { items = [], records = [], has_more = false, page_token = '', ...data } = body.data ?? {}
  const kept = fields_kept ? items : []
  if (has_more) return verdict('more', { page_token, items: kept })
  return verdict('done', { items: kept, count: items.length || records.length, data })
}
const msg = String(body?.msg ?? error?.message ?? 'HTTP ' + statusCode).slice(0, 300)
if (TOKEN_CODES.includes(code) && asked.renewals < 2) return verdict('token', { renewals: asked.renewals + 1 })
// A lost answer is one of these: the same request goes out again, with the same client_token.
const isPassing = BUSY_CODES.includes(code) || code === undefined || statusCode >= 500 || statusCode === 429
const wait = isPassing ? backoff_seconds[asked.attempt] : undefined
if (wait !== undefined) return verdict('retry', { attempt: asked.attempt + 1, wait })
return verdict(isPassing ? 'gave-up' : 'refused', { code: code ?? null, msg })
`

const SHAPE = `
// What the loop has to know of each request, without its body.
return $input.all().map(({ json }) => ({ json: { backoff_seconds: json.backoff_seconds, fields_kept: json.fields_kept ?? true } }))
`

const ANSWERS = `
// One answer for each request, in order; those after one that was given up were not tried and are missing.
const answers = []
for (let run = 0; run <= $('Judge').first().json.run; run++) {
  const { index, outcome, items = [], count = 0, data = {}, code = 0, msg = '', attempt } = $('Judge').first(0, run).json
  if (outcome === 'retry' || outcome === 'token') continue
  const sofar = answers[index]?.items ?? []
  answers[index] = { outcome, code, msg, attempts: attempt + 1, count, data, items: [...sofar, ...items] }
}
return answers.map((json) => ({ json }))
`

/**
 * All that is asked of Feishu goes through here, one request at a time: the token, the test of the code, the backoff, the next
 * pages. Nothing of its executions is kept, because the token is in them; who calls it keeps the answers.
 *
 * An item: `feishu_url`, `backoff_seconds`, `request_id`, `method`, `path` (with its query), `body` (JSON text; empty for
 * none), `fields_kept` (false: the rows of the answer are not wanted).
 * An answer: `outcome` (done, refused, gave-up), `code`, `msg`, `attempts`, `items`, `count`, `data`.
 */
export const feishu: Canvas = {
  id: 'sluice-feishu',
  name: 'Sluice · feishu',
  publishOrder: 1,
  settings: KEEPS_NOTHING,
  nodes: [
    called({ name: 'Called', at: [0, 0] }),
    code(SHAPE, { name: 'Shape', at: [1, 0] }),
    {
      ...request({
        name: 'Token',
        at: [2, 0],
        method: 'POST',
        url: TOKEN_URL,
        body: '={{ {} }}',
        auth: 'feishu',
      }),
      executeOnce: true,
    },
    code(QUEUE, { name: 'Queue', at: [3, 0] }),
    {
      ...TYPES.batches,
      name: 'One at a time',
      at: [4, 0],
      parameters: { batchSize: 1, options: {} },
    },
    code(ANSWERS, { name: 'Answers', at: [9, -1] }),
    code('return $input.all()', { name: 'Due', at: [5, 1] }),
    {
      ...request({
        name: 'Ask',
        at: [6, 1],
        method: "={{ $('Called').all()[$json.index].json.method }}",
        url: "={{ $('Called').all()[$json.index].json.feishu_url + $('Called').all()[$json.index].json.path + ($json.page_token ? '&page_token=' + encodeURIComponent($json.page_token) : '') }}",
        headers: {
          Authorization:
            "=Bearer {{ ($('New token').isExecuted ? $('New token').first() : $('Token').first()).json.body.tenant_access_token }}",
          'X-Request-ID': "={{ $('Called').all()[$json.index].json.request_id }}",
        },
        rawBody: "={{ $('Called').all()[$json.index].json.body }}",
        timeoutMs: 60_000,
      }),
    },
    code(JUDGE, { name: 'Judge', at: [7, 1] }),
    choose('$json.outcome', ['done', 'refused', 'more', 'retry', 'token'], {
      name: 'And now?',
      at: [8, 1],
    }),
    {
      ...TYPES.wait,
      name: 'Backoff',
      at: [7, 2],
      parameters: { resume: 'timeInterval', amount: '={{ $json.wait }}', unit: 'seconds' },
    },
    request({
      name: 'New token',
      at: [7, 3],
      method: 'POST',
      url: TOKEN_URL,
      body: '={{ {} }}',
      auth: 'feishu',
    }),
    code("return [{ json: $('Judge').first().json }]", { name: 'With it', at: [8, 3] }),
  ],
  wires: [
    ['Called', 'Shape'],
    ['Shape', 'Token'],
    ['Token', 'Queue'],
    ['Queue', 'One at a time'],
    [['One at a time', 0], 'Answers'],
    [['One at a time', 1], 'Due'],
    ['Due', 'Ask'],
    ['Ask', 'Judge'],
    ['Judge', 'And now?'],
    [['And now?', 0], 'One at a time'],
    [['And now?', 1], 'One at a time'],
    [['And now?', 2], 'Due'],
    [['And now?', 3], 'Backoff'],
    [['And now?', 4], 'New token'],
    [['And now?', 5], 'Answers'],
    ['Backoff', 'Due'],
    ['New token', 'With it'],
    ['With it', 'Due'],
  ],
}
