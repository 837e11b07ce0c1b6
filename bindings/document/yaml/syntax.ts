// Converts errors of the yaml package into our faults.
import { visible } from '../../text/hidden.ts'
import { YamlFault } from './faults.ts'
import { YAML_SYNTAX, YAML_TAG } from './findings.ts'

/** A place as the package reports it. */
export type Where =
  | number
  | readonly [number, number, ...number[]]
  | { readonly offset: number; readonly source?: string }

/** Hints that usually help, by the package's codes and the beginnings of its messages. */
const HINTS: readonly (readonly [code: string, message: string, hint: string])[] = [
  ['TAB_AS_INDENT', '', 'indent with spaces'],
  ['BAD_SCALAR_START', '', 'put the text in quotes'],
  ['BAD_DQ_ESCAPE', '', 'a backslash itself is written \\\\; in single quotes it needs no escape'],
  ['BAD_INDENT', 'All', 'members of one mapping, and items of one list, begin in one column'],
  ['BLOCK_AS_IMPLICIT_KEY', 'Nested', 'put text that has a colon and a space in it in quotes'],
  ['MISSING_CHAR', 'Implicit map keys', 'put a colon and a space behind the name, or indent text that goes on'],
  ['MISSING_CHAR', 'Missing closing', 'close the quote; what goes on in the next line is indented'],
  ['MISSING_CHAR', 'Comments', 'put a space in front of the #'],
  ['MULTILINE_IMPLICIT_KEY', '', 'a name stands on one line: a colon or a quote may be missing'],
]

/** The fault for an error of the package. */
export function syntaxFault(where: Where, code: string, message: string): YamlFault {
  const hint = HINTS.find(([wanted, beginning]) => code === wanted && message.startsWith(beginning))?.[2]
  const kind = code === 'TAG_RESOLVE_FAILED' ? YAML_TAG : YAML_SYNTAX
  return new YamlFault(kind, spanOf(where), wordsOf(message), hint === undefined ? {} : { fix: { hint } })
}

export function startOf(where: Where): number {
  return spanOf(where)[0]
}

function spanOf(where: Where): [number, number] {
  if (typeof where === 'number') return [where, where + 1]
  if ('offset' in where) return [where.offset, where.offset + Math.max(1, where.source?.length ?? 1)]
  return [where[0], where[1]]
}

/** A message of the package in the style of our details: lower-case, on one line, of limited length. */
function wordsOf(message: string): string {
  const line = message.split('\n', 1)[0]!
  return visible(`${line.slice(0, 1).toLowerCase()}${line.slice(1, 160)}`)
}
