/** A sentence of ours in English, and the same in another language. `{name}` stands for what differs. */
export type Phrase = readonly [english: string, other: string]

/** The same in another language; undefined where the words are not ours. */
export type Translate = (english: string) => string | undefined

/**
 * Says in another language what our own code has said in English. Messages are kept as sentences, for programs and people
 * alike, and only a page knows in which language somebody reads. In a phrase `{n}` and `{n2}` are numbers, `{+…}` more of our
 * own words, `{list…}` several things, `{said…}` our words or another's, `{text…}` another's words for sure, and any other
 * name something without a space, such as an address. Sentences that follow each other are phrases of their own. A phrase of
 * one word is found in lists and in others' words, too: it must mean there what it means alone.
 */
export function translator(phrases: readonly Phrase[], comma: string): Translate {
  // Whoever says more of a text itself knows it better.
  const compiled = phrases.map(compile).toSorted((a, b) => b.fixedLength - a.fixedLength)

  const translate = (text: string, search: Search): string | undefined => {
    if (search.depth === DEEPEST || search.inVain.has(text)) return undefined
    const within = { ...search, depth: search.depth + 1 }
    for (const { landmark, pattern, other } of compiled) {
      const found = text.includes(landmark) ? pattern.exec(text) : null
      const said = found ? fill(other, found.groups ?? {}, within) : undefined
      if (said !== undefined) return said
    }
    search.inVain.add(text)
    return undefined
  }

  const fill = (other: string, { rest, ...found }: Groups, search: Search) => {
    const next = rest === undefined ? '' : translate(rest, search)
    if (next === undefined) return undefined
    let isWhole = true
    const filled = other.replaceAll(PLACE, (_, kind: string, name: string) => {
      const said = isWhole ? sayPart(`${kind}${name}`, found[name] ?? '', search) : undefined
      isWhole &&= said !== undefined
      return said ?? ''
    })
    return isWhole ? `${filled}${next}` : undefined
  }

  const sayPart = (name: string, given: string, search: Search) => {
    if (name.startsWith('+')) return translate(given, search)
    if (name.startsWith('list')) {
      const parts = given.split(COMMA)
      return parts.map((part) => translate(part, search) ?? part).join(comma)
    }
    const mayBeOurs = name.startsWith('said') || given === NO_ADDRESS
    return mayBeOurs ? (translate(given, search) ?? given) : given
  }

  return (text) =>
    text.length > LONGEST ? undefined : translate(text, { depth: 0, inVain: new Set() })
}

/** Others' words may read like ours over and over: what was tried in vain is not tried again, nor for ever. */
interface Search {
  readonly depth: number
  readonly inVain: Set<string>
}

/** Nothing of ours is that long, or goes on for so many sentences. */
const LONGEST = 4_000
const DEEPEST = 50

type Groups = Readonly<Record<string, string>>

/** Between the things of a list, not inside of one that is quoted. */
const COMMA = /, (?=(?:[^"]*"[^"]*")*[^"]*$)/

/** What `printableUrl` makes of something that is no address. */
const NO_ADDRESS = '[not a URL]'

const PLACE = /\{(\+?)(\w+)\}/g

interface Compiled {
  /** What a text must hold to be worth a closer look. */
  readonly landmark: string
  readonly fixedLength: number
  readonly pattern: RegExp
  readonly other: string
}

function compile([english, other]: Phrase): Compiled {
  const fixed = english.split(/\{\+?\w+\}/)
  const names = [...english.matchAll(PLACE)].map(
    ([, kind = '', name = '']) => `(?<${name}>${shapeOf(kind, name)})`,
  )
  const pattern = fixed.map((text, i) => `${escaped(text)}${names[i] ?? ''}`).join('')
  const goesOn = /[.?]$/.test(english) ? '(?: (?<rest>.+))?' : ''
  return {
    landmark: fixed.reduce((longest, text) => (text.length > longest.length ? text : longest)),
    fixedLength: fixed.join('').length,
    pattern: new RegExp(`^${pattern}${goesOn}$`, 's'),
    other,
  }
}

function shapeOf(kind: string, name: string): string {
  if (kind === '+' || /^(said|text|list)/.test(name)) return '.+?'
  return /^n\d*$/.test(name) ? '[\\d.,]+?' : `(?:${escaped(NO_ADDRESS)}|\\S+?)`
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
