/**
 * The JavaScript twin of the core's matcher, for one pattern at a time: a call into WebAssembly costs more than it takes
 * to match a host or path (docs/DESIGN.md). The same vectors and random cases go through both.
 * @module
 */
import { isText, type PatternKind } from '../wasm/pattern.ts'

/** What a pattern is compiled to: character codes, and these. */
const STAR = -1
/** A separator of the kind: behind it, no `*` before it needs trying again. */
const SEPARATOR = -2
/** `**` and the separator behind it. */
const GLOBSTAR = -3
/** `**` at the end: whatever is left. */
const REST = -4

const STAR_CODE = 0x2a
const SEPARATORS = { host: 0x2e, path: 0x2f, env: STAR, command: STAR, tag: 0x2f } as const

/**
 * Compiles a pattern in which `checkPattern` finds no error, to a function that says whether a subject matches.
 *
 * @example
 * compileTest('path', '/data/**', false)('/data/a/b') // true
 */
export function compileTest(kind: PatternKind, pattern: string, ignoreCase: boolean): (subject: string) => boolean {
  if (pattern === '*') return isText
  const fold = ignoreCase || kind === 'host'
  if (kind === 'tag') return tagTest(pattern.endsWith('/*') ? pattern.slice(0, -2) : pattern, fold)
  if (!fold && !pattern.includes('*')) return (subject) => subject === pattern
  if (!fold && kind === 'path' && pattern.indexOf('*') === pattern.length - 2 && pattern.endsWith('/**')) {
    const parent = pattern.slice(0, -2)
    return (subject) => subject.startsWith(parent) && isText(subject)
  }
  const separator = SEPARATORS[kind]
  const codes = encode(pattern, separator, fold)
  // What does not end like the pattern is told by one comparison.
  const last = Math.max(codes[codes.length - 1]!, 0)
  return (subject) => run(codes, subject, separator, fold, last) && isText(subject)
}

/** A tag is matched by itself and by all that is below it (Agent Card 3.6.1). */
function tagTest(tag: string, fold: boolean): (subject: string) => boolean {
  if (fold) {
    const codes = [...encode(tag, SEPARATORS.tag, fold), SEPARATOR, REST]
    const whole = new Int32Array(codes.slice(0, -2))
    const below = new Int32Array(codes)
    return (subject) =>
      (run(whole, subject, SEPARATORS.tag, fold, 0) || run(below, subject, SEPARATORS.tag, fold, 0)) && isText(subject)
  }
  const parent = `${tag}/`
  return (subject) => subject === tag || (subject.startsWith(parent) && isText(subject))
}

function encode(pattern: string, separator: number, fold: boolean): Int32Array {
  const codes: number[] = []
  for (let i = 0; i < pattern.length; i++) {
    const code = pattern.charCodeAt(i)
    if (code === separator) codes.push(SEPARATOR)
    else if (code !== STAR_CODE) codes.push(fold ? lower(code) : code)
    else if (pattern.charCodeAt(i + 1) !== STAR_CODE) codes.push(STAR)
    else if (i + 2 === pattern.length) codes.push(REST)
    else {
      codes.push(GLOBSTAR)
      i += 2 // the second star and the separator
    }
  }
  return new Int32Array(codes)
}

/** ASCII only: `toLowerCase` would turn the Kelvin sign into a k. */
function lower(code: number): number {
  return (code - 0x41) >>> 0 < 26 ? code | 0x20 : code
}

/** Goes back to the last `*`, and when its segment has no more to give to the last `**`: never further. */
function run(codes: Int32Array, subject: string, separator: number, fold: boolean, last: number): boolean {
  const end = subject.length
  if (last !== 0 && (end === 0 || (fold ? lower(subject.charCodeAt(end - 1)) : subject.charCodeAt(end - 1)) !== last))
    return false
  let p = 0
  let s = 0
  let star = -1
  let starSubject = 0
  let globstar = -1
  let globstarSubject = 0
  for (;;) {
    if (p < codes.length) {
      const code = codes[p]!
      if (code >= 0) {
        if (s < end && (fold ? lower(subject.charCodeAt(s)) : subject.charCodeAt(s)) === code) {
          p++
          s++
          continue
        }
      } else if (code === STAR) {
        star = ++p
        starSubject = s
        continue
      } else if (code === SEPARATOR) {
        if (s < end && subject.charCodeAt(s) === separator) {
          p++
          s++
          star = -1
          continue
        }
      } else if (code === GLOBSTAR) {
        globstar = ++p
        globstarSubject = s
        star = -1
        continue
      } else return true
    } else if (s === end) return true

    if (star >= 0 && starSubject < end && subject.charCodeAt(starSubject) !== separator) {
      p = star
      s = ++starSubject
    } else {
      if (globstar < 0) return false
      globstarSubject = subject.indexOf('/', globstarSubject) + 1
      if (globstarSubject === 0) return false
      p = globstar
      s = globstarSubject
      star = -1
    }
  }
}
