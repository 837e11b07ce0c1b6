// Patterns come from strangers, and so may their subjects. The host's engine, which is fast and may try every way to
// match one after another, is asked only where there are few ways; the automaton does the rest.
import { Halt, type Run } from '../run.ts'
import { Automaton } from './automaton.ts'
import { parseRegex, type Regex } from './parse.ts'

/** In as many ways the host's engine may try to answer one question, and in more for a long subject. */
const MOST_TRIES = 2_000
const TRIES_A_CHARACTER = 4
const LONGEST = 2 ** 30

/** Tries of the host's engine, and steps of the automaton, that cost as much as the application of a schema. */
const TRIES_A_STEP = 64
const STATES_A_STEP = 16

/** A character costs this where it is read once and no more. */
const PRICE_READ_ONCE = 1 / 256

/** What may look like a group and is none. */
const ESCAPES_AND_CLASSES = /\\.|\[(?:\\.|[^\]\\])*\]/gsu

/** Whether a text is a regular expression of ECMA-262 with the flag u, in every host. */
export function isRegex(source: string): boolean {
  try {
    new RegExp(source, 'u')
  } catch {
    return false
  }
  // Groups that modify flags are new, and some hosts do not know them.
  return !source.includes('(?') || !/\(\?[ims-]/.test(source.replace(ESCAPES_AND_CLASSES, ''))
}

export interface Matcher {
  readonly source: string
  /** Whether it matches somewhere in the text. Halts where that cannot be told within the limits. */
  test(text: string, run: Run): boolean
}

/** A matcher; what it needs is worked out at the first test, for many patterns never meet a subject. */
export function compileRegex(source: string): Matcher {
  let plan: Plan | undefined
  return {
    source,
    test(text, run) {
      plan ??= planOf(source)
      if (text.length <= plan.reach) {
        run.spend(Math.floor(text.length * plan.price))
        return plan.host.test(text)
      }
      if (plan.automaton === undefined) throw new Halt('steps')
      run.spend(Math.floor((text.length * plan.automaton.size) / STATES_A_STEP))
      return plan.automaton.test(text)
    },
  }
}

interface Plan {
  readonly host: RegExp
  /** The longest subject for the host's engine, and what a character of it costs. */
  readonly reach: number
  readonly price: number
  readonly automaton: Automaton | undefined
}

function planOf(source: string): Plan {
  const host = new RegExp(source, 'u')
  const regex = parseRegex(source)
  if (regex === undefined) return { host, reach: -1, price: 0, automaton: undefined }
  const isAnchored = source.startsWith('^') && regex.kind !== 'choice'
  const tries = (length: number) => ways(regex, length) * (1 + looks(regex, length)) * (isAnchored ? 1 : length + 1)
  const isAllowed = (length: number) => tries(length) <= Math.max(MOST_TRIES, TRIES_A_CHARACTER * length)
  if (isAllowed(LONGEST)) return { host, reach: LONGEST, price: PRICE_READ_ONCE, automaton: undefined }
  let reach = 1
  while (isAllowed(reach * 2)) reach *= 2
  if (!isAllowed(reach)) reach = -1
  return { host, reach, price: MOST_TRIES / TRIES_A_STEP / reach, automaton: Automaton.of(regex) }
}

/** In how many ways at the most an expression matches from one place on, in a subject so long. */
function ways(regex: Regex, length: number): number {
  switch (regex.kind) {
    case 'sequence':
      return regex.parts.reduce((product, part) => product * ways(part, length), 1)
    case 'choice':
      return regex.parts.reduce((sum, part) => sum + ways(part, length), 0)
    case 'repeat': {
      const each = ways(regex.body, length)
      if (each === 1) return Math.min(regex.most - regex.least, length) + 1
      if (regex.most === Number.POSITIVE_INFINITY) return regex.most
      return each ** regex.most * (regex.most - regex.least + 1)
    }
    case 'back':
      return Number.POSITIVE_INFINITY
    default:
      return 1
  }
}

/** What looking around adds: an engine that has seen something ahead does not come back to see it in another way. */
function looks(regex: Regex, length: number): number {
  switch (regex.kind) {
    case 'sequence':
    case 'choice':
      return regex.parts.reduce((sum, part) => sum + looks(part, length), 0)
    case 'repeat':
      return looks(regex.body, length) * Math.max(1, Math.min(regex.most, length))
    case 'look':
      return ways(regex.body, length) * (1 + looks(regex.body, length))
    default:
      return 0
  }
}
