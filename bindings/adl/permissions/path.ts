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
