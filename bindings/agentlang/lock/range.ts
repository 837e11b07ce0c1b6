// Versions by Semantic Versioning 2.0.0, and the dates that MCP has for versions.

interface Version {
  /** Major, minor and patch. */
  readonly numbers: readonly number[]
  /** Its identifiers; empty for a release. */
  readonly prerelease: readonly string[]
}

/** The most UTF-16 units of a version and of a range. */
const LONGEST = 256

/** Source of a regular expression for a number without leading zeros. */
const NUMBER = '0|[1-9]\\d*'
const IDENTIFIER = `(?:\\d*[a-zA-Z-][\\da-zA-Z-]*|${NUMBER})`
/** Source of a regular expression for the identifiers of a pre-release. */
const PRERELEASE = `${IDENTIFIER}(?:\\.${IDENTIFIER})*`
/** Source of a regular expression for build metadata, which orders nothing (section 10). */
const BUILD = '\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*'

const VERSION = new RegExp(`^v?(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${PRERELEASE}))?(?:${BUILD})?$`)

/** A date in a text of several versions. MCP names its versions so: `2024-11-05`. */
const DATES = /(?<![\w.+-])(\d{4})-(\d\d)-(\d\d)(?![\w.+-])/g

/** Writes dates as versions: `2024-11-05` becomes `2024.11.5`. */
const datesAsVersions = (text: string): string =>
  text.replace(DATES, (_, ...[year, month, day]: string[]) => [year, month, day].map(Number).join('.'))

/**
 * Reads a version, or a date as one. Returns undefined for anything else.
 *
 * @example
 * parseVersion('1.2.0-rc.1') // { numbers: [1, 2, 0], prerelease: ['rc', '1'] }
 */
export function parseVersion(text: unknown): Version | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  const plain = text.trim()
  const found = VERSION.exec(plain) ?? VERSION.exec(datesAsVersions(plain))
  if (found === null) return undefined
  const [, major, minor, patch, prerelease] = found
  const version = { numbers: [Number(major), Number(minor), Number(patch)], prerelease: prerelease?.split('.') ?? [] }
  return isExact(version) ? version : undefined
}

/** True when doubles hold the numbers of a version exactly. */
const isExact = ({ numbers }: Version): boolean => numbers.every(Number.isSafeInteger)

/** Orders versions as section 11 does: negative when `a` is lower, 0 when neither is. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i]! - b.numbers[i]!
  return comparePrereleases(a.prerelease, b.prerelease)
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareIdentifiers(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0
  const isNumber = /^\d+$/.test(a)
  if (isNumber !== /^\d+$/.test(b)) return isNumber ? -1 : 1
  // Without leading zeros, the longer number is the greater one. Doubles would make long numbers equal.
  if (isNumber && a.length !== b.length) return a.length - b.length
  return a < b ? -1 : 1
}

// Ranges of versions with the grammar and the meaning that npm gives them.

interface Comparator {
  readonly operator: '<' | '<=' | '>' | '>=' | '='
  readonly version: Version
}

/** Alternatives of comparators. A version must meet all comparators of one alternative. */
export type VersionRange = readonly (readonly Comparator[])[]

/** Every release. */
const ANY: VersionRange = [[]]

const MOST_ALTERNATIVES = 64

const PART = `${NUMBER}|[xX*]`
/** The numbers that a range gives, each possibly a wildcard, and the pre-release. Build metadata is removed before. */
const PARTIAL = `([v= ]*)(${PART})(?:\\.(${PART})(?:\\.(${PART})(?:-(${PRERELEASE}))?)?)?`
const HYPHEN = new RegExp(`^ ?${PARTIAL} - ${PARTIAL} ?$`)
const TERM = new RegExp(`^(\\^|~>?|[<>]?=?)${PARTIAL}$`)
const BUILDS = new RegExp(BUILD, 'g')

/** A version in a range, as it is written. */
interface PartialVersion {
  readonly prefix: string
  /** The numbers before the first wildcard. */
  readonly numbers: readonly number[]
  /** Empty unless there are three numbers. */
  readonly prerelease: readonly string[]
  readonly hasNumberAfterWildcard: boolean
}

/**
 * Reads a range of versions. Returns undefined for an invalid one, and for more than 64 alternatives or 256 characters.
 * Dates of MCP count as versions.
 *
 * @example
 * parseRange('^1.2.0 || >=3') // satisfied by 1.9.9 and 3.0.0
 */
export function parseRange(text: unknown): VersionRange | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  const alternatives = datesAsVersions(text.trim().replace(/\s+/g, ' ')).split('||')
  if (alternatives.length > MOST_ALTERNATIVES) return undefined
  const range: Comparator[][] = []
  for (const alternative of alternatives) {
    const comparators = comparatorsOf(alternative.trim().replace(BUILDS, ''))
    if (comparators?.every(({ version }) => isExact(version)) !== true) return undefined
    range.push(comparators)
  }
  // As in npm, an alternative that every release meets hides the pre-releases that others name.
  return range.some((comparators) => comparators.every(isUnlimited)) ? ANY : range
}

/** True when a version is in a range. A pre-release must be of a version of which the range names one. */
export function satisfies(range: VersionRange, version: Version): boolean {
  return range.some(
    (comparators) => comparators.every((comparator) => meets(version, comparator)) && isNamed(version, comparators),
  )
}

/**
 * The highest of some versions in a range; undefined without one.
 *
 * @example
 * highest(parseRange('^1.2.0')!, ['1.2.0', '1.10.0', '2.0.0']) // '1.10.0'
 */
export function highest(range: VersionRange, versions: readonly string[]): string | undefined {
  let best: { readonly text: string; readonly version: Version } | undefined
  for (const text of versions) {
    const version = parseVersion(text)
    if (version === undefined || (best !== undefined && compareVersions(version, best.version) <= 0)) continue
    if (satisfies(range, version)) best = { text, version }
  }
  return best?.text
}

function meets(version: Version, { operator, version: limit }: Comparator): boolean {
  const order = compareVersions(version, limit)
  if (order === 0) return operator.endsWith('=')
  return order < 0 ? operator.startsWith('<') : operator.startsWith('>')
}

function isNamed({ numbers, prerelease }: Version, comparators: readonly Comparator[]): boolean {
  if (prerelease.length === 0) return true
  return comparators.some(
    ({ version }) => version.prerelease.length > 0 && version.numbers.every((n, i) => n === numbers[i]),
  )
}

function isUnlimited({ operator, version: { numbers, prerelease } }: Comparator): boolean {
  return operator === '>=' && prerelease.length === 0 && numbers.every((n) => n === 0)
}

function comparatorsOf(text: string): Comparator[] | undefined {
  const hyphen = HYPHEN.exec(text)
  if (hyphen !== null) {
    const from = compare('>=', partialOf(hyphen.slice(1, 6)))
    const upper = partialOf(hyphen.slice(6))
    // npm ignores what is before an upper version if it is a pre-release.
    const to = compare('<=', upper.prerelease.length > 0 ? { ...upper, prefix: '' } : upper)
    return from && to && [...from, ...to]
  }
  const comparators: Comparator[] = []
  for (const term of withoutBlanks(text).split(' ')) {
    const own = comparatorsOfTerm(term)
    if (own === undefined) return undefined
    for (const one of own) comparators.push(one)
  }
  return comparators
}

/** Joins operators with their versions. A prefix belongs to its version, so only one blank is removed, as in npm. */
const withoutBlanks = (text: string): string =>
  text
    .replace(/(?<![v=])([<>]=?|=) ([v= ]*[\dxX*])/g, '$1$2')
    .replace(/~>? +/g, '~')
    .replace(/\^ +/g, '^')

function comparatorsOfTerm(term: string): Comparator[] | undefined {
  if (term === '') return []
  const [, operator, ...groups] = TERM.exec(term) ?? []
  if (operator === undefined) return undefined
  const partial = partialOf(groups)
  if (operator === '^' || operator.startsWith('~')) return compatible(operator, partial)
  return partial.hasNumberAfterWildcard ? undefined : compare(operator, partial)
}

function partialOf([prefix, ...groups]: readonly (string | undefined)[]): PartialVersion {
  const parts = groups.slice(0, 3)
  const wildcard = parts.findIndex(isWildcard)
  const numbers = (wildcard < 0 ? parts : parts.slice(0, wildcard)).map(Number)
  return {
    prefix: prefix!,
    numbers,
    prerelease: (numbers.length === 3 && groups[3]?.split('.')) || [],
    hasNumberAfterWildcard: wildcard >= 0 && !parts.slice(wildcard).every(isWildcard),
  }
}

const isWildcard = (part: string | undefined) => part === undefined || /^[xX*]$/.test(part)

/** `^` keeps the first number that is not 0. `~` keeps major and minor. */
function compatible(operator: string, { numbers, prerelease }: PartialVersion): Comparator[] {
  if (numbers.length === 0) return []
  const last = numbers.length - 1
  const kept = operator === '^' ? numbers.findIndex((n) => n !== 0) : 1
  return [atLeast(first(numbers), prerelease), below(after(numbers, kept < 0 ? last : Math.min(kept, last)))]
}

function compare(operator: string, { prefix, numbers, prerelease }: PartialVersion): Comparator[] | undefined {
  if (numbers.length === 3) {
    if (prefix !== '' && prefix !== 'v') return undefined
    return [{ operator: (operator || '=') as Comparator['operator'], version: { numbers, prerelease } }]
  }
  // Nothing is above or below everything.
  if (numbers.length === 0) return operator === '<' || operator === '>' ? [below([0, 0, 0])] : []
  const next = after(numbers, numbers.length - 1)
  if (operator === '>') return [atLeast(next)]
  if (operator === '>=') return [atLeast(first(numbers))]
  if (operator === '<') return [below(first(numbers))]
  return operator === '<=' ? [below(next)] : [atLeast(first(numbers)), below(next)]
}

const atLeast = (numbers: readonly number[], prerelease: readonly string[] = []): Comparator => {
  return { operator: '>=', version: { numbers, prerelease } }
}

/** Below all pre-releases of a version. */
const below = (numbers: readonly number[]): Comparator => ({ operator: '<', version: { numbers, prerelease: ['0'] } })

/** The first version with these numbers. */
const first = (numbers: readonly number[]) => [...numbers, 0, 0].slice(0, 3)

/** The first version after all that have the same numbers up to an index. */
const after = (numbers: readonly number[], last: number) => first([...numbers.slice(0, last), numbers[last]! + 1])
