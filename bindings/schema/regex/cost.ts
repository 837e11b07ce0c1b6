// An upper bound on the steps that a backtracking engine needs to find that an expression does not match. It is the
// whole tree of choices, computed from the expression alone, and holds for every text of a given length. Engines match
// a lookbehind from right to left (ECMA-262 section 22.2.2.3), so its last part is tried first.
import type { Regex } from './parse.ts'

/** The cost of matching one expression from one place on. */
interface Cost {
  /** The number of ways to match: everything that follows may be tried this many times. */
  readonly ways: number
  /** The number of characters, places and iterations visited until all of these ways are known. */
  readonly tries: number
  /** The minimal number of UTF-16 units that a match takes. */
  readonly least: number
}

const ONE: Cost = { ways: 1, tries: 1, least: 1 }
const PLACE: Cost = { ways: 1, tries: 1, least: 0 }

/**
 * The most steps of a backtracking engine in a text of this length, starting at every place where a match may begin.
 */
export function triesOf(regex: Regex, length: number): number {
  const { tries } = costOf(regex, length, false)
  return tries + length * (triesElsewhere(regex) ?? tries)
}

function costOf(regex: Regex, length: number, backwards: boolean): Cost {
  switch (regex.kind) {
    case 'one':
      return ONE
    case 'assert':
      return PLACE
    case 'back':
      // The engine compares the text that the group captured.
      return { ways: 1, tries: length + 1, least: 0 }
    case 'look':
      // An engine does not backtrack into a lookaround.
      return { ways: 1, tries: costOf(regex.body, length, regex.behind).tries + 1, least: 0 }
    case 'sequence': {
      const parts = regex.parts.map((part) => costOf(part, length, backwards))
      return (backwards ? parts.reverse() : parts).reduce(followed, PLACE)
    }
    case 'choice':
      return regex.parts.map((part) => costOf(part, length, backwards)).reduce(or)
    case 'repeat':
      return repeated(costOf(regex.body, length, backwards), regex.least, regex.most, length)
  }
}

function followed(first: Cost, next: Cost): Cost {
  return {
    ways: times(first.ways, next.ways),
    tries: first.tries + times(first.ways, next.tries),
    least: first.least + next.least,
  }
}

function or(one: Cost, other: Cost): Cost {
  return {
    ways: one.ways + other.ways,
    tries: one.tries + other.tries + 1,
    least: Math.min(one.least, other.least),
  }
}

function repeated(body: Cost, least: number, most: number, length: number): Cost {
  // After the required iterations, an empty one ends the loop.
  const turns = Math.min(most, body.least > 0 ? Math.floor(length / body.least) : least + length)
  const all = powers(body.ways, turns)
  const tooFew = least > 0 ? powers(body.ways, least - 1) : 0
  return {
    ways: turns < least ? 0 : all === Number.POSITIVE_INFINITY ? all : all - tooFew,
    tries: times(all, body.tries + 1),
    least: times(body.least, least),
  }
}

/** The sum of the powers of a number, from exponent 0 to this one. */
function powers(base: number, exponent: number): number {
  if (base === 0 || exponent === 0) return 1
  if (base === Number.POSITIVE_INFINITY) return base
  return base === 1 ? exponent + 1 : (base ** (exponent + 1) - 1) / (base - 1)
}

/** A product in which zero times infinity is zero. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b
}

/** True when a match can begin only at the start of a text. */
export function isAnchored(regex: Regex): boolean {
  return triesElsewhere(regex) !== undefined
}

/** True when a match can be empty. */
export function mayBeEmpty(regex: Regex): boolean {
  return !isAnchored(regex) && costOf(regex, 1, false).least === 0
}

/** The cost of finding that no match begins after the start of the text; undefined when one may. */
function triesElsewhere(regex: Regex): number | undefined {
  switch (regex.kind) {
    case 'assert':
      return regex.what === '^' ? 1 : undefined
    case 'sequence': {
      const first = regex.parts[0] && triesElsewhere(regex.parts[0])
      return first === undefined ? undefined : first + 1
    }
    case 'choice': {
      const parts = regex.parts.map(triesElsewhere)
      return parts.reduce((sum, tries) => (sum === undefined || tries === undefined ? undefined : sum + tries + 1))
    }
    default:
      return undefined
  }
}
