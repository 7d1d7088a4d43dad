import type { Count } from '../note.ts'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  十: 10,
  百: 100,
  千: 1_000,
  万: 10_000,
  w: 10_000,
  萬: 10_000,
  亿: 100_000_000,
  億: 100_000_000,
  k: 1_000,
  m: 1_000_000,
  b: 1_000_000_000,
}

const LONGEST_COUNT = 32
// `1.2万`, `3亿`, `10+`, `1,234`, `1.5k`. A plus means "at least": the least is what is known.
const COUNT = /^(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(\.\d{1,9})?\s?([十百千万萬亿億wkmb]?)\s?\+?$/

/** Undefined where there is nothing to count. What is written but means no number keeps what is written. */
export function countOf(written: unknown): Count | undefined {
  if (typeof written === 'number') {
    return Number.isFinite(written) ? { value: checked(written), raw: String(written) } : undefined
  }
  if (typeof written !== 'string' || written.trim() === '') return undefined
  const raw = written.trim().slice(0, LONGEST_COUNT)
  const [, whole, decimals = '', unit = ''] = COUNT.exec(halfWidth(raw).toLowerCase()) ?? []
  const factor = UNITS[unit]
  if (whole === undefined || factor === undefined) return { value: undefined, raw }
  return { value: checked(Number(whole.replaceAll(',', '') + decimals) * factor), raw }
}

function checked(value: number): number | undefined {
  const rounded = Math.round(value)
  return rounded >= 0 && Number.isSafeInteger(rounded) ? rounded : undefined
}

/** `１２．３万＋` is what some keyboards write. */
function halfWidth(text: string): string {
  return text.replace(/[\uFF01-\uFF5E]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  )
}
