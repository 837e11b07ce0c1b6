/**
 * The patterns of ADL (section 4.4) and the skill tags of Agent Cards (section 3.6): checking, compiling, matching.
 * @module
 */

import { compileSet, KINDS, type PatternKind } from '../wasm/pattern.ts'
import {
  checkTexts,
  describePattern,
  nameOf,
  PatternError,
  type PatternFinding,
  type SetFinding,
} from './pattern-findings.ts'
import { PatternSet } from './pattern-set.ts'

export type { PatternKind } from '../wasm/pattern.ts'
export type { Matches, PatternSet } from './pattern-set.ts'

export interface PatternOptions {
  /** Ignores the case of ASCII letters, for example for Windows paths. Hosts always ignore case. */
  readonly ignoreCase?: boolean
}

/**
 * The findings in a pattern, in character order: errors, which make `compilePatterns` refuse it, and warnings.
 *
 * @example
 * checkPattern('host', '**.example.com')
 * // [{ severity: 'error', reason: 'globstar-kind', offset: 0, length: 2, message: 'expected "*", got "**" ...' }]
 *
 * @throws {TypeError} when the pattern is not a string.
 * @throws {RangeError} for an unknown kind.
 */
export function checkPattern(kind: PatternKind, pattern: string): PatternFinding[] {
  checkKind(kind)
  if (typeof pattern !== 'string') throw new TypeError(`pattern: expected a string, got ${nameOf(pattern)}`)
  return describePattern(kind, pattern)
}

/**
 * Compiles patterns of one kind, for matching subjects one by one or many at once.
 *
 * @example
 * const hosts = compilePatterns('host', ['*.example.com', 'example.org'])
 * hosts.test('API.example.com') // true
 * hosts.first('example.org') // 1
 * hosts.allOf(['example.org', 'a.b.example.com']).offsets // Uint32Array [0, 1, 1]
 *
 * @throws {PatternError} when a pattern is refused; its `findings` explain which, where and why.
 * @throws {TypeError} when the patterns are not an array of strings, or an option has the wrong type.
 * @throws {RangeError} for an unknown kind, or more than 4 MiB of patterns.
 */
export function compilePatterns(kind: PatternKind, patterns: readonly string[], options?: PatternOptions): PatternSet {
  checkKind(kind)
  checkTexts('patterns', patterns)
  const ignoreCase = options?.ignoreCase ?? false
  if (typeof ignoreCase !== 'boolean') throw new TypeError(`ignoreCase: expected a boolean, got ${nameOf(ignoreCase)}`)
  // Copies the list before the check, so that the caller cannot change it between checking and compiling.
  const list = [...patterns]
  const compiled = compileSet(kind, list, ignoreCase)
  if (compiled === undefined) throw new PatternError(list.flatMap((pattern, i) => errorsOf(kind, pattern, i)))
  return new PatternSet(kind, list, ignoreCase, compiled)
}

function errorsOf(kind: PatternKind, pattern: string, number: number): SetFinding[] {
  const errors = describePattern(kind, pattern).filter((finding) => finding.severity === 'error')
  return errors.map((finding) => ({ ...finding, pattern: number }))
}

function checkKind(kind: unknown): void {
  if (KINDS.includes(kind as PatternKind)) return
  throw new RangeError(
    `kind: expected ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)}, got ${typeof kind === 'string' ? JSON.stringify(kind) : nameOf(kind)}`,
  )
}
