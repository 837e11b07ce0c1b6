// The end of a report on a folder: how many documents of each kind it has, and what was left out.
import { rowOf } from '../../bindings/kinds.ts'
import type { Result } from '../command.ts'
import type { LeftOut } from './walk.ts'

/** The most names after one reason. */
const SHOWN = 5

/** What was checked, by kind, and what was left out, a line for each reason. */
export function account(results: readonly Result[], leftOut: LeftOut): string[] {
  const counts = new Map<string, number>()
  for (const { kind } of results) counts.set(kind ?? '', (counts.get(kind ?? '') ?? 0) + 1)
  const kinds = [...counts].map(([kind, count]) => `${count} ${nameOf(kind, count)}`)
  const reasons = [...leftOut].map(([why, names]) => `left out (${why}): ${some(names)}`)
  return [`found ${kinds.join(', ')}`, ...reasons]
}

function nameOf(kind: string, count: number): string {
  if (kind === '') return 'of no known kind'
  const { name, plural } = rowOf(kind as Parameters<typeof rowOf>[0])
  return count === 1 ? name : plural
}

function some(names: readonly string[]): string {
  const more = names.length - SHOWN
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
