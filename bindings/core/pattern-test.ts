/**
 * The JavaScript version of the core's matcher, for one pattern at a time: matching a host or path takes less time than
 * a call into WebAssembly. The tests in test/pattern run both on the same cases.
 * @module
 */
import type { PatternKind } from '../wasm/pattern.ts'
import { isWellFormed } from '../wasm/utf8.ts'
import { compileMiddle, lower, NO_SEPARATOR, toCodes } from './pattern-middle.ts'

const SEPARATORS = { host: '.', path: '/', env: NO_SEPARATOR, command: NO_SEPARATOR, tag: '/' } as const

/** True when the subject matches. */
export type Test = (subject: string) => boolean

/**
 * Compiles a pattern that the core accepts.
 *
 * @example
 * compileTest('path', '/data/**', false)('/data/a/b') // true
 */
export function compileTest(kind: PatternKind, pattern: string, ignoreCase: boolean): Test {
  const fold = ignoreCase || kind === 'host'
  if (pattern === '*') return isWellFormed
  if (kind === 'tag') return compileTag(pattern.endsWith('/*') ? pattern.slice(0, -2) : pattern, fold)
  if (!pattern.includes('*') && !fold) return (subject) => subject === pattern
  return compileEnds(pattern, SEPARATORS[kind], fold)
}

/** A tag matches itself and everything below it (Agent Card 3.6.1, parent match). */
function compileTag(tag: string, fold: boolean): Test {
  const itself = compileEnds(tag, SEPARATORS.tag, fold)
  const below = compileEnds(`${tag}/**`, SEPARATORS.tag, fold)
  return (subject) => itself(subject) || below(subject)
}

/**
 * The text before the first and after the last wildcard decides most subjects; the middle is matched only after that.
 */
function compileEnds(pattern: string, separator: string, fold: boolean): Test {
  const first = pattern.includes('*') ? pattern.indexOf('*') : pattern.length
  let last = Math.max(first, pattern.lastIndexOf('*') + 1)
  if (pattern.slice(0, last).endsWith('**') && last < pattern.length) last++ // the separator belongs to `**`
  const prefix = toCodes(pattern.slice(0, first), fold)
  const suffix = toCodes(pattern.slice(last), fold)
  const middle = compileMiddle(pattern.slice(first, last), separator, fold)
  return (subject) => {
    const from = prefix.length
    const to = subject.length - suffix.length
    if (from > to) return false
    for (let i = suffix.length - 1; i >= 0; i--) {
      const unit = subject.charCodeAt(to + i)
      if (unit !== suffix[i] && !(fold && lower(unit) === suffix[i])) return false
    }
    for (let i = 0; i < from; i++) {
      const unit = subject.charCodeAt(i)
      if (unit !== prefix[i] && !(fold && lower(unit) === prefix[i])) return false
    }
    return middle(subject, from, to) && isWellFormed(subject)
  }
}
