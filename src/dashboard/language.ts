import { accepts } from 'hono/accepts'
import { getCookie } from 'hono/cookie'
import { days, hours, minutes, seconds } from '../core/duration.ts'
import type { HttpContext } from '../http/http-env.ts'
import { EN } from './words/en.ts'
import type { Count } from './words/count.ts'
import type { Words } from './words/words.ts'
import { ZH } from './words/zh.ts'

export type LanguageName = 'en' | 'zh'

/** How a page speaks: its words, and how numbers and times are written. */
export interface Language {
  readonly name: LanguageName
  /** For the page's `lang`. */
  readonly tag: string
  readonly words: Words
  number(value: number): string
  count(value: number): Count
  percent(share: number): string
  /** In UTC. */
  time(instant: number): string
  day(instant: number): string
  duration(ms: number): string
}

export const LANGUAGE_COOKIE = 'sluice_language'

/** Made once: to make a formatter takes longer than to write a page with it. */
export const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  en: openLanguage('en', 'en-GB', EN),
  zh: openLanguage('zh', 'zh-CN', ZH),
}

export function isLanguageName(text: string | undefined): text is LanguageName {
  return text === 'en' || text === 'zh'
}

/** The one that was chosen here; else the browser's, if we speak it. */
export function languageOf(c: HttpContext): Language {
  const chosen = getCookie(c, LANGUAGE_COOKIE)
  if (isLanguageName(chosen)) return LANGUAGES[chosen]
  const wanted = accepts(c, {
    header: 'Accept-Language',
    supports: ['en', 'zh'],
    default: 'en',
    match: (asked) =>
      asked
        .toSorted((a, b) => b.q - a.q)
        .map(({ type }) => type.slice(0, 2).toLowerCase())
        .find(isLanguageName) ?? 'en',
  })
  return LANGUAGES[isLanguageName(wanted) ? wanted : 'en']
}

function openLanguage(name: LanguageName, tag: string, words: Words): Language {
  const number = new Intl.NumberFormat(tag)
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const utc = { timeZone: 'UTC' } as const
  const time = new Intl.DateTimeFormat(tag, { ...utc, dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(tag, { ...utc, dateStyle: 'medium' })
  const write = (value: number) => number.format(value)
  return {
    name,
    tag: name === 'zh' ? 'zh-CN' : 'en',
    words,
    number: write,
    count: (count) => ({ count, shown: write(count) }),
    // Downwards: what is not everything never reads as 100 %.
    percent: (share) => percent.format(Math.floor(share * 1_000) / 1_000),
    time: (instant) => `${time.format(instant)} UTC`,
    day: (instant) => day.format(instant),
    duration: (ms) => durationIn(tag, ms),
  }
}

const UNITS = [
  ['day', days(1)],
  ['hour', hours(1)],
  ['minute', minutes(1)],
  ['second', seconds(1)],
] as const

/** The two largest units that say anything: `2 hr 5 min`. */
function durationIn(tag: string, ms: number): string {
  if (ms < seconds(10)) return inUnit(tag, 'second', Math.round(ms / 100) / 10)
  const first = UNITS.findIndex(([, size]) => ms >= size)
  const [largest, next] = UNITS.slice(first)
  if (!largest) return inUnit(tag, 'second', 0)
  const [unit, size] = largest
  const rest = next ? Math.floor((ms % size) / next[1]) : 0
  const whole = inUnit(tag, unit, Math.floor(ms / size))
  return next && rest > 0 ? `${whole} ${inUnit(tag, next[0], rest)}` : whole
}

const units = new Map<string, Intl.NumberFormat>()

function inUnit(tag: string, unit: string, value: number): string {
  const key = `${tag} ${unit}`
  const format =
    units.get(key) ?? new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow' })
  units.set(key, format)
  return format.format(value)
}
