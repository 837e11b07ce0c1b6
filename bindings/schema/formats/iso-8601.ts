// Times in the forms of ISO 8601 that RFC 3339 does not have: weeks, days of a year, basic forms, less precision.
import { isDate, isDateTime } from './time.ts'

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
