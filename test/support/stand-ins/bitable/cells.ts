import { type BitableCode, Refused } from './codes.ts'
import { BITABLE_LIMITS } from './limits.ts'

export type Cell = string | number | boolean | readonly string[] | Link

export type Writer = 'program' | 'person'

export interface Link {
  readonly text: string
  readonly link: string
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isLink = (value: unknown): value is Link =>
  typeof value === 'object' && value !== null && 'link' in value && isText(value.link)

/** By the number of the type: its name in the interface, what it takes, and how it refuses the rest. */
export const FIELD_TYPES = {
  1: { ui: 'Text', refusal: 1254060, takes: isText },
  2: { ui: 'Number', refusal: 1254061, takes: (value: unknown) => typeof value === 'number' },
  3: { ui: 'SingleSelect', refusal: 1254062, takes: isText },
  4: {
    ui: 'MultiSelect',
    refusal: 1254063,
    takes: (value: unknown) => Array.isArray(value) && value.every(isText),
  },
  5: { ui: 'DateTime', refusal: 1254064, takes: Number.isSafeInteger },
  7: { ui: 'Checkbox', refusal: 1254065, takes: (value: unknown) => typeof value === 'boolean' },
  13: {
    ui: 'Phone',
    refusal: 1254072,
    takes: (value: unknown) => isText(value) && /^\+?\d{0,64}$/.test(value),
  },
  15: { ui: 'Url', refusal: 1254068, takes: isLink },
  // Filled in by Bitable itself.
  1001: { ui: 'CreatedTime', refusal: 1254015, takes: () => false },
  1002: { ui: 'ModifiedTime', refusal: 1254015, takes: () => false },
} as const satisfies Record<
  number,
  { ui: string; refusal: BitableCode; takes: (value: unknown) => boolean }
>

export type FieldType = keyof typeof FIELD_TYPES

export const isFieldType = (type: number): type is FieldType => type in FIELD_TYPES

/** A table's first field cannot be of any type. */
export const PRIMARY_TYPES: readonly number[] = [1, 2, 5, 13, 15]

/** The cell that a written value makes; undefined empties it. Throws `Refused` for what the type does not take. */
export function writtenCell(type: FieldType, value: unknown): Cell | undefined {
  if (value === null || value === '') return undefined
  const { takes, refusal } = FIELD_TYPES[type]
  if (!takes(value)) throw new Refused(refusal)
  if (typeof value === 'string' && value.length > BITABLE_LIMITS.charactersPerCell) {
    throw new Refused(1254130)
  }
  return isLink(value) ? { text: value.text ?? value.link, link: value.link } : (value as Cell)
}

/** A text as the newer calls answer it. Addresses that a person types become links, those that a program writes do not. */
export function textParts(text: string, by: Writer): readonly object[] {
  if (by === 'program') return [{ text, type: 'text' }]
  return text
    .split(/(https?:\/\/\S+)/)
    .filter((part) => part !== '')
    .map((part) =>
      /^https?:/.test(part)
        ? { link: part, text: part, type: 'url' }
        : { text: part, type: 'text' },
    )
}
