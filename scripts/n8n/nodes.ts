import { type CanvasNode, TYPES } from './canvas.ts'

type Placed = Pick<CanvasNode, 'name' | 'at'>

/** What every workflow with a start of its own has besides: its failures are told by the error workflow. */
export const TELLS_ERRORS = { errorWorkflow: 'sluice-error' } as const

/** Nothing of it is kept: it sees tokens, or says nothing that anybody would look up. */
export const KEEPS_NOTHING = {
  saveDataSuccessExecution: 'none',
  saveDataErrorExecution: 'none',
  saveManualExecutions: false,
  saveExecutionProgress: false,
} as const

const CREDENTIALS = {
  sluice: { httpHeaderAuth: { id: 'sluice-api', name: 'Sluice API' } },
  feishu: { httpCustomAuth: { id: 'sluice-feishu-app', name: 'Feishu app' } },
  bot: { crypto: { id: 'sluice-feishu-bot', name: 'Feishu bot' } },
} as const

export const cron = (expression: string, placed: Placed): CanvasNode => ({
  ...placed,
  ...TYPES.schedule,
  parameters: { rule: { interval: [{ field: 'cronExpression', expression }] } },
})

export const manual = (placed: Placed): CanvasNode => ({
  ...placed,
  ...TYPES.manual,
  parameters: {},
})

/** Takes whatever it is called with. */
export const called = (placed: Placed): CanvasNode => ({
  ...placed,
  ...TYPES.called,
  parameters: { inputSource: 'passthrough' },
})

export const call = (workflowId: string, placed: Placed): CanvasNode => ({
  ...placed,
  ...TYPES.call,
  onError: 'continueErrorOutput',
  parameters: {
    source: 'database',
    workflowId: { __rl: true, mode: 'id', value: workflowId },
    workflowInputs: { mappingMode: 'defineBelow', value: {}, matchingColumns: [], schema: [] },
    mode: 'once',
    options: { waitForSubWorkflow: true },
  },
})

export const settingsCall = (placed: Placed): CanvasNode => {
  const { onError: _, ...node } = call('sluice-settings', placed)
  return { ...node, executeOnce: true }
}

/** Its error output, where it has one, is the second. */
export const code = (text: string, placed: Placed): CanvasNode => ({
  ...placed,
  ...TYPES.code,
  parameters: { jsCode: text.trim() },
})

/**
 * What it throws goes out by its second output: whoever holds a lock gives it back there. Others have to name the first,
 * `$('…').first(0)`: of two ways that lead to them n8n takes either.
 */
export const guardedCode = (text: string, placed: Placed): CanvasNode => ({
  ...code(text, placed),
  onError: 'continueErrorOutput',
})

export const noOp = (placed: Placed): CanvasNode => ({ ...placed, ...TYPES.noOp, parameters: {} })

export const stop = (message: string, placed: Placed): CanvasNode => ({
  ...placed,
  ...TYPES.stop,
  parameters: { errorMessage: message },
})

/** An output for each value that the expression may have, and a last one for all others. */
export const choose = (
  expression: string,
  values: readonly string[],
  placed: Placed,
): CanvasNode => ({
  ...placed,
  ...TYPES.switch,
  parameters: {
    rules: {
      values: values.map((value) => ({
        conditions: {
          options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
          conditions: [
            {
              leftValue: `={{ String(${expression}) }}`,
              rightValue: value,
              operator: { type: 'string', operation: 'equals' },
            },
          ],
          combinator: 'and',
        },
        renameOutput: true,
        outputKey: value,
      })),
    },
    options: { fallbackOutput: 'extra' },
  },
})

interface Request extends Placed {
  readonly method: string
  readonly url: string
  /** An expression whose value is JSON text. */
  readonly body?: string
  /** The same, but sent as it is, and not at all with a GET. */
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly auth?: keyof typeof CREDENTIALS
}

/**
 * Whatever is answered comes as `{statusCode, body}`, a failure to ask as `{error: {message}}`; nothing is tried again here.
 * n8n puts the credential into the whole of `$json.error`: only its message may be taken.
 */
export const request = ({ method, url, headers, auth, ...given }: Request): CanvasNode => {
  const { timeoutMs = 30_000, body, rawBody, ...placed } = given
  const credentials = auth && CREDENTIALS[auth]
  return {
    ...placed,
    ...TYPES.http,
    onError: 'continueRegularOutput',
    ...(credentials && { credentials }),
    parameters: {
      method,
      url,
      ...(credentials && {
        authentication: 'genericCredentialType',
        genericAuthType: Object.keys(credentials)[0],
      }),
      ...(headers && {
        sendHeaders: true,
        headerParameters: {
          parameters: Object.entries(headers).map(([name, value]) => ({ name, value })),
        },
      }),
      ...(body !== undefined && {
        sendBody: true,
        contentType: 'json',
        specifyBody: 'json',
        jsonBody: body,
      }),
      ...(rawBody !== undefined && {
        sendBody: true,
        contentType: 'raw',
        rawContentType: 'application/json; charset=utf-8',
        body: rawBody,
      }),
      options: {
        timeout: timeoutMs,
        redirect: { redirect: { followRedirects: false } },
        response: { response: { neverError: true, fullResponse: true } },
      },
    },
  }
}

/** SPEC C06: one id for all that an execution asks for. */
const requestId = (workflow: string) => `n8n-${workflow}-{{ $execution.id }}`

/** A request to Sluice's API, under the id of this execution. */
export const sluice = (
  workflow: string,
  { path, ...rest }: Omit<Request, 'url' | 'auth' | 'headers'> & { readonly path: string },
): CanvasNode =>
  request({
    ...rest,
    url: `={{ $('Settings').first().json.sluice_url }}${path}`,
    headers: { 'X-Request-ID': `=${requestId(workflow)}` },
    auth: 'sluice',
  })

export const hmac = (placed: Placed): CanvasNode => ({
  ...placed,
  ...TYPES.crypto,
  credentials: CREDENTIALS.bot,
  parameters: {
    action: 'hmac',
    type: 'SHA256',
    // An empty text, which n8n takes for a missing one unless it is an expression.
    value: "={{ '' }}",
    dataPropertyName: 'sign',
    encoding: 'base64',
  },
})
