import { type Bounds, rowOf } from '../kinds.ts'
import { CONVERT_TOO_LARGE } from './findings.ts'
import { MOST, ROWS, type Row, type SourceFormat } from './formats.ts'
import { levelsOf, type MutableObject } from './json.ts'
import type { Problems } from './problems.ts'

/** The most octets of an Agent Card (Agent Card 7.6). */
const LARGEST_CARD = 65_535

const ENDLESS: Bounds = { bytes: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }

/** The limits of the result; those of the format do not apply to an intermediate one. */
export function boundsOf(to: SourceFormat, passing: boolean): Bounds {
  if (passing) return ENDLESS
  const { kind }: Row = ROWS.find(({ format }) => format === to)!
  const bounds = kind === undefined ? MOST : rowOf(kind).bounds
  return to === 'card' ? { ...bounds, bytes: LARGEST_CARD } : bounds
}

const encoder = new TextEncoder()

/** Writes the result as text for people, without spaces if it would be too large with them. */
export function write(document: MutableObject, { bytes, depth }: Bounds, problems: Problems): string | undefined {
  const levels = levelsOf(document)
  if (levels > depth) {
    problems.report(CONVERT_TOO_LARGE, '', `the result would have ${levels} levels; at most ${depth} are allowed`)
    return undefined
  }
  const text = JSON.stringify(document, null, 2)
  // A UTF-16 unit has at most three octets, so most texts need not be counted.
  if (text.length * 3 <= bytes || encoder.encode(text).length <= bytes) return text
  const compact = JSON.stringify(document)
  const octets = encoder.encode(compact).length
  if (octets <= bytes) return compact
  const heaviest = Object.entries(document)
    .map(([name, value]) => ({ name, octets: encoder.encode(JSON.stringify(value)).length }))
    .sort((a, b) => b.octets - a.octets)
    .slice(0, 3)
  const names = heaviest.map((member) => `${member.name} ${member.octets}`).join(', ')
  const detail = `the result would have ${octets} octets; at most ${bytes} are allowed: ${names}`
  problems.report(CONVERT_TOO_LARGE, '', `${detail}; carry: 'nothing' leaves out carried members`)
  return undefined
}
