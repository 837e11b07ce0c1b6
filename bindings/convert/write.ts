import { type Bounds, rowOf } from '../kinds.ts'
import { type ConvertFormat, MOST, ROWS, type Row } from './formats.ts'
import { levelsOf, type MutableObject } from './json.ts'
import { type Problems, TOO_LARGE } from './problems.ts'

/** The most octets of an Agent Card (Agent Card 7.6). */
const LARGEST_CARD = 65_535

const ENDLESS: Bounds = { bytes: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }

/** The most that the result may have; nobody reads what is only on the way. */
export function boundsOf(to: ConvertFormat, passing: boolean): Bounds {
  if (passing) return ENDLESS
  const { kind }: Row = ROWS.find(({ format }) => format === to)!
  const bounds = kind === undefined ? MOST : rowOf(kind).bounds
  return to === 'card' ? { ...bounds, bytes: LARGEST_CARD } : bounds
}

const encoder = new TextEncoder()

/** The result as text for people; without spaces where it would be too large with them. */
export function write(document: MutableObject, { bytes, depth }: Bounds, problems: Problems): string | undefined {
  const levels = levelsOf(document)
  if (levels > depth) {
    problems.report(TOO_LARGE, '', `what is made would have ${levels} levels, ${depth} at the most`)
    return undefined
  }
  const text = JSON.stringify(document, null, 2)
  // A UTF-16 unit has three octets at the most: most texts need not be counted.
  if (text.length * 3 <= bytes || encoder.encode(text).length <= bytes) return text
  const compact = JSON.stringify(document)
  const octets = encoder.encode(compact).length
  if (octets <= bytes) return compact
  const heaviest = Object.entries(document)
    .map(([name, value]) => ({ name, octets: encoder.encode(JSON.stringify(value)).length }))
    .sort((a, b) => b.octets - a.octets)
    .slice(0, 3)
  const names = heaviest.map((member) => `${member.name} ${member.octets}`).join(', ')
  const detail = `what is made would have ${octets} octets, ${bytes} at the most: ${names}`
  problems.report(TOO_LARGE, '', `${detail}; carry: 'nothing' leaves out what it has no member for`)
  return undefined
}
