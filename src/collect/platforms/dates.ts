import { days, hours, minutes, seconds } from '../../core/duration.ts'

/** When something was written, and whether that was a change of what had been there. */
export interface Dated {
  readonly at: number
  readonly isEdit: boolean
}

/** Asia/Shanghai, where these forms are meant: eight hours ahead, all the year. */
const SHANGHAI_MS = hours(8)
const LONGEST_DATE = 80

const AGO = /^(\d{1,4}) ?(秒|分钟|分|小时|天)钟?(?:以)?前/
const AGO_MS: Readonly<Record<string, number>> = {
  秒: seconds(1),
  分: minutes(1),
  分钟: minutes(1),
  小时: hours(1),
  天: days(1),
}
const DAYS_BACK: Readonly<Record<string, number>> = { 今天: 0, 昨天: 1, 前天: 2 }
const TIME = String.raw`(?:(?: |T)?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?`
const NAMED_DAY = new RegExp(`^(今天|昨天|前天)${TIME}`)
const WHOLE_DATE = new RegExp(
  String.raw`^(\d{4})(?:-|\/|\.|年)(\d{1,2})(?:-|\/|\.|月)(\d{1,2})日?${TIME}(?!\d)`,
)
const MONTH_AND_DAY = new RegExp(String.raw`^(\d{1,2})(?:-|\/|月)(\d{1,2})日?${TIME}(?![\d:-])`)
// `Tue Feb 23 12:28:47 +0800 2021`, as weibo writes it.
const STAMP = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{4}) (\d{4})$/
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/
// As in mail, and in RSS.
const MAIL_DATE =
  /^(?:[a-z]{3,9}, ?)?\d{1,2} [a-z]{3,9} \d{2,4} \d{1,2}:\d{2}(?::\d{2})?( [a-z]{1,5}| [+-]\d{4})?$/i

/** `编辑于 昨天 12:30 广东`, `03-05`, `2024-03-05T12:30:00Z`. `now` is what "yesterday" and "this year" go by. */
export function datedLine(text: string, now: number): Dated | undefined {
  const line = text.slice(0, LONGEST_DATE).trim()
  const [prefix = ''] = /^(?:最后)?(?:编辑|修改|发布|更新)于[:： ]?/.exec(line) ?? []
  const at = timeOf(line.slice(prefix.length).trim(), now)
  return at === undefined ? undefined : { at, isEdit: /编辑|修改|更新/.test(prefix) }
}

/** Milliseconds, as a number, as digits or as any date that people or programs write. */
export function readTime(value: unknown, now: number): number | undefined {
  if (typeof value === 'string' && !/^\d{10,13}$/.test(value)) return datedLine(value, now)?.at
  const number = typeof value === 'number' ? value : Number(value ?? Number.NaN)
  // Seconds until the year 2286, milliseconds since 1970-04.
  return plausible(number < 10_000_000_000 ? seconds(number) : number)
}

function timeOf(text: string, now: number): number | undefined {
  if (/^刚刚|^刚才/.test(text)) return now
  const [, count, unit] = AGO.exec(text) ?? []
  if (count && unit) return plausible(now - Number(count) * (AGO_MS[unit] ?? Number.NaN))
  const zoned = zonedTime(text)
  if (zoned !== undefined) return plausible(zoned)
  const named = NAMED_DAY.exec(text)
  if (named) return namedDay(named, now)
  const whole = WHOLE_DATE.exec(text)
  if (whole) {
    const [, year, month, day, ...time] = whole
    return shanghaiTime([Number(year), Number(month), Number(day)], time)
  }
  const short = MONTH_AND_DAY.exec(text)
  return short ? latestDay(short, now) : undefined
}

/** What says its own zone is left to `Date`, for it has no other meaning anywhere. */
function zonedTime(text: string): number | undefined {
  const [, month, day, time, zone, year] = STAMP.exec(text) ?? []
  if (month) return Date.parse(`${day} ${month} ${year} ${time} ${zone}`)
  if (WITH_ZONE.test(text)) return Date.parse(text.replace(' ', 'T'))
  const mail = MAIL_DATE.exec(text)
  return mail ? Date.parse(mail[1] === undefined ? `${text} GMT` : text) : undefined
}

function namedDay([, name = '', ...time]: RegExpExecArray, now: number): number | undefined {
  const then = new Date(now + SHANGHAI_MS - days(DAYS_BACK[name] ?? 0))
  return shanghaiTime([then.getUTCFullYear(), then.getUTCMonth() + 1, then.getUTCDate()], time)
}

/** Without a year it is the last such day: nobody writes notes in the future. A day is allowed for wrong clocks. */
function latestDay([, month, day, ...time]: RegExpExecArray, now: number): number | undefined {
  const year = new Date(now + SHANGHAI_MS).getUTCFullYear()
  const candidates = [year, year - 1, year - 2, year - 3, year - 4].map((candidate) =>
    shanghaiTime([candidate, Number(month), Number(day)], time),
  )
  return candidates.find((at) => at !== undefined && at <= now + days(1))
}

type Day = readonly [year: number, month: number, day: number]

function shanghaiTime(
  [year, month, day]: Day,
  [hour = '0', minute = '0', second = '0']: readonly (string | undefined)[],
): number | undefined {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  const date = new Date(Date.UTC(year, month - 1, day, h, m, s))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal && h < 24 && m < 60 && s < 60 ? plausible(date.getTime() - SHANGHAI_MS) : undefined
}

const LATEST = Date.UTC(2200, 0)

function plausible(at: number): number | undefined {
  return at > 0 && at < LATEST ? Math.round(at) : undefined
}
