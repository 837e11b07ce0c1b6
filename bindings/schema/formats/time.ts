const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * True when a text is an RFC 3339 `full-date` of a day that exists.
 *
 * @example
 * isDate('2023-02-29') // false
 */
export function isDate(text: string): boolean {
  return text.length === 10 && beginsWithDate(text)
}

/**
 * True when a text is an RFC 3339 `date-time`: with an offset, on a day that exists, and with second 60 only at the end
 * of a day in UTC.
 *
 * @example
 * isDateTime('1998-12-31T15:59:60.123-08:00') // true
 */
export function isDateTime(text: string): boolean {
  // T and t differ by one bit.
  if (text.length < 20 || !beginsWithDate(text) || (text.charCodeAt(10) | 32) !== 116) return false
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return false
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return false
  let at = 19
  if (text.charCodeAt(at) === 46) {
    do at++
    while (isDigit(text.charCodeAt(at)))
    if (at === 20) return false
  }
  const sign = text.charCodeAt(at)
  let offset = 0
  if ((sign | 32) === 122) {
    if (at + 1 !== text.length) return false
  } else {
    if ((sign !== 43 && sign !== 45) || at + 6 !== text.length || text.charCodeAt(at + 3) !== 58) return false
    const hours = twoDigits(text, at + 1)
    const minutes = twoDigits(text, at + 4)
    if (!(hours <= 23 && minutes <= 59)) return false
    offset = (hours * 60 + minutes) * (sign === 45 ? -1 : 1)
  }
  return second < 60 || (hour * 60 + minute - offset + 1440) % 1440 === 1439
}

function beginsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return false
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  // NaN, from a character that is not a digit, is in no range.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return false
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= DAYS[month - 1]! + (leap ? 1 : 0)
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at)
  const ones = text.charCodeAt(at + 1)
  return isDigit(tens) && isDigit(ones) ? (tens - 48) * 10 + ones - 48 : Number.NaN
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

// Times in the forms of ISO 8601 that RFC 3339 does not have: weeks, days of a year, basic forms, less precision.

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?|-W(\d\d)(?:-([1-7]))?|-(\d{3})|(\d\d)(\d\d)|W(\d\d)([1-7])?|(\d{3}))?$/
const TIME = /^(\d\d)(?::(\d\d)(?::(\d\d))?|(\d\d)(\d\d)?)?(?:[.,](\d{1,12}))?$/
const ZONE = /^(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/
const PARTS = /^([^T ]+)(?:[T ]([\d:.,]+)(.*))?$/
/** The longest form has 41 characters. */
const LONGEST = 64

/**
 * True for a moment or period that exists, in any form of ISO 8601; RFC 3339 is one of them.
 *
 * @example
 * isIso8601('2025-W54-1') // false
 */
export function isIso8601(text: string): boolean {
  if (isDateTime(text)) return true
  const [, date = '', time, zone = ''] = text.length > LONGEST ? [] : (PARTS.exec(text) ?? [])
  if (!isRealDate(date)) return false
  // Only a whole day has a time of its own.
  return time === undefined || (hasDay(date) && isRealTime(time, zone))
}

const hasDay = (date: string) => /^(?:\d{4}-?(?:\d\d-?\d\d|W\d\d-?\d|\d{3}))$/.test(date)

function isRealDate(date: string): boolean {
  const [whole, year = '', ...parts] = DATE.exec(date) ?? []
  if (whole === undefined) return false
  const [month, day, week, , ordinal] = [
    parts[0] ?? parts[5],
    parts[1] ?? parts[6],
    parts[2] ?? parts[7],
    '',
    parts[4] ?? parts[9],
  ]
  if (week !== undefined) return Number(week) >= 1 && Number(week) <= weeksIn(year)
  if (ordinal !== undefined) return Number(ordinal) >= 1 && Number(ordinal) <= (isDate(`${year}-02-29`) ? 366 : 365)
  return month === undefined || isDate(`${year}-${month}-${day ?? '01'}`)
}

/** The week with the last Thursday of a year is its last one, as is that of 28 December. */
function weeksIn(year: string): number {
  const weekday = (month: number, day: number) =>
    new Date(Date.UTC(2000 + (Number(year) % 400), month, day)).getUTCDay()
  return weekday(0, 1) === 4 || weekday(11, 31) === 4 ? 53 : 52
}

function isRealTime(time: string, zone: string): boolean {
  const [whole, hour, ...parts] = TIME.exec(time) ?? []
  if (whole === undefined || (zone !== '' && !ZONE.test(zone))) return false
  const [minute = '00', second = '00', fraction = ''] = [parts[0] ?? parts[2], parts[1] ?? parts[3], parts[4]]
  // The end of a day; a leap second is at the end of an hour, in whatever zone.
  if (hour === '24') return minute === '00' && second === '00' && /^0*$/.test(fraction)
  const isLeap = second === '60' && ['14', '29', '44', '59'].includes(minute) && !RFC_3339.test(time + zone)
  return Number(hour) <= 23 && Number(minute) <= 59 && (Number(second) <= 59 || isLeap)
}

/** A form that RFC 3339 has: it has been judged already. */
const RFC_3339 = /^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
