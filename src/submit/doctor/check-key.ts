import { describeHttpFailure } from '../../core/http.ts'
import { printableUrl } from '../../core/redact.ts'
import { isUsableKey, hideKey } from '../channels/indexnow/key.ts'
import { type KeyFileLook, lookAtKeyFile } from '../channels/indexnow/key-file.ts'
import type { Care } from './care.ts'
import { type Finding, finding } from './finding.ts'
import { REQUEST_MS } from './limits.ts'
import type { Patient } from './patient.ts'

type Keyed = Pick<Patient, 'apiKey' | 'keyLocation' | 'host'>

/** The key's form, and the file with which a site shows that the key is its own. */
export async function checkKey(patient: Keyed, care: Care): Promise<readonly Finding[]> {
  const { apiKey: key, keyLocation } = patient
  if (!isUsableKey(key)) {
    return [
      finding('key-format-invalid', {
        subject: 'key',
        message: `The key ${key.hint()} is not 8 to 128 characters of A-Z, a-z, 0-9 and -, so its file was not looked for.`,
        fix: 'Make a new one: sluice key new --write FOLDER, with the folder that your site serves.',
      }),
    ]
  }
  const { http, signal } = care
  const look = await lookAtKeyFile({ key, keyLocation, http, timeoutMs: REQUEST_MS, signal })
  return [
    finding('key-format', { subject: 'key', message: `The key ${key.hint()} has the right form.` }),
    ...judgeFile(look, patient),
  ]
}

/** The key file's address as it may be printed. */
export function shownKeyFile({ apiKey, keyLocation }: Keyed): string {
  const shown = printableUrl(keyLocation)
  // What is no key is written otherwise in an address, and would not be found there.
  return isUsableKey(apiKey) ? hideKey(shown, apiKey) : shown.replace(/[^/]*$/, '….txt')
}

function judgeFile(look: KeyFileLook, patient: Keyed): readonly Finding[] {
  const { apiKey: key, keyLocation } = patient
  const subject = shownKeyFile(patient)
  const put = `Put a file with nothing but the key, as plain UTF-8 text, where ${subject} is; sluice key new --write FOLDER makes one.`
  const problem = (code: Finding['code'], what: string, fix: string) => [
    finding(code, { subject, message: `The key file ${what}`, fix }),
  ]
  if (look.kind === 'unreadable') {
    const why = hideKey(describeHttpFailure(look.failure), key)
    const fix = `Open ${subject} in a browser: engines must reach it from the internet.`
    return problem('key-file-unreachable', `could not be read. ${why}`, fix)
  }
  const { status, content } = look
  if (status >= 300 && status < 400) {
    const target = look.location && URL.parse(look.location, keyLocation)
    const to = target ? ` to ${hideKey(printableUrl(target), key)}` : ''
    const fix = `Serve the file at ${subject} itself with 200, without a redirect, or use the host it leads to for the sitemap as well.`
    return problem('key-file-redirected', `answers ${status} and redirects${to}.`, fix)
  }
  if (status >= 500) {
    const fix = `Look at the server's log; ${subject} must answer 200.`
    return problem('key-file-unreachable', `answers ${status}.`, fix)
  }
  if (status !== 200) {
    const isRefused = status === 401 || status === 403
    const fix = isRefused
      ? `Let everybody read ${subject}: a firewall or a login stands before it.`
      : put
    return problem('key-file-missing', `answers ${status}.`, fix)
  }
  if (content === 'page') {
    const fix = `Exclude ${subject} from the rule that answers every address with the app's page. ${put}`
    return problem('key-file-is-html', 'is a web page instead of the key.', fix)
  }
  if (content === 'empty') return problem('key-file-empty', 'is empty.', put)
  if (content === 'other') {
    return problem('key-file-wrong-content', 'holds something else than the key.', put)
  }
  return rightFile(look, patient, subject)
}

type Answered = Extract<KeyFileLook, { kind: 'answered' }>

/** It holds the key; is anything else about it such that an engine might refuse it? */
function rightFile(
  { content, contentType }: Answered,
  { keyLocation }: Keyed,
  subject: string,
): readonly Finding[] {
  const doubts: Finding[] = []
  const doubt = (code: Finding['code'], message: string, fix: string) =>
    doubts.push(finding(code, { subject, message: `The key file ${message}`, fix }))
  if (content === 'marked') {
    const fix = 'Save the file as UTF-8 without a byte order mark (BOM).'
    doubt('key-file-byte-order-mark', 'begins with a byte order mark.', fix)
  }
  if (content === 'padded') {
    const fix = 'Save the file without a line break at its end: printf %s KEY > KEY.txt'
    doubt('key-file-whitespace', 'has white space around the key.', fix)
  }
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'text/plain') {
    const served = type === undefined ? 'without a content type' : `as ${type.slice(0, 60)}`
    const fix = 'Let the server send "Content-Type: text/plain; charset=utf-8" for .txt files.'
    doubt('key-file-content-type', `is served ${served}, not as text/plain.`, fix)
  }
  if (URL.parse(keyLocation)?.protocol === 'http:') {
    const fix = 'Serve the site by https, and use its https:// address for the sitemap.'
    doubt('key-file-insecure', 'is served by http: anybody in between can read the key.', fix)
  }
  if (doubts.length > 0) return doubts
  const message = 'The key file is served directly and holds exactly the key.'
  return [finding('key-file', { subject, message })]
}
