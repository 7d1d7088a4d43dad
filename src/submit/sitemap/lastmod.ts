/** What stands for a missing date, and for one that could not have been meant in one way only. */
export const NO_DATE = 0

const LATEST = 0xffff_ffff
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const DASH = 0x2d
const COLON = 0x3a
const ZERO = 0x30

/**
 * Seconds since 1970 of a date in one of the W3C forms, from a year to fractions of a second, read where it stands
 * in ASCII. A time without a zone is taken as UTC, a blank in place of the T as a T. Impossible dates (February 30)
 * and years before 1970 or after 2105 are no dates: one far ahead would hide every later change.
 */
export function lastmodSeconds(view: DataView, from: number, to: number): number {
  const length = to - from
  if (length < 4) return NO_DATE
  const year = twoDigits(view, from) * 100 + twoDigits(view, from + 2)
  const month = length >= 7 ? twoDigitsAfter(view, from + 4, DASH) : 1
  const day = length >= 10 ? twoDigitsAfter(view, from + 7, DASH) : 1
  if (year < 1970 || month < 1 || month > 12 || day < 1 || !isDayOf(year, month, day))
    return NO_DATE
  const midnight = daysSince1970(year, month, day) * 86_400
  if (length === 10 || length === 7 || length === 4) return checked(midnight)
  return length >= 16 ? checked(midnight + timeSeconds(view, from + 10, to)) : NO_DATE
}

/** `Thh:mm`, `Thh:mm:ss` or `Thh:mm:ss.f`, then perhaps a zone. NaN for anything else. */
function timeSeconds(view: DataView, from: number, to: number): number {
  const separator = view.getUint8(from)
  if (separator !== 0x54 && separator !== 0x74 && separator !== 0x20) return Number.NaN
  const hour = twoDigits(view, from + 1)
  const minute = twoDigitsAfter(view, from + 3, COLON)
  const hasSecond = to - from >= 9 && view.getUint8(from + 6) === COLON
  const second = hasSecond ? twoDigits(view, from + 7) : 0
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
    return Number.NaN
  }
  const zone = hasSecond ? afterFraction(view, from + 9, to) : from + 6
  return hour * 3_600 + minute * 60 + second - zoneSeconds(view, zone, to)
}

function afterFraction(view: DataView, from: number, to: number): number {
  if (from >= to || view.getUint8(from) !== 0x2e) return from
  let at = from + 1
  while (at < to && isDigit(view.getUint8(at))) at++
  return at
}

/** `Z`, `+hh:mm`, `+hhmm`, `+hh` or nothing. */
function zoneSeconds(view: DataView, from: number, to: number): number {
  const length = to - from
  if (length === 0) return 0
  const sign = view.getUint8(from)
  if (length === 1) return sign === 0x5a || sign === 0x7a ? 0 : Number.NaN
  if ((sign !== 0x2b && sign !== DASH) || length < 3) return Number.NaN
  const hours = twoDigits(view, from + 1)
  const minutes = zoneMinutes(view, from + 3, to)
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return Number.NaN
  return (sign === DASH ? -1 : 1) * (hours * 3_600 + minutes * 60)
}

function zoneMinutes(view: DataView, from: number, to: number): number {
  if (from === to) return 0
  if (to - from === 3) return twoDigitsAfter(view, from, COLON)
  return to - from === 2 ? twoDigits(view, from) : -1
}

function checked(seconds: number): number {
  return seconds > 0 && seconds <= LATEST ? seconds : NO_DATE
}

function isDayOf(year: number, month: number, day: number): boolean {
  if (day > (MONTH_DAYS[month - 1] as number)) return false
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}

/** The year is counted from March, so that a leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const m = month > 2 ? month - 3 : month + 9
  const leapDays = (y >> 2) - ((y / 100) | 0) + ((y / 400) | 0)
  return y * 365 + leapDays + (((m * 153 + 2) / 5) | 0) + day - 719_469
}

function twoDigitsAfter(view: DataView, at: number, separator: number): number {
  return view.getUint8(at) === separator ? twoDigits(view, at + 1) : -1
}

/** Far below zero where one of the two is no digit. */
function twoDigits(view: DataView, at: number): number {
  return TWO_DIGITS[view.getUint16(at, true)] as number
}

// One look instead of two loads, four comparisons and a product: every entry has a date, and a date seven such pairs.
const TWO_DIGITS = new Int16Array(2 ** 16).fill(-10_000)
for (let tens = 0; tens < 10; tens++) {
  for (let ones = 0; ones < 10; ones++) {
    TWO_DIGITS[(ZERO + tens) | ((ZERO + ones) << 8)] = tens * 10 + ones
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

const LONGEST_DATE = 64
const dateBytes = new DataView(new ArrayBuffer(LONGEST_DATE))
const MAIL_DATE = /^(?:[a-z]{3,9}, ?)?\d{1,2} [a-z]{3,9} \d{2,4} \d{1,2}:\d{2}(?::\d{2})?( \S+)?$/i

/** Any date that a sitemap or a feed writes: the W3C forms, or the form of mail that RSS uses. */
export function dateSeconds(text: string): number {
  const mail = isDigit(text.charCodeAt(3)) ? null : MAIL_DATE.exec(text)
  if (!mail) return writtenSeconds(text)
  const milliseconds = Date.parse(mail[1] === undefined ? `${text} GMT` : text)
  return checked(Math.floor(milliseconds / 1_000))
}

function writtenSeconds(text: string): number {
  if (text.length > LONGEST_DATE) return NO_DATE
  for (let i = 0; i < text.length; i++) dateBytes.setUint8(i, Math.min(text.charCodeAt(i), 0xff))
  return lastmodSeconds(dateBytes, 0, text.length)
}
