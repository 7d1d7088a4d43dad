import { REDACTED, Secret } from './secret.ts'

/**
 * The last net under everything that leaves the process as text: logs, error answers, alerts.
 * Secrets are a type (`Secret`) and URLs are printed by `printableUrl`; this catches what slipped past both.
 */
const PATTERNS: readonly (readonly [found: RegExp, replacement: string])[] = [
  // The query of any URL: keys, tokens and signatures travel there.
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s"'<>?#\\]*)[?#][^\s"'<>\\]*/gi, `$1?${REDACTED}`],
  // Name and password before the host.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/"'<>@\\]+@/gi, `$1${REDACTED}@`],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  // A whole header's value, up to the end of its line or string.
  [
    /\b((?:set-)?cookie|authorization)(["']?\s*[:=]\s*)(?!\s*\*\*\*)["']?[^"'\r\n\\]+/gi,
    `$1$2${REDACTED}`,
  ],
  // name=value and "name": "value" for names that only ever hold secrets.
  [
    /\b((?:web_session|a1|sub|subp|cookie_value|cookie_encrypted|api[_-]?key|app_?secret|secret|password|passwd|(?:access|refresh|tenant_access|admin|read|collect)?_?token|master_?key))(["']?\s*[:=]\s*["']?)(?!\*\*\*)[^\s"'&;,}\\]+/gi,
    `$1$2${REDACTED}`,
  ],
]

const SECRET_FIELD =
  /^(authorization|cookie|set-cookie|cookie_?value|cookie_?encrypted|web_session|(x-)?api-?_?key|bing_?api_?key|app_?secret|secret|password|.*token|.*master_?key)$/i

export function redactText(text: string): string {
  let safe = text
  for (const [found, replacement] of PATTERNS) safe = safe.replace(found, replacement)
  return safe
}

/** A copy of `value` that can be printed: secret fields hidden by name, every string by pattern. */
export function redactValue(value: unknown): unknown {
  return copyOf(value, new Set())
}

function copyOf(value: unknown, above: ReadonlySet<object>): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Secret) return REDACTED
  if (above.has(value)) return '[circular]'
  const path = new Set(above).add(value)
  if (value instanceof Error) return errorFields(value, path)
  if (value instanceof URL) return printableUrl(value)
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.map((item) => copyOf(item, path))
  if (value instanceof Map || value instanceof Headers) return fieldsOf([...value.entries()], path)
  if (value instanceof Set) return [...value].map((item) => copyOf(item, path))
  return fieldsOf(Object.entries(value), path)
}

function fieldsOf(entries: [unknown, unknown][], path: ReadonlySet<object>) {
  return Object.fromEntries(
    entries.map(([name, field]) => [
      redactText(String(name)),
      SECRET_FIELD.test(String(name)) && typeof field !== 'boolean' && field != null
        ? REDACTED
        : copyOf(field, path),
    ]),
  )
}

function errorFields(error: Error, path: ReadonlySet<object>) {
  return {
    name: error.name,
    message: redactText(error.message),
    ...(error.stack && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && { cause: copyOf(error.cause, path) }),
  }
}

/** A URL as it may be shown to people: without name, password, query and fragment. */
export function printableUrl(url: string | URL): string {
  const parsed = typeof url === 'string' ? URL.parse(url) : url
  if (!parsed) return '[not a URL]'
  const host = `${parsed.protocol}//${parsed.host}`
  return `${host}${parsed.pathname}${parsed.search ? '?…' : ''}`
}
