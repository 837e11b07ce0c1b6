// What a backtracking engine may have to try before it knows that an expression does not match: the whole tree of its
// choices, counted from the expression alone. An upper bound for every text of a length, not an estimate.
import type { Regex } from './parse.ts'

/** What one expression costs from one place on. */
interface Cost {
  /** In how many ways it can match from there: whatever follows it may be tried as often. */
  readonly ways: number
  /** How many characters, places and turns are looked at until all of these ways are known. */
  readonly tries: number
  /** How many units of the text it takes at the least. */
  readonly least: number
}

const ONE: Cost = { ways: 1, tries: 1, least: 1 }
const PLACE: Cost = { ways: 1, tries: 1, least: 0 }

/** How much a backtracking engine tries at the most in a text so long: wherever a match may begin, all that can follow. */
export function triesOf(regex: Regex, length: number): number {
  const { tries } = costOf(regex, length)
  return isAnchored(regex) ? tries + length : tries * (length + 1)
}

function costOf(regex: Regex, length: number): Cost {
  switch (regex.kind) {
    case 'one':
      return ONE
    case 'assert':
      return PLACE
    case 'back':
      // It compares what the group took.
      return { ways: 1, tries: length + 1, least: 0 }
    case 'look':
      // An engine that has seen something ahead does not come back to see it in another way.
      return { ways: 1, tries: costOf(regex.body, length).tries + 1, least: 0 }
    case 'sequence':
      return regex.parts.map((part) => costOf(part, length)).reduce(followed, PLACE)
    case 'choice':
      return regex.parts.map((part) => costOf(part, length)).reduce(or)
    case 'repeat':
      return repeated(costOf(regex.body, length), regex.least, regex.most, length)
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
  // Beyond what is demanded, a turn that takes nothing ends the loop.
  const turns = Math.min(most, body.least > 0 ? Math.floor(length / body.least) : least + length)
  const all = powers(body.ways, turns)
  const tooFew = least > 0 ? powers(body.ways, least - 1) : 0
  return {
    ways: turns < least ? 0 : all === Number.POSITIVE_INFINITY ? all : all - tooFew,
    tries: times(all, body.tries + 1),
    least: times(body.least, least),
  }
}

/** The sum of the powers of a number, from the first, 1, to one with this exponent. */
function powers(base: number, exponent: number): number {
  if (base === 0 || exponent === 0) return 1
  if (base === Number.POSITIVE_INFINITY) return base
  return base === 1 ? exponent + 1 : (base ** (exponent + 1) - 1) / (base - 1)
}

/** A product in which nothing, however often, is nothing. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b
}

/** Whether a match can take nothing, anywhere. */
export function mayBeEmpty(regex: Regex): boolean {
  return !isAnchored(regex) && costOf(regex, 1).least === 0
}

/** Whether a match can begin at the beginning of the text only. */
function isAnchored(regex: Regex): boolean {
  if (regex.kind === 'assert') return regex.what === '^'
  if (regex.kind === 'choice') return regex.parts.every(isAnchored)
  return regex.kind === 'sequence' && regex.parts.length > 0 && isAnchored(regex.parts[0]!)
}
