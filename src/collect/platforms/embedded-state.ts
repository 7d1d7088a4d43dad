import { fail, ok, type Result } from '../../core/result.ts'
import { MAX_LITERAL_DEPTH } from './limits.ts'
import { readMarkup } from './markup.ts'

/** Why no state was read out of a page. None of it holds a part of the page. */
export type StateProblem = 'absent' | 'not-a-literal' | 'unfinished' | 'too-deep' | 'broken'

interface Script {
  readonly type: string
  readonly text: string
}

/** The scripts that are written into a page, in order. */
function inlineScripts(html: string): readonly Script[] {
  const scripts: Script[] = []
  let open: { type: string; parts: string[] } | undefined
  readMarkup(html, {
    onopentag(name, { type = '', src }) {
      if (name === 'script' && src === undefined) open = { type: type.toLowerCase(), parts: [] }
    },
    ontext: (text) => void open?.parts.push(text),
    onclosetag(name) {
      if (name !== 'script' || !open) return
      scripts.push({ type: open.type, text: open.parts.join('') })
      open = undefined
    },
  })
  return scripts
}

/**
 * What a page assigns to `assignment` in one of its scripts. Only scripts count: what people wrote stands in the page
 * too, and may look like anything.
 */
export function embeddedState(html: string, assignment: RegExp): Result<unknown, StateProblem> {
  for (const { text } of inlineScripts(html)) {
    const found = assignment.exec(text)
    if (found) return readLiteral(text, found.index + found[0].length)
  }
  return fail('absent')
}

const WORD = /[A-Za-z_$][\w$]*/y
const WORDS: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  undefined: 'null',
  NaN: 'null',
  Infinity: 'null',
}
const IS_KEY = /\s*:/y
const PLAIN = /[^"'`{}[\]A-Za-z_$]+/y

/**
 * The JavaScript literal that begins at `from`, as JSON would have it: read token by token, so that a word inside of
 * a text stays what it is, and only a bare `undefined` becomes null. Nothing is run. Time is linear in its length.
 */
export function readLiteral(source: string, from = 0): Result<unknown, StateProblem> {
  const json: string[] = []
  let depth = 0
  let at = from
  while (at < source.length) {
    const character = source.charAt(at)
    if (depth === 0 && character !== '{' && character !== '[') return fail('not-a-literal')
    if (character === '"' || character === "'") {
      const text = readText(source, at)
      if (!text) return fail('unfinished')
      json.push(text.json)
      at = text.end
    } else if (character === '{' || character === '[') {
      if (++depth > MAX_LITERAL_DEPTH) return fail('too-deep')
      json.push(character)
      at++
    } else if (character === '}' || character === ']') {
      json.push(character)
      at++
      if (--depth === 0) return parsed(json.join(''))
    } else {
      const token = matchAt(PLAIN, source, at) ?? readWord(source, at)
      if (token === undefined) return fail('not-a-literal')
      json.push(token.json)
      at = token.end
    }
  }
  return fail(depth === 0 ? 'not-a-literal' : 'unfinished')
}

interface Token {
  readonly json: string
  readonly end: number
}

function matchAt(pattern: RegExp, source: string, at: number): Token | undefined {
  pattern.lastIndex = at
  const [json] = pattern.exec(source) ?? []
  return json === undefined ? undefined : { json, end: at + json.length }
}

/** A bare word: a name before a colon, or one of the few that are values. An exponent is none: `1e5`. */
function readWord(source: string, at: number): Token | undefined {
  const word = matchAt(WORD, source, at)
  if (!word) return undefined
  const { json: name, end } = word
  if (/^[eE]\d*$/.test(name) && /\d/.test(source.charAt(at - 1))) return word
  if (matchAt(IS_KEY, source, end)) return { json: JSON.stringify(name), end }
  const json = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined
  return json === undefined ? undefined : { json, end }
}

// To the next character that JSON would have written otherwise, or that ends the text.
// oxlint-disable-next-line no-control-regex
const AS_IT_IS = /[^"'\\\u0000-\u001f]+/y
const JSON_ESCAPES = '"\\/bfnru'
const OTHER_ESCAPES: Readonly<Record<string, string>> = { v: '\\u000b', 0: '\\u0000', '\n': '' }

function readText(source: string, start: number): Token | undefined {
  const quote = source.charAt(start)
  const json = ['"']
  let at = start + 1
  while (at < source.length) {
    const run = matchAt(AS_IT_IS, source, at)
    if (run) {
      json.push(run.json)
      at = run.end
      continue
    }
    const character = source.charAt(at)
    if (character === quote) return { json: `${json.join('')}"`, end: at + 1 }
    const token = character === '\\' ? readEscape(source, at) : readBare(character, at)
    json.push(token.json)
    at = token.end
  }
  return undefined
}

/** The other quote, or a character that JSON wants escaped. */
function readBare(character: string, at: number): Token {
  if (character === "'") return { json: character, end: at + 1 }
  return { json: JSON.stringify(character).slice(1, -1), end: at + 1 }
}

function readEscape(source: string, at: number): Token {
  const escaped = source.charAt(at + 1)
  const end = at + 2
  if (escaped !== '' && JSON_ESCAPES.includes(escaped)) return { json: `\\${escaped}`, end }
  if (escaped === 'x') return { json: '\\u00', end }
  return { json: OTHER_ESCAPES[escaped] ?? readBare(escaped, at).json, end }
}

function parsed(json: string): Result<unknown, StateProblem> {
  try {
    return ok(JSON.parse(json))
  } catch {
    // Its message would repeat a part of the page.
    return fail('broken')
  }
}
