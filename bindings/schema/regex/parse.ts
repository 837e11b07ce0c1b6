// Parses the structure of an ECMA-262 regular expression that the host has already accepted (flag u).

/** One character: a literal, or anything that an escape, a class or a dot matches. */
export interface One {
  readonly kind: 'one'
  readonly code: number
  readonly source: string
}

export type Regex =
  | One
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Regex[] }
  | { readonly kind: 'repeat'; readonly body: Regex; readonly least: number; readonly most: number }
  | { readonly kind: 'assert'; readonly what: string }
  /** A positive or negative lookahead or lookbehind. */
  | { readonly kind: 'look'; readonly body: Regex; readonly behind: boolean; readonly negated: boolean }
  /** A back reference. */
  | { readonly kind: 'back' }

/** The nesting limit of groups: only hostile expressions are deeper. */
const MOST_LEVELS = 50

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const ESCAPE = /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|.)/suy
const CLASS = /\[(?:\\.|[^\\\]])*\]/suy
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/suy

/** The structure of an expression; undefined when it is nested too deeply. */
export function parseRegex(source: string): Regex | undefined {
  let at = 0

  function match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = at
    const found = expression.exec(source)
    if (found !== null) at = expression.lastIndex
    return found
  }

  function choice(level: number): Regex | undefined {
    if (level > MOST_LEVELS) return undefined
    const branches: Regex[] = []
    for (;;) {
      const branch = sequence(level)
      if (branch === undefined) return undefined
      branches.push(branch)
      if (source[at] !== '|') break
      at++
    }
    return branches.length === 1 ? branches[0] : { kind: 'choice', parts: branches }
  }

  function sequence(level: number): Regex | undefined {
    const parts: Regex[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const part = atom(level)
      if (part === undefined) return undefined
      const quantifier = match(QUANTIFIER)
      parts.push(quantifier === null ? part : repeat(part, quantifier))
    }
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts }
  }

  function atom(level: number): Regex | undefined {
    const start = source[at]!
    if (start === '(') return group(level)
    if (start === '^' || start === '$') {
      at++
      return { kind: 'assert', what: start }
    }
    if (start === '\\') {
      const text = match(ESCAPE)![0]
      if (/^\\[bB]$/.test(text)) return { kind: 'assert', what: text[1]! }
      return /^\\[1-9k]/.test(text) ? { kind: 'back' } : { kind: 'one', code: -1, source: text }
    }
    if (start === '[') return { kind: 'one', code: -1, source: match(CLASS)![0] }
    const code = source.codePointAt(at)!
    at += code > 0xffff ? 2 : 1
    return { kind: 'one', code: start === '.' ? -1 : code, source: String.fromCodePoint(code) }
  }

  function group(level: number): Regex | undefined {
    const opening = match(GROUP)![0]
    const body = choice(level + 1)
    // The closing parenthesis.
    at++
    if (body === undefined || !/[=!]$/.test(opening)) return body
    return { kind: 'look', body, behind: opening.startsWith('(?<'), negated: opening.endsWith('!') }
  }

  return choice(0)
}

function repeat(body: Regex, [, sign, least, comma, most]: RegExpExecArray): Regex {
  if (sign === '?') return { kind: 'repeat', body, least: 0, most: 1 }
  if (sign !== undefined) return { kind: 'repeat', body, least: sign === '+' ? 1 : 0, most: Number.POSITIVE_INFINITY }
  const top = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)
  return { kind: 'repeat', body, least: Number(least), most: top }
}

// Decides whether a text is an ECMA-262 regular expression with the flag u. Asks the host's engine, except where hosts
// differ or asking is expensive.

/** Escapes and classes: they may contain what looks like a group. */
const ESCAPES_AND_CLASSES = /\\.|\[(?:\\.|[^\]\\])*\]/gsu

/** An escape; the name is captured when it is a property. */
const ESCAPED = /\\(?:[pP]\{([^{}]*)\}|.)/gsu

/** Property names that the host has accepted; there are only some hundreds. */
const knownProperties = new Set<string>()

/** True for a valid regular expression; the answer is the same in every host. */
export function isRegex(source: string): boolean {
  // The host expands a property into a list of ranges each time it reads one, up to 0.2 ms for four letters. So each
  // name is tested only once, and the expression is tested with another escape in its place that is allowed wherever a
  // property is.
  let hasUnknown = false
  const cheap = source.replace(ESCAPED, (found, property: string | undefined) => {
    if (property === undefined) return found
    hasUnknown ||= !isProperty(property)
    return '\\d'
  })
  return !hasUnknown && isAccepted(cheap) && !hasNewGroups(source)
}

function isProperty(name: string): boolean {
  if (knownProperties.has(name)) return true
  if (!isAccepted(`\\p{${name}}`)) return false
  knownProperties.add(name)
  return true
}

function isAccepted(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Groups that modify flags and duplicate group names are new: some hosts do not know them. */
function hasNewGroups(source: string): boolean {
  if (!source.includes('(?')) return false
  const groups = source.replace(ESCAPES_AND_CLASSES, '')
  if (/\(\?[ims-]/.test(groups)) return true
  const names = groups.match(/\(\?<[^=!>][^>]*>/g) ?? []
  return new Set(names).size < names.length
}
