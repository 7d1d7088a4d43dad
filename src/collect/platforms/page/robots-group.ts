import { MAX_ROBOTS_RULES, MAX_ROBOTS_RULES_LENGTH } from '../limits.ts'

/**
 * The rules of a robots.txt that are meant for us, as a group for everybody: those that name us or, where none does,
 * those for all. The parser would keep every rule once for each name above it, and a file of 20,000 names and 20,000
 * rules is as large as the machine. Undefined: more than could be gone through for each page.
 */
export function groupFor(text: string, userAgent: string): string | undefined {
  const own = productOf(userAgent)
  const rules = { own: openRules(), all: openRules() }
  let isAmongNames = false
  let reaches = { own: false, all: false }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = FIELD.exec(line) ?? []
    const name = field.toLowerCase()
    // RFC 9309: whatever else stands in between (`Sitemap:`) parts no group.
    if (name !== 'user-agent' && !GROUPED.has(name)) continue
    if (name === 'user-agent') {
      if (!isAmongNames) reaches = { own: false, all: false }
      if (productOf(value) === own) reaches.own = true
      if (productOf(value) === '*') reaches.all = true
    } else {
      if (reaches.own) rules.own.add(name, value)
      if (reaches.all) rules.all.add(name, value)
    }
    isAmongNames = name === 'user-agent'
  }
  const chosen = rules.own.isNamed() ? rules.own : rules.all
  return chosen.text()
}

// What follows a # is a comment.
const FIELD = /^\s*([a-z-]{1,40})\s*:([^#]*)/i
const GROUPED = new Set(['allow', 'disallow', 'crawl-delay'])

/** `Sluice/0.1.0` is called sluice. */
function productOf(userAgent: string): string {
  return (userAgent.split('/', 1)[0] ?? '').trim().toLowerCase()
}

function openRules() {
  const lines: string[] = []
  let length = 0
  let isNamed = false
  return {
    add(name: string, value: string) {
      isNamed = true
      const pattern = value.trim()
      if (name === 'crawl-delay' || pattern === '') return
      length += pattern.length
      // What is past the limit is only counted.
      if (lines.length <= MAX_ROBOTS_RULES) lines.push(`${name}: ${pattern}`)
    },
    /** A group that rules nothing out is a group all the same. */
    isNamed: () => isNamed,
    text(): string | undefined {
      const isTooMany = lines.length > MAX_ROBOTS_RULES || length > MAX_ROBOTS_RULES_LENGTH
      return isTooMany ? undefined : ['User-agent: *', ...lines].join('\n')
    },
  }
}
