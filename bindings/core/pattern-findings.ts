/**
 * Describes the faults and warnings of a pattern in words.
 * @module
 */
import {
  PATTERN_CONTROL,
  PATTERN_EMPTY,
  PATTERN_GLOBSTAR_KIND,
  PATTERN_GLOBSTAR_PLACE,
  PATTERN_LABEL,
  PATTERN_LONG,
  PATTERN_NON_ASCII,
  PATTERN_SEGMENTS,
  PATTERN_SPACE,
  PATTERN_STARS,
  PATTERN_TAG_STAR,
  WARN_BARE,
  WARN_HOST,
  WARN_MIDDLE,
  WARN_NON_ASCII,
  WARN_SPACE,
} from '../wasm/faults.ts'
import { isWellFormed, LONE_SURROGATE } from '../wasm/instance.ts'
import { findings, type PatternKind, type RawFinding } from '../wasm/pattern.ts'

/** A finding in a pattern. Offset and length count its UTF-16 units. */
export interface PatternFinding {
  /** `error`: the pattern is refused. */
  readonly severity: 'error' | 'warning'
  /** A stable name, such as `empty-label`. */
  readonly reason: string
  readonly message: string
  readonly offset: number
  readonly length: number
}

export declare namespace PatternError {
  /** A finding of `compilePatterns`: `pattern` is the index of the pattern. */
  interface Finding extends PatternFinding {
    readonly pattern: number
  }
}

/** Thrown by `compilePatterns` when patterns are refused; `findings` holds the errors of all of them. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  readonly findings: readonly PatternError.Finding[]

  constructor(findings: readonly PatternError.Finding[]) {
    const [first] = findings
    super(first === undefined ? 'patterns refused' : `pattern ${first.pattern}: ${first.message}`)
    this.findings = findings
  }
}

/** The length limit in UTF-8 bytes. */
const LONGEST = 65_535

type Words = (kind: PatternKind, part: string) => string

const shown = (part: string) => JSON.stringify(part)
const codePoint = (part: string) => `U+${part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

const named = (kind: PatternKind) => (kind === 'env' ? 'an env' : `a ${kind}`)
const nounOf = (kind: PatternKind) => (kind === 'env' ? 'variable' : kind)

// Built by a call, so that bundlers can drop it, like the words of bindings/document/faults.ts.
const REASONS: Record<number, readonly [reason: string, words: Words]> = /* @__PURE__ */ (() => ({
  [PATTERN_EMPTY]: ['empty', () => 'expected a pattern, got an empty string'],
  [PATTERN_LONG]: ['too-long', () => `expected at most ${LONGEST} bytes, got more`],
  [PATTERN_CONTROL]: ['control-character', (_, part) => `expected printable characters, got ${codePoint(part)}`],
  [PATTERN_SPACE]: [
    'space',
    (kind) => `expected printable ASCII without spaces in ${named(kind)} pattern, got a space`,
  ],
  [PATTERN_NON_ASCII]: [
    'non-ascii',
    (kind, part) => `expected printable ASCII in ${named(kind)} pattern, got ${shown(part)}${asciiHint(kind)}`,
  ],
  [PATTERN_STARS]: ['star-run', (_, part) => `expected at most two "*" in a row, got ${part.length}`],
  [PATTERN_GLOBSTAR_KIND]: [
    'globstar-kind',
    (kind) => `expected "*", got "**" in ${named(kind)} pattern: only path patterns have it`,
  ],
  [PATTERN_GLOBSTAR_PLACE]: [
    'globstar-place',
    () => 'expected "**" as a whole segment, as in "/data/**", got it beside other characters',
  ],
  [PATTERN_LABEL]: ['empty-label', () => 'expected a label before and behind each ".", got an empty one'],
  [PATTERN_TAG_STAR]: [
    'tag-wildcard',
    () => 'expected "*" as the whole last segment of a tag, as in "nlp/*", got it elsewhere',
  ],
  [PATTERN_SEGMENTS]: ['too-many-segments', () => 'expected at most 256 segments behind a "**", got more'],
  [WARN_BARE]: [
    'bare-wildcard',
    (kind, part) => `expected something narrower, got ${shown(part)}, which matches every ${nounOf(kind)}`,
  ],
  [WARN_MIDDLE]: [
    'mid-wildcard',
    () => 'expected "*" at an end of its segment, got it between characters: others may refuse that',
  ],
  [WARN_SPACE]: ['space', () => 'expected printable ASCII without spaces, got a space: others may refuse that'],
  [WARN_NON_ASCII]: ['non-ascii', (_, part) => `expected printable ASCII, got ${shown(part)}: others may refuse that`],
  [WARN_HOST]: [
    'host-character',
    (_, part) => `expected a host without scheme, port or path, got ${shown(part)}, which no host has`,
  ],
}))()

function asciiHint(kind: PatternKind): string {
  return kind === 'host' ? ': write international names in their xn-- form' : ''
}

/** The findings in a pattern, in character order. */
export function describePattern(kind: PatternKind, pattern: string): PatternFinding[] {
  if (pattern.length > LONGEST) return [describe(kind, pattern, PATTERN_LONG, LONGEST, pattern.length - LONGEST)]
  if (!isWellFormed(pattern)) return [loneSurrogate(pattern)]
  return findings(kind, pattern)
    .map((raw) => {
      const offset = unitsOf(pattern, raw.offset)
      return describe(kind, pattern, raw.code, offset, unitsOf(pattern, raw.offset + raw.length) - offset)
    })
    .sort((a, b) => a.offset - b.offset)
}

function describe(
  kind: PatternKind,
  pattern: string,
  code: RawFinding['code'],
  offset: number,
  length: number,
): PatternFinding {
  const [reason, words] = REASONS[code]!
  const message = words(kind, pattern.slice(offset, offset + length))
  return { severity: code < 0 ? 'error' : 'warning', reason, message, offset, length }
}

function loneSurrogate(pattern: string): PatternFinding {
  const offset = pattern.search(LONE_SURROGATE)
  const message = `expected text, got the lone surrogate ${codePoint(pattern.slice(offset))}`
  return { severity: 'error', reason: 'lone-surrogate', message, offset, length: 1 }
}

/** The number of UTF-16 units in the first `bytes` bytes of UTF-8. */
function unitsOf(text: string, bytes: number): number {
  let units = 0
  for (let left = bytes; left > 0; ) {
    const code = text.codePointAt(units)!
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    units += code < 0x10000 ? 1 : 2
  }
  return units
}

/** The type of a value, for error messages. */
export function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
}

/** Throws unless `texts` is an array of strings. */
export function checkTexts(name: string, texts: unknown): void {
  if (!Array.isArray(texts)) throw new TypeError(`${name}: expected an array of strings, got ${nameOf(texts)}`)
  // By index, because `every` and similar methods skip holes.
  for (let i = 0; i < texts.length; i++) {
    if (typeof texts[i] !== 'string') throw new TypeError(`${name}[${i}]: expected a string, got ${nameOf(texts[i])}`)
  }
}
