/**
 * The JavaScript twin of the core's matcher, for one pattern at a time: a call into WebAssembly costs more than it takes
 * to match a host or path. The same cases go through both (test/pattern).
 * @module
 */
import { isText, type PatternKind } from '../wasm/pattern.ts'

/** What is between two `**`, or at an end of the pattern: read towards the end, or, as the last part, towards the start. */
interface Part {
  /** Four numbers a step: which, from where to where its literal is in `codes`, and how much of that is in its first segment. */
  readonly steps: Int32Array
  readonly codes: Uint16Array
  readonly forward: 1 | -1
}

/** Characters without a wildcard, separators too. */
const LITERAL = 0
/** `*` and the literal behind it: how much of that is in the gap's segment says where the gap ends. */
const GAP = 1
/** `*` and a literal before another `*` in the segment: the first place where it stands is as good as any. */
const SEARCH = 2

interface Program {
  readonly parts: readonly Part[]
  /** The pattern ends with `**`. */
  readonly open: boolean
  readonly separator: number
  readonly fold: boolean
}

/** No character: the kinds env and command are one segment. */
const NO_SEPARATOR = -1
const SEPARATORS = { host: 0x2e, path: 0x2f, env: NO_SEPARATOR, command: NO_SEPARATOR, tag: 0x2f } as const

/** No place in a subject; -1 is one, before its first character. */
const NOWHERE = -2

/**
 * Compiles a pattern that the core accepts to a function that says whether a subject matches.
 *
 * @example
 * compileTest('path', '/data/**', false)('/data/a/b') // true
 */
export function compileTest(kind: PatternKind, pattern: string, ignoreCase: boolean): (subject: string) => boolean {
  if (pattern === '*') return isText
  const fold = ignoreCase || kind === 'host'
  const separator = SEPARATORS[kind]
  if (kind === 'tag') return compileTag(pattern.endsWith('/*') ? pattern.slice(0, -2) : pattern, separator, fold)
  if (!fold && !pattern.includes('*')) return (subject) => subject === pattern
  const program = compileProgram(pattern, separator, fold)
  if (fold || /\*\/?$/.test(pattern)) return (subject) => matches(program, subject) && isText(subject)
  // Most subjects that do not match have another last character.
  const last = pattern.charCodeAt(pattern.length - 1)
  return (subject) =>
    subject.charCodeAt(subject.length - 1) === last && matches(program, subject) && isText(subject)
}

/** A tag is matched by itself and by all that is below it: Agent Card 3.6.1, parent match. */
function compileTag(tag: string, separator: number, fold: boolean): (subject: string) => boolean {
  const itself = compileProgram(tag, separator, fold)
  const below = compileProgram(`${tag}/**`, separator, fold)
  return (subject) => (matches(itself, subject) || matches(below, subject)) && isText(subject)
}

function compileProgram(pattern: string, separator: number, fold: boolean): Program {
  const open = pattern.endsWith('**')
  const texts = (open ? pattern.slice(0, -2) : pattern).split('**/')
  const parts = texts.map((text, i) => {
    const forward = i === 0 || i < texts.length - 1 || open ? 1 : -1
    return compilePart(text, String.fromCharCode(separator), fold, forward)
  })
  return { parts, open, separator, fold }
}

function compilePart(text: string, separator: string, fold: boolean, forward: 1 | -1): Part {
  const steps: number[] = []
  const codes: number[] = []
  const literals = (forward === 1 ? text : reverse(text)).split('*')
  literals.forEach((literal, i) => {
    const start = codes.length
    for (let k = 0; k < literal.length; k++) codes.push(fold ? lower(literal.charCodeAt(k)) : literal.charCodeAt(k))
    const inSegment = literal.indexOf(separator)
    const last = i === literals.length - 1
    const step = i === 0 ? LITERAL : inSegment >= 0 || last ? GAP : SEARCH
    steps.push(step, start, codes.length, inSegment >= 0 ? inSegment : literal.length)
  })
  return { steps: new Int32Array(steps), codes: new Uint16Array(codes), forward }
}

/** By UTF-16 units, as they are compared. */
function reverse(text: string): string {
  return text.split('').reverse().join('')
}

/** ASCII only: `toLowerCase` would turn the Kelvin sign into a k. */
function lower(unit: number): number {
  return (unit - 0x41) >>> 0 < 26 ? unit | 0x20 : unit
}

/** The first part stands at the start, the last at the end, and each between as early as possible. */
function matches(program: Program, subject: string): boolean {
  const { parts, open, separator } = program
  let start = matchPart(program, parts[0]!, subject, 0, subject.length)
  if (start === NOWHERE) return false
  if (parts.length === 1) return open || start === subject.length
  let end = subject.length
  if (!open) {
    const before = matchPart(program, parts[parts.length - 1]!, subject, end - 1, start - 1)
    if (before === NOWHERE || (before >= start && subject.charCodeAt(before) !== separator)) return false
    end = before + 1
  }
  const between = open ? parts.length : parts.length - 1
  for (let i = 1; i < between; i++) {
    let behind = matchPart(program, parts[i]!, subject, start, end)
    while (behind === NOWHERE) {
      start = segmentEnd(subject, start, end, 1, separator) + 1
      if (start >= end) return false
      behind = matchPart(program, parts[i]!, subject, start, end)
    }
    start = behind
  }
  return true
}

/** Where a part that begins at `at` ends, before `stop`, or NOWHERE. */
function matchPart({ separator, fold }: Program, part: Part, subject: string, at: number, stop: number): number {
  const { steps, codes, forward } = part
  for (let step = 0; step < steps.length; step += 4) {
    const from = steps[step + 1]!
    const to = steps[step + 2]!
    if (steps[step] === GAP) {
      const end = segmentEnd(subject, at, stop, forward, separator) - steps[step + 3]! * forward
      if ((end - at) * forward < 0) return NOWHERE
      at = end
    } else if (steps[step] === SEARCH) {
      at = search(codes, from, to, fold, subject, at, stop, forward, separator)
    }
    if ((stop - at) * forward < to - from || !same(codes, from, to, fold, subject, at, forward)) return NOWHERE
    at += (to - from) * forward
  }
  return at
}

/** The first separator from `at` on, or `stop`. */
function segmentEnd(subject: string, at: number, stop: number, forward: 1 | -1, separator: number): number {
  while (at !== stop && subject.charCodeAt(at) !== separator) at += forward
  return at
}

/** The first place from `at` on where the codes stand, or the last in the segment where they might. */
function search(
  codes: Uint16Array,
  from: number,
  to: number,
  fold: boolean,
  subject: string,
  at: number,
  stop: number,
  forward: 1 | -1,
  separator: number,
): number {
  const most = segmentEnd(subject, at, stop, forward, separator) - (to - from) * forward
  while ((most - at) * forward > 0 && !same(codes, from, to, fold, subject, at, forward)) at += forward
  return at
}

/** Whether the codes in [from, to) stand in the subject from `at` on. */
function same(
  codes: Uint16Array,
  from: number,
  to: number,
  fold: boolean,
  subject: string,
  at: number,
  forward: 1 | -1,
): boolean {
  for (; from < to; from++, at += forward) {
    const unit = subject.charCodeAt(at)
    if ((fold ? lower(unit) : unit) !== codes[from]) return false
  }
  return true
}
