import { html } from 'hono/html'
import type { Language } from './language.ts'
import type { Html } from './layout.ts'
import { FIELD_NAMES, type FieldName } from './site-fields.ts'

const isField = (word: string): word is FieldName => FIELD_NAMES.some((name) => name === word)

/** What a problem is about stands first; further on, only names that cannot be words of the language. */
const NAMED = /(?:^[a-z]\w*(?:\[\d+\])?|\b[a-z]+[A-Z]\w*\b) ?/g

/** A problem of settings under the names that the form gives them. */
export function byLabels(problem: string, { name: tongue, words, count }: Language): Html {
  return html`${problem.replaceAll(NAMED, (found) => {
    const [, name = '', index, space = ''] = /^(\w+)(?:\[(\d+)\])?( ?)$/.exec(found) ?? []
    if (!isField(name)) return found
    const label =
      index === undefined
        ? words.fieldNamed(words[name])
        : words.lineOf(words[name], count(Number(index) + 1))
    return tongue === 'zh' ? label : `${label}${space}`
  })}`
}
