import type { ConvertFormat } from './formats.ts'
import type { Made } from './json.ts'
import { type Problems, TOO_LARGE } from './problems.ts'

/** The most octets of an Agent Card (Agent Card 7.6). */
const LARGEST_CARD = 65_535

const encoder = new TextEncoder()

/** The result as text for people; an Agent Card without spaces where it would be too large with them. */
export function write(document: Made, to: ConvertFormat, passing: boolean, problems: Problems): string | undefined {
  const text = JSON.stringify(document, null, 2)
  if (to !== 'card' || passing || encoder.encode(text).length <= LARGEST_CARD) return text
  const compact = JSON.stringify(document)
  const octets = encoder.encode(compact).length
  if (octets <= LARGEST_CARD) return compact
  const heaviest = Object.entries(document)
    .map(([name, value]) => ({ name, octets: encoder.encode(JSON.stringify(value)).length }))
    .sort((a, b) => b.octets - a.octets)
    .slice(0, 3)
  const names = heaviest.map((member) => `${member.name} ${member.octets}`).join(', ')
  const detail = `the card would have ${octets} octets, ${LARGEST_CARD} at the most: ${names}`
  problems.report(TOO_LARGE, '', `${detail}; carry: 'nothing' leaves out what a card has no member for`)
  return undefined
}
