// The five fields of cron: whether they are valid, and whether there is such a day.

interface Field {
  readonly from: number
  readonly to: number
  /** Short names of the values, in order. */
  readonly names?: readonly string[]
}

const FIELDS: readonly Field[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  // Sunday is 0 and 7.
  { from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const LONGEST = 256

export interface Schedule {
  /** Equal for schedules with the same values in each field. */
  readonly key: string
  /** False when no year has such a day. */
  readonly fires: boolean
}

/**
 * Reads a schedule of five fields. Returns undefined for an invalid one.
 *
 * @example
 * parseSchedule('0 0 31 2 *') // { key: ..., fires: false }
 */
export function parseSchedule(text: unknown): Schedule | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  const parts = text.trim().toLowerCase().split(/\s+/)
  if (parts.length !== FIELDS.length) return undefined
  const fields = FIELDS.map((field, i) => valuesOf(parts[i]!, field))
  if (!fields.every((values) => values !== undefined)) return undefined
  const [minutes, hours, days, months, weekdays] = fields as [number[], number[], number[], number[], number[]]
  const week = sortedOnce(weekdays.map((day) => day % 7))
  // If both fields are given, cron takes the days of either. A field that begins with a star is not given.
  const isEither = !parts[2]!.startsWith('*') && !parts[4]!.startsWith('*')
  const exists = months.some((month) => days.some((day) => day <= DAYS[month - 1]!))
  return { key: [minutes, hours, days, months, week, isEither].join(' '), fires: isEither || exists }
}

/** The values of a field such as `1,10-20`. */
function valuesOf(text: string, field: Field): number[] | undefined {
  const values = text.split(',').map((part) => valuesOfPart(part, field))
  return values.every((list) => list !== undefined) ? sortedOnce(values.flat()) : undefined
}

function valuesOfPart(text: string, field: Field): number[] | undefined {
  const [, first, last, step = '1'] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (first === undefined || (first === '*' && last !== undefined)) return undefined
  const isOne = first !== '*' && last === undefined
  const from = first === '*' ? field.from : numberOf(first, field)
  const to = first === '*' ? field.to : isOne ? from : numberOf(last!, field)
  // A step needs values to skip.
  if (!(from <= to) || Number(step) === 0 || (isOne && text.includes('/'))) return undefined
  return Array.from({ length: Math.floor((to - from) / Number(step)) + 1 }, (_, i) => from + i * Number(step))
}

/** NaN for anything else than a value of the field. */
function numberOf(text: string, { from, to, names = [] }: Field): number {
  const value = names.includes(text) ? names.indexOf(text) + from : /^\d\d?$/.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to ? value : Number.NaN
}

const sortedOnce = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b)
