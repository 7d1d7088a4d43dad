import type { Reply } from '../faults.ts'
import { type Decision, json, type Step } from '../stand-in.ts'

/**
 * What Bitable refuses with: its own code, its words, and the HTTP status that goes with it, which for most is 200.
 * From the error tables of the Open Platform's reference (records, tables, fields). Where its pages disagree
 * (1254014 is 200 for a field, 400 for a table) the stricter one is taken. Not documented, but seen in public logs and in
 * the code of official clients: 10003, 10014 with status 200; 99991661, 99991663 and 99992402 with status 400.
 */
const CODES = {
  10003: [200, 'invalid param'],
  10014: [200, 'app secret invalid'],
  99991400: [400, 'request trigger frequency limit'],
  99991661: [400, 'Missing access token for authorization. Please make a test attempt in the API'],
  99991663: [400, 'Invalid access token for authorization. Please make a test attempt in the API'],
  99992402: [400, 'field validation failed'],
  1254000: [200, 'WrongRequestJson'],
  1254001: [200, 'WrongRequestBody'],
  1254002: [200, 'Fail'],
  1254011: [400, 'Page size must greater than 0.'],
  1254012: [400, 'NotSupportFieldOrView'],
  1254013: [200, 'TableNameDuplicated'],
  1254014: [400, 'FieldNameDuplicated'],
  1254015: [400, 'Field types do not match.'],
  1254016: [200, 'InvalidSort'],
  1254018: [200, 'InvalidFilter'],
  1254024: [200, 'InvalidFieldNames'],
  1254029: [400, 'InvalidFieldName'],
  1254037: [400, 'Invalid client token, make sure that it complies with the specification.'],
  1254040: [200, 'BaseTokenNotFound'],
  1254041: [200, 'TableIdNotFound'],
  1254043: [200, 'RecordIdNotFound'],
  1254045: [200, 'FieldNameNotFound'],
  1254060: [200, 'TextFieldConvFail'],
  1254061: [200, 'NumberFieldConvFail'],
  1254062: [200, 'SingleSelectFieldConvFail'],
  1254063: [200, 'MultiSelectFieldConvFail'],
  1254064: [200, 'DatetimeFieldConvFail'],
  1254065: [200, 'CheckboxFieldConvFail'],
  1254068: [200, 'URLFieldConvFail'],
  1254072: [200, 'Failed to convert phone field, please make sure it is correct.'],
  1254100: [200, 'TableExceedLimit'],
  1254103: [200, 'RecordExceedLimit'],
  1254104: [200, 'RecordAddOnceExceedLimit'],
  1254130: [200, 'TooLargeCell'],
  1254290: [200, 'TooManyRequest'],
  1254291: [200, 'Write conflict'],
  1254607: [400, 'Data not ready, please try again later'],
  1255001: [200, 'InternalError'],
  1255006: [400, 'Client token conflict, please generate a new client token and try again.'],
  1255040: [504, 'Request timed out, please try again later'],
} as const satisfies Record<number, readonly [status: number, message: string]>

export type BitableCode = keyof typeof CODES

/** A refusal of a whole request; nothing of it is done. */
export class Refused extends Error {
  readonly code: BitableCode
  /** Which parameter is to blame, where the platform says so. */
  readonly field: string | undefined

  constructor(code: BitableCode, field?: string) {
    super(CODES[code][1])
    this.code = code
    this.field = field
  }
}

export function refusal(code: BitableCode, field?: string): Reply {
  const [status, msg] = CODES[code]
  const violations = field && [{ field, description: `${field} is invalid` }]
  return json(status, {
    code,
    msg,
    error: { log_id: '20261116000000', ...(violations && { field_violations: violations }) },
  })
}

/** For a script: Bitable answers so, whatever it was asked, and does nothing. */
export const refuses = (code: BitableCode): Step => ({ reply: refusal(code) })

export const granted = (data: unknown, commit?: () => void): Decision => ({
  reply: json(200, { code: 0, msg: 'success', data }),
  ...(commit && { commit }),
})
