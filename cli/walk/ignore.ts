// Reads .gitignore files as git does (gitignore(5), and wildmatch.c for what the manual leaves open). Names and patterns
// are compared byte by byte, as Latin-1 texts.

/** A literal character, any character, any number of them, or one of a set. */
type Token = string | typeof ANY | typeof STAR | ((character: string) => boolean)
const ANY = 1
const STAR = 2

/** A literal name, a pattern for one, or null for any number of folders. */
type Segment = string | readonly Token[] | null

export interface IgnoreRule {
  readonly isNegated: boolean
  readonly foldersOnly: boolean
  /** True for a pattern without a slash, which matches at any depth. */
  readonly isAnywhere: boolean
  readonly segments: readonly Segment[]
}

/** Bounds the work for each name; no project has more rules in a file. */
const MOST_RULES = 5000
const LONGEST = 4096

/** The rules of a .gitignore file, the last one first: it decides. */
export function parseIgnore(bytes: Uint8Array): readonly IgnoreRule[] {
  const text = Buffer.from(bytes).toString('latin1')
  const lines = text.replace(/^\xef\xbb\xbf/, '').split('\n', MOST_RULES)
  return lines.flatMap((line) => ruleOf(line) ?? []).reverse()
}

function ruleOf(line: string): IgnoreRule | undefined {
  let pattern = withoutBlanks(line.replace(/\r$/, ''))
  if (pattern.length > LONGEST || pattern.startsWith('#')) return undefined
  const isNegated = pattern.startsWith('!')
  if (isNegated) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1)
  if (pattern === '') return undefined
  const isAnywhere = !pattern.includes('/')
  const segments = segmentsOf(pattern.replace(/^\//, ''))
  return segments && { isNegated, foldersOnly, isAnywhere, segments }
}

/** Cuts blanks at the end, up to one after a backslash. */
function withoutBlanks(line: string): string {
  let end = 0
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === ' ') continue
    end = Math.min(at + 1, line.length)
  }
  return line.slice(0, end)
}

/** Splits a pattern at its slashes; undefined for one that never matches. */
function segmentsOf(pattern: string): Segment[] | undefined {
  const segments: Token[][] = [[]]
  for (let at = 0; at < pattern.length; at++) {
    let token: Token = pattern[at]!
    if (token === '[') {
      const set = setAt(pattern, at + 1)
      if (set === undefined) return undefined
      token = set.holds
      at = set.end
    } else if (token === '\\') {
      if (++at === pattern.length) return undefined
      token = pattern[at]!
    } else if (token === '*') token = STAR
    else if (token === '?') token = ANY
    if (token === '/') segments.push([])
    else segments.at(-1)!.push(token)
  }
  return segments.map(simplify)
}

function simplify(tokens: readonly Token[]): Segment {
  if (tokens.length > 1 && tokens.every((token) => token === STAR)) return null
  return tokens.every((token) => typeof token === 'string') ? tokens.join('') : tokens
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /[^ -~\x80-\xff]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[\da-f]/i,
}

/** The set after a `[`, and where its `]` stands; undefined for an open set or an unknown class. */
function setAt(pattern: string, from: number): { holds(character: string): boolean; end: number } | undefined {
  const isNegated = pattern[from] === '!' || pattern[from] === '^'
  const tests: ((character: string) => boolean)[] = []
  const first = isNegated ? from + 1 : from
  let before = ''
  for (let at = first; at < pattern.length; at++) {
    let low = pattern[at]!
    if (low === ']' && at > first)
      return { holds: (character) => tests.some((test) => test(character)) !== isNegated, end: at }
    const name = low === '[' && pattern[at + 1] === ':' ? /^[^\]]*/.exec(pattern.slice(at + 2))![0] : undefined
    if (name?.endsWith(':')) {
      const known = CLASSES[name.slice(0, -1)]
      if (known === undefined) return undefined
      tests.push((character) => known.test(character))
      at += name.length + 2
      before = ''
      continue
    }
    const isRange = low === '-' && before !== '' && at + 1 < pattern.length && pattern[at + 1] !== ']'
    if (isRange) low = pattern[++at]!
    if (low === '\\') low = pattern[++at] ?? ''
    if (low === '') return undefined
    const [least, most] = [isRange ? before : low, low]
    tests.push((character) => character >= least && character <= most)
    before = isRange ? '' : low
  }
  return undefined
}

/** A name as patterns see it. */
export const rawName = (name: string): string => (/[^\0-\x7f]/.test(name) ? Buffer.from(name).toString('latin1') : name)

/**
 * What a file of rules says about a path, given by its names from `from` on: ignored, taken in spite of an earlier rule, or
 * nothing.
 */
export function isIgnored(
  rules: readonly IgnoreRule[],
  path: readonly string[],
  from: number,
  isFolder: boolean,
): boolean | undefined {
  const rule = rules.find(({ foldersOnly, isAnywhere, segments }) => {
    if (foldersOnly && !isFolder) return false
    return isAnywhere ? matchesSegment(segments[0]!, path.at(-1)!) : matchesPath(segments, path, from)
  })
  return rule && !rule.isNegated
}

/** Backtracks only to the latest `**`: what stands before it matched as early as it could. */
function matchesPath(segments: readonly Segment[], path: readonly string[], from: number): boolean {
  let s = 0
  let folders = -1
  let next = from
  for (let p = from; p < path.length; ) {
    const segment = segments[s]
    if (segment === null) {
      // At the end, it stands for everything below a folder.
      if (++s === segments.length) return true
      folders = s
      next = p
    } else if (segment !== undefined && matchesSegment(segment, path[p]!)) {
      s++
      p++
    } else if (folders >= 0) {
      s = folders
      p = ++next
    } else return false
  }
  return s === segments.length
}

function matchesSegment(segment: Segment, name: string): boolean {
  if (segment === null || typeof segment === 'string') return segment === null || segment === name
  let s = 0
  let star = -1
  let from = 0
  for (let n = 0; n < name.length; ) {
    const token = segment[s]
    if (token === STAR) {
      star = ++s
      from = n
    } else if (token === ANY || token === name[n] || (typeof token === 'function' && token(name[n]!))) {
      s++
      n++
    } else if (star >= 0) {
      s = star
      n = ++from
    } else return false
  }
  while (segment[s] === STAR) s++
  return s === segment.length
}
