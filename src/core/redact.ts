import { REDACTED, Secret } from './secret.ts'

/**
 * The last net under everything that leaves the process as text: logs, error answers, alerts.
 * Secrets are a type (`Secret`) and URLs are printed by `printableUrl`; this catches what slipped past both.
 *
 * A mesh too fine makes logs useless. Where a program wrote it (`name=value`, `"name": "value"`, also escaped inside
 * another string) a secret's name is believed at once; in a sentence (`invalid token: expired`) only when the value
 * looks like a secret too.
 */
export function redactText(text: string): string {
  let safe = text
  for (const [found, replacement] of PATTERNS) safe = safe.replace(found, replacement)
  return safe
}

// Repetitions that may start anywhere are bounded, so that no text takes more than linear time.
const SCHEME = String.raw`\b[a-z][a-z0-9+.-]{0,20}:(?:\\*\/){2}`
// To the end of a URL in prose, code or JSON; an escaped `&` or `/` and the quote of `it's` do not end it.
const URL_REST = String.raw`(?:[^\s"'<>\\]|\\+u00[0-9a-f]{2}|\\+\/|'(?=[\w&=%]))+`

const NAME_START = String.raw`(?<![\w-])[\w-]*?`
const SECRET_NAME = String.raw`(?:(?:api|master|private|encryption)[_ -]?key|secret|passw(?:or)?d|token|authorization|web_session|cookie_?(?:value|encrypted))`
const HEADER_NAME = String.raw`(?:cookie(?:_?value)?|authorization)`
const LOOKS_SECRET = String.raw`(?=[^\s"'&;,]*\d|[^\s"'&;,]{20})[^\s"'&;,<>\\]{8}`
const NOT_YET = String.raw`(?!\*\*\*)`

const PATTERNS = (
  [
    // Name and password before the host.
    [String.raw`(${SCHEME})[^\s/"'<>\\]+@`, `$1${REDACTED}@`],
    // The query and the fragment of any URL: keys, tokens and signatures travel there.
    [
      String.raw`(${SCHEME}(?:[^\s"'<>?#\\]|\\+\/){0,2000})([?#])(?!…)${URL_REST}`,
      `$1$2${REDACTED}`,
    ],
    // The same without a scheme: `/indexnow?key=…`, `&apikey=…`.
    [String.raw`([?&])[\w.~%[\]-]{1,60}=${NOT_YET}${URL_REST}`, `$1${REDACTED}`],
    // Chat webhooks carry their secret in the path.
    [
      String.raw`((?:hooks\.slack(?:-gov)?\.com\/\w+|discord(?:app)?\.com\/api\/webhooks|\/open-apis\/bot\/v2\/hook)\/)${NOT_YET}[\w/-]+`,
      `$1${REDACTED}`,
    ],
    // A signing secret says itself what it is.
    [String.raw`\bwhsec_[^\s"'<>\\]{8,}`, REDACTED],
    // Quoted values, to the same quote, escaped as often; one that was cut off ends with its line.
    [
      String.raw`(${NAME_START}(?:${SECRET_NAME}|cookie)\\*["']?\s*[:=]\s*(\\*["']))${NOT_YET}[^]*?(?:(?<!\\)\2|(?=[\r\n])|$)`,
      `$1${REDACTED}$2`,
    ],
    // A header as it travels, to the end of its line. `cookie: xhs-1 is cooling` is not one.
    [
      String.raw`(${NAME_START}${HEADER_NAME}\s*[:=]\s*)(?=(?:bearer|basic|digest)\s+(?![<*])|[^\s=;:"'<>\\]{1,80}=${NOT_YET}|[^\s"'<>\\]{32})(?:=\\*"[^"\r\n]*"|[^"\r\n\\])+`,
      `$1${REDACTED}`,
    ],
    // Session cookies with short names: only as a cookie is written, and as long as these are.
    [String.raw`\b(a1|subp?)=${NOT_YET}[^\s"'&;,<>\\]{16,}`, `$1=${REDACTED}`],
    [String.raw`\b(bearer\s+)${LOOKS_SECRET}[\w.~+/=-]*`, `$1${REDACTED}`],
    [
      String.raw`(${NAME_START}${SECRET_NAME}(?:(?:=|%3D)|\\*["']?\s*[:=]\s*(?=${LOOKS_SECRET})))${NOT_YET}[^\s"'&;<>\\]+`,
      `$1${REDACTED}`,
    ],
  ] as const
).map(([found, replacement]) => [new RegExp(found, 'gi'), replacement] as const)

const SECRET_FIELD = new RegExp(
  String.raw`^(?:[\w-]*${SECRET_NAME}|(?:set-)?cookie|cookie_?keys_?old)$`,
  'i',
)

/** A copy of `value` that can be printed: secret fields hidden by name, every string by pattern. */
export function redactValue(value: unknown): unknown {
  return copyOf(value, new Set())
}

const MAX_DEPTH = 20

function copyOf(value: unknown, above: ReadonlySet<object>): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Secret) return REDACTED
  if (above.has(value)) return '[circular]'
  if (above.size === MAX_DEPTH) return '[deeper]'
  return copyOfObject(value, new Set(above).add(value))
}

function copyOfObject(value: object, path: ReadonlySet<object>): unknown {
  if (value instanceof Error) return errorFields(value, path)
  if (value instanceof URL) return printableUrl(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.map((item) => copyOf(item, path))
  if (value instanceof Set) return [...value].map((item) => copyOf(item, path))
  return fieldsOf(isKeyed(value) ? value.entries() : Object.entries(value), path)
}

/** A Map, or the Headers of any `fetch`: a library's own are not an instance of the global class. */
function isKeyed(value: object): value is Map<unknown, unknown> {
  return value instanceof Map || Object.prototype.toString.call(value) === '[object Headers]'
}

function fieldsOf(entries: Iterable<[unknown, unknown]>, path: ReadonlySet<object>) {
  return Object.fromEntries(
    [...entries].map(([name, field]) => [
      redactText(String(name)),
      isSecretField(String(name), field) ? REDACTED : copyOf(field, path),
    ]),
  )
}

function isSecretField(name: string, field: unknown): boolean {
  return SECRET_FIELD.test(name) && typeof field !== 'boolean' && field != null && field !== ''
}

function errorFields(error: Error, path: ReadonlySet<object>) {
  return {
    name: error.name,
    message: redactText(error.message),
    ...(error.stack && { stack: redactText(error.stack) }),
    ...fieldsOf(Object.entries(error), path),
    ...(error.cause !== undefined && { cause: copyOf(error.cause, path) }),
    ...(error instanceof AggregateError && { errors: copyOf(error.errors, path) }),
  }
}

/** A URL as it may be shown to people: without name, password, query, fragment and a webhook's secret path. */
export function printableUrl(url: string | URL): string {
  const parsed = typeof url === 'string' ? URL.parse(url) : url
  if (!parsed) return '[not a URL]'
  if (!parsed.host) return `${parsed.protocol}…`
  const host = `${parsed.protocol}//${parsed.host}`
  return redactText(`${host}${parsed.pathname}${parsed.search ? '?…' : ''}`)
}
