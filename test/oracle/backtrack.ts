// A backtracking matcher as ECMA-262 describes it (section 22.2.2), which counts what it tries. It has a parser of its
// own, and a direction: lookbehinds are matched from right to left, and lookaheads within them from left to right again.

type Node =
  | { readonly kind: 'one'; readonly test: RegExp }
  | { readonly kind: 'assert'; readonly what: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'group'; readonly body: Node; readonly number: number }
  | { readonly kind: 'back'; readonly name: string }
  | { readonly kind: 'look'; readonly body: Node; readonly behind: boolean; readonly negated: boolean }
  | { readonly kind: 'repeat'; readonly body: Node; readonly range: readonly [number, number]; readonly groups: Groups }

/** The first group of a part of the expression, and the first one after it. */
type Groups = readonly [number, number]
/** The text of each group; undefined when it did not take part. */
type Captures = readonly (string | undefined)[]
type Continue = (at: number, captures: Captures) => boolean

const TOKEN =
  /\(\?<(?<name>\w+)>|\((?:\?(?:<?[=!]|:))?|(?<sign>[*+?]|\{\d+(?:,\d*)?\})\??|\\k<(?<key>\w+)>|\\(?<index>[1-9]\d*)|\\[bB]|\[(?:\\.|[^\]\\])*\]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\(?:u\{[^}]*\}|u....|x..|c.|[pP]\{[^}]*\}|.)|./gsu

export class TooMany extends Error {}

interface Parsed {
  readonly root: Node
  /** The number of each group, by its number and by its name. */
  readonly groups: ReadonlyMap<string, number>
}

function parse(source: string): Parsed {
  const tokens = [...source.matchAll(TOKEN)]
  const groups = new Map<string, number>()
  let count = 0
  let at = 0
  const choice = (): Node => {
    const parts = [sequence()]
    while (tokens[at]?.[0] === '|') {
      at++
      parts.push(sequence())
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }
  const sequence = (): Node => {
    const parts: Node[] = []
    while (at < tokens.length && tokens[at]![0] !== '|' && tokens[at]![0] !== ')') {
      const first = count
      let part = atom()
      const sign = tokens[at]?.groups?.['sign']
      if (sign !== undefined) {
        at++
        part = { kind: 'repeat', body: part, range: rangeOf(sign), groups: [first + 1, count + 1] }
      }
      parts.push(part)
    }
    return { kind: 'sequence', parts }
  }
  const inside = (): Node => {
    const body = choice()
    at++
    return body
  }
  const atom = (): Node => {
    const { 0: text, groups: named } = tokens[at++]!
    if (text === '^' || text === '$' || /^\\[bB]$/.test(text)) return { kind: 'assert', what: text }
    const reference = named?.['key'] ?? named?.['index']
    if (reference !== undefined) return { kind: 'back', name: reference }
    if (!text.startsWith('(')) return { kind: 'one', test: new RegExp(`^${text}$`, 'u') }
    if (text === '(?:') return inside()
    if (/[=!]$/.test(text)) {
      return { kind: 'look', body: inside(), behind: text.startsWith('(?<'), negated: text.endsWith('!') }
    }
    const number = ++count
    for (const key of [`${number}`, named?.['name'] ?? `${number}`]) groups.set(key, number)
    return { kind: 'group', body: inside(), number }
  }
  return { root: choice(), groups }
}

function rangeOf(sign: string): [number, number] {
  if (sign === '?') return [0, 1]
  if (sign === '*' || sign === '+') return [sign === '+' ? 1 : 0, Number.POSITIVE_INFINITY]
  const [least, most] = sign.slice(1, -1).split(',')
  return [Number(least), most === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)]
}

interface Search {
  /** Rejects every match, so that each way is tried. */
  readonly isExhaustive?: boolean
  readonly isSticky?: boolean
  /** The first place where a match may begin. */
  readonly from?: number
}

/** Matches at one place after the other; returns the end of the match. */
function run(
  source: string,
  text: string,
  attempt: (cost?: number) => void,
  { isExhaustive = false, isSticky = false, from: first = 0 }: Search = {},
): number | undefined {
  const { root, groups } = parse(source)

  function match(node: Node, at: number, isBackwards: boolean, captures: Captures, then: Continue): boolean {
    switch (node.kind) {
      case 'one': {
        attempt()
        const character = isBackwards ? characterBefore(text, at) : characterAt(text, at)
        if (character === '' || !node.test.test(character)) return false
        return then(at + (isBackwards ? -character.length : character.length), captures)
      }
      case 'assert':
        attempt()
        return holds(node.what, text, at) && then(at, captures)
      case 'sequence': {
        const parts = isBackwards ? [...node.parts].reverse() : node.parts
        const from = (index: number, place: number, known: Captures): boolean =>
          index === parts.length
            ? then(place, known)
            : match(parts[index]!, place, isBackwards, known, (end, next) => from(index + 1, end, next))
        return from(0, at, captures)
      }
      case 'choice':
        return node.parts.some((part, i) => {
          if (i > 0) attempt()
          return match(part, at, isBackwards, captures, then)
        })
      case 'group':
        return match(node.body, at, isBackwards, captures, (end, known) =>
          then(end, withGroup(known, node.number, text.slice(Math.min(at, end), Math.max(at, end)))),
        )
      case 'back': {
        const said = captures[groups.get(node.name)!] ?? ''
        attempt(said.length + 1)
        const from = isBackwards ? at - said.length : at
        return from >= 0 && text.startsWith(said, from) && then(isBackwards ? from : from + said.length, captures)
      }
      case 'look': {
        attempt()
        let found: Captures | undefined
        match(node.body, at, node.behind, captures, (_, known) => {
          found ??= known
          return !isExhaustive
        })
        if (isExhaustive) return then(at, found ?? captures)
        return (found === undefined) === node.negated && then(at, node.negated ? captures : found!)
      }
      case 'repeat': {
        const [least, most] = node.range
        const turn = (count: number, place: number, known: Captures): boolean => {
          if (count < most) {
            attempt()
            const cleared = known.map((value, i) => (i >= node.groups[0] && i < node.groups[1] ? undefined : value))
            const goes = match(node.body, place, isBackwards, cleared, (end, next) =>
              // RepeatMatcher: beyond the required turns, one that takes nothing ends the loop.
              end !== place || count < least ? turn(count + 1, end, next) : false,
            )
            if (goes) return true
          }
          return count >= least && then(place, known)
        }
        return turn(0, at, captures)
      }
    }
  }

  const isAnchored = root.kind === 'sequence' && root.parts[0]?.kind === 'assert' && root.parts[0].what === '^'
  const last = isSticky ? first : isAnchored ? 0 : text.length
  let found: number | undefined
  for (let start = first; start <= last; start++) {
    // A match begins at a character (AdvanceStringIndex); when it counts, it also tries within one, as V8 does.
    if (!isExhaustive && start > 0 && characterAt(text, start - 1).length > 1) continue
    const isFound = match(root, start, false, [], (end) => {
      found = end
      return !isExhaustive
    })
    if (isFound) return found
  }
  return undefined
}

function withGroup(captures: Captures, number: number, value: string): Captures {
  const all = [...captures]
  all[number] = value
  return all
}

function characterAt(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ''
}

function characterBefore(text: string, at: number): string {
  const pair = at > 1 ? characterAt(text, at - 2) : ''
  return pair.length > 1 ? pair : text.slice(Math.max(at - 1, 0), at)
}

function holds(what: string, text: string, at: number): boolean {
  if (what === '^') return at === 0
  if (what === '$') return at === text.length
  const isWord = (place: number) => /\w/.test(text.charAt(place))
  return (isWord(at - 1) !== isWord(at)) === (what === '\\b')
}

/** How many characters, places and turns are looked at until every way to match in a text is known. */
export function countTries(source: string, text: string, most: number): number {
  let tries = 0
  const attempt = (cost = 1) => {
    tries += cost
    if (tries > most) throw new TooMany()
  }
  run(source, text, attempt, { isExhaustive: true })
  return tries
}

/** True when the expression matches somewhere in the text. */
export function matches(source: string, text: string): boolean {
  return run(source, text, () => {}) !== undefined
}

/** How many of them an engine looks at until it has its answer; with the flag g, until it has all matches. */
export function countMatching({ source, flags }: RegExp, text: string, most: number): number {
  let tries = 0
  const attempt = (cost = 1) => {
    tries += cost
    if (tries > most) throw new TooMany()
  }
  for (let from = 0; from <= text.length; ) {
    const end = run(source, text, attempt, { isSticky: flags.includes('y'), from })
    if (end === undefined || !flags.includes('g')) break
    from = Math.max(end, from + 1)
  }
  return tries
}
