// Two slow and simple matchers, written from the text of ADL 4.4 and Agent Card 3.6.1 and independent of the core and
// its JavaScript version: one fills tables over segments and characters, one translates to a regular expression.
import type { PatternKind } from '../../bindings/core/index.ts'

const SEPARATORS: Record<PatternKind, string | undefined> = {
  host: '.',
  path: '/',
  env: undefined,
  command: undefined,
  tag: '/',
}

const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text)
const foldAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** True when the forms of 4.4 and 3.6.1, as interpreted in fixtures/patterns/README.md, include this pattern. */
export function isAllowed(kind: PatternKind, pattern: string): boolean {
  if (!isWellFormed(pattern) || pattern === '') return false
  if (kind === 'tag') return /^([^*]*\/)?\*$|^[^*]+$/.test(pattern)
  if (kind === 'path') {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    if (/[\x00-\x1f\x7f]/.test(pattern)) return false
    return pattern.split('/').every((segment) => segment === '**' || !segment.includes('**'))
  }
  if (!/^[\x21-\x7e]+$/.test(pattern) || pattern.includes('**')) return false
  return kind !== 'host' || !pattern.split('.').includes('')
}

/** True when a pattern matches a subject, by tables. */
export function tableMatches(kind: PatternKind, pattern: string, subject: string, ignoreCase = false): boolean {
  if (!isWellFormed(subject)) return false
  if (pattern === '*') return true
  if (ignoreCase || kind === 'host') return tableOf(kind, foldAscii(pattern), foldAscii(subject))
  return tableOf(kind, pattern, subject)
}

function tableOf(kind: PatternKind, pattern: string, subject: string): boolean {
  const separator = SEPARATORS[kind]
  const segments = separator === undefined ? [subject] : subject.split(separator)
  let wanted = separator === undefined ? [pattern] : pattern.split(separator)
  if (kind === 'tag') {
    if (wanted.at(-1) === '*') wanted = wanted.slice(0, -1)
    return wanted.every((segment, i) => segment === segments[i])
  }
  // A final `**` stands for one segment or more, so the separator before it must exist.
  if (wanted.at(-1) === '**') wanted = [...wanted.slice(0, -1), '**', '*']
  return fills(wanted, segments, (want) => want === '**', segmentMatches)
}

function segmentMatches(wanted: string, segment: string): boolean {
  return fills(
    [...wanted],
    [...segment],
    (want) => want === '*',
    (want, character) => want === character,
  )
}

/**
 * The table of which prefixes of `wanted` match which prefixes of `given`; elements for which `isMany` is true match
 * any number.
 */
function fills(
  wanted: readonly string[],
  given: readonly string[],
  isMany: (want: string) => boolean,
  isOne: (want: string, one: string) => boolean,
): boolean {
  let row = [true, ...given.map(() => false)]
  for (const want of wanted) {
    const next = [isMany(want) && row[0]!]
    given.forEach((one, i) => {
      next.push(isMany(want) ? next[i]! || row[i + 1]! : row[i]! && isOne(want, one))
    })
    row = next
  }
  return row[given.length]!
}

/** The pattern as a regular expression. */
export function toRegExp(kind: PatternKind, pattern: string, ignoreCase = false): RegExp {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (pattern === '*') return /^\P{Surrogate}*$/u
  const separator = SEPARATORS[kind]
  const inside = separator === undefined ? '\\P{Surrogate}' : `(?:(?!${literal(separator)})\\P{Surrogate})`
  const fold = ignoreCase || kind === 'host'
  const cased = (text: string) =>
    fold ? text.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`) : text
  const glob = (text: string) =>
    text
      .split('*')
      .map((part) => cased(literal(part)))
      .join(`${inside}*`)
  if (kind === 'tag') return new RegExp(`^${glob(pattern.replace(/\/\*$/, ''))}(?:\\/\\P{Surrogate}*)?$`, 'u')
  if (kind !== 'path') return new RegExp(`^${glob(pattern)}$`, 'u')
  const segments = pattern.split('/')
  const body = segments.map((segment, i) => {
    const last = i === segments.length - 1
    if (segment === '**') return last ? '\\P{Surrogate}*' : `(?:${inside}*\\/)*`
    return glob(segment) + (last ? '' : '\\/')
  })
  return new RegExp(`^${body.join('')}$`, 'u')
}
