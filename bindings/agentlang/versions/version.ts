// Versions by Semantic Versioning 2.0.0, and the dates that MCP has for versions.

export interface Version {
  /** Major, minor and patch. */
  readonly numbers: readonly number[]
  /** Its identifiers; empty for a release. */
  readonly prerelease: readonly string[]
}

/** The most UTF-16 units of a version and of a range. */
export const LONGEST = 256

/** Source of a regular expression for a number without leading zeros. */
export const NUMBER = '0|[1-9]\\d*'
const IDENTIFIER = `(?:\\d*[a-zA-Z-][\\da-zA-Z-]*|${NUMBER})`
/** Source of a regular expression for the identifiers of a pre-release. */
export const PRERELEASE = `${IDENTIFIER}(?:\\.${IDENTIFIER})*`
/** Source of a regular expression for build metadata, which orders nothing (section 10). */
export const BUILD = '\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*'

const VERSION = new RegExp(`^v?(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${PRERELEASE}))?(?:${BUILD})?$`)

/** A date in a text of several versions. MCP names its versions so: `2024-11-05`. */
const DATES = /(?<![\w.+-])(\d{4})-(\d\d)-(\d\d)(?![\w.+-])/g

/** Writes dates as versions: `2024-11-05` becomes `2024.11.5`. */
export const datesAsVersions = (text: string): string =>
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
export const isExact = ({ numbers }: Version): boolean => numbers.every(Number.isSafeInteger)

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
