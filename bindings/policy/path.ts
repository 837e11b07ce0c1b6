// Paths as POSIX reads them, and as Win32 does: with a drive, either separator, case-insensitive, without trailing dots
// and spaces.

import { isDeviceName } from '../text/safe-path.ts'

/** In UTF-16 units. Linux allows 4,096 bytes, Windows 32,767 units. */
const LONGEST = 32_767

/** The reason that a text is not an absolute POSIX path; undefined when it is one. */
export function pathFault(path: string): string | undefined {
  if (path.charCodeAt(0) !== 0x2f) return 'the path is not absolute'
  if (path.includes('\0')) return 'the path has a NUL character'
  return path.length > LONGEST ? `the path is longer than ${LONGEST} characters` : undefined
}

/**
 * An absolute path without `.`, `..` and doubled separators. It keeps a final separator, which marks a directory.
 *
 * @example
 * normalizePath('/data//a/./b/../c') // '/data/a/c'
 * normalizePath('/data/..') // '/'
 */
export function normalizePath(path: string): string {
  if (!path.includes('//') && !path.includes('/.')) return path
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const directory = kept.length > 0 && ['', '.', '..'].includes(segments.at(-1)!)
  return `/${kept.join('/')}${directory ? '/' : ''}`
}

/**
 * A denied pattern in the spelling in which paths are compared. Undefined for patterns that can never match such a
 * path, although they are meant to deny something: `secret/**`, `~/.ssh`, `*.key`.
 *
 * @example
 * normalizeDenial('/data//a/../b/') // '/data/b'
 */
export function normalizeDenial(pattern: string): string | undefined {
  // A path of the other kind of system is invalid on this one.
  if (/^[a-z]:[\\/]/i.test(pattern)) return pattern
  const segments = pattern.split('/')
  const [first] = segments
  if (first !== '' && first !== '*' && first !== '**') return undefined
  const up = segments.indexOf('..')
  if (up !== -1 && (first !== '' || segments.lastIndexOf('**', up) !== -1)) return undefined
  const absolute = first === '' ? pattern : `/${pattern}`
  const plain = normalizePath(absolute).replace(/(?<=.)\/$/, '')
  return first === '' ? plain : plain.slice(1)
}

/**
 * The reason that no path can match a pattern of a grant; undefined when one may. Windows patterns are not judged.
 *
 * @example
 * unmatchable('~/notes/**') // 'paths are absolute'
 * unmatchable('/data/../notes') // 'paths are resolved before they are matched'
 */
export function unmatchable(pattern: string): string | undefined {
  if (/^[a-z]:[\\/]/i.test(pattern)) return undefined
  if (!/^(\/|\*\*?(\/|$))/.test(pattern)) return 'paths are absolute'
  return normalizePath(pattern) === pattern ? undefined : 'paths are resolved before they are matched'
}

/** A name such as `PROGRA~1` may be an alias; only the file system knows. */
const SHORT_NAME = /~\d/

/**
 * The reason that a text is not an absolute Windows path; undefined when it is one. Refuses paths without a drive,
 * paths to other machines (`\\server\share`) and devices (`\\?\`, `\\.\`), and streams of a file.
 */
export function windowsPathFault(path: string): string | undefined {
  if (!/^[a-z]:[\\/]/i.test(path)) return 'the path does not begin with a drive, as in C:\\'
  const rest = path.slice(2).replaceAll('\\', '/')
  const fault = pathFault(rest)
  if (fault !== undefined) return fault
  if (rest.includes(':')) return 'the path names a stream'
  for (const segment of rest.split('/')) {
    if (/^[. ]+$/.test(segment) && segment !== '.' && segment !== '..')
      return 'a part of the path is only dots and spaces'
    if (isDeviceName(segment)) return 'a part of the path names a device'
  }
  return undefined
}

/**
 * An absolute Windows path with `/`, without the characters that Win32 drops.
 *
 * @example
 * normalizeWindowsPath('C:\\data\\..\\Secret.\\x ') // 'C:/Secret/x'
 */
export function normalizeWindowsPath(path: string): string {
  const segments = path.slice(2).split(/[\\/]/)
  const kept = segments.map(withoutWindowsEnd)
  return path.slice(0, 2) + normalizePath(kept.join('/'))
}

function withoutWindowsEnd(segment: string): string {
  return /^\.{1,2}$/.test(segment) ? segment : withoutEnd(segment)
}

/**
 * The name that Win32 makes of a segment. Written as a loop, because a regular expression would take quadratic time for
 * runs of dots.
 */
export function withoutEnd(segment: string): string {
  let end = segment.length
  while (end > 0 && (segment[end - 1] === '.' || segment[end - 1] === ' ')) end--
  return segment.slice(0, end)
}

export function mayHaveShortName(path: string): boolean {
  return SHORT_NAME.test(path)
}

/** A path pattern in the form of normalized paths. */
export function spellWindowsPattern(pattern: string): string {
  return pattern.replaceAll('\\', '/')
}

/**
 * Like `normalizeDenial`, for Windows: normalizes the part after the drive, without the characters that Win32 drops.
 */
export function normalizeWindowsDenial(pattern: string): string | undefined {
  const spelt = spellWindowsPattern(pattern)
  if (!/^[a-z]:\//i.test(spelt)) return normalizeDenial(spelt)
  const kept = spelt.slice(2).split('/').map(withoutWindowsEnd)
  const rest = normalizeDenial(kept.join('/'))
  return rest && spelt.slice(0, 2) + rest
}
