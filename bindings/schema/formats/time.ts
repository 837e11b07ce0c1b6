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
