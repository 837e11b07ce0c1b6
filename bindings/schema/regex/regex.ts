// Both patterns and subjects are untrusted. The host's engine is fast, but it may try every way to match in turn. It is
// used only where an upper bound on its tries is small; otherwise the automaton is used.
import { Halt, type Run } from '../run.ts'
import { type One, parseRegex, type Regex } from './parse.ts'
import { Automaton } from './program.ts'

/** The most tries allowed to the host's engine; long texts allow more. A try takes 1 to 10 ns. */
const MOST_TRIES = 16_384
const TRIES_A_CHARACTER = 128

/** How many tries of the host's engine cost about as much as applying one schema. */
const TRIES_A_STEP = 64

/**
 * The cost of preparing an expression for an engine; a step is about 1 µs.
 * A class with characters beyond the first 65,536 becomes alternatives.
 * Each mention of a Unicode property builds its list of ranges once when the expression is read and once when it is
 * first used: 0.1 ms each, 0.5 ms within a class.
 */
const STEPS_A_CHARACTER = 4
const STEPS_A_CLASS = 32
const STEPS_A_PROPERTY = 1_000
const CLASS = /\\[DSWpP]|\.|\[/g
const PROPERTY = /\\[pP]\{/g

/** The most nodes that the host's engine may visit before it matches anything, at 0.3 µs each. */
const MOST_NODES = 16_384
const NODES_A_STEP = 4

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

interface Matcher {
  readonly source: string
  /** True when the pattern matches somewhere in the text. Throws a Halt when the limits do not allow an answer. */
  test(text: string, run: Run): boolean
}

/** A matcher that is prepared at its first test, because many patterns never get a subject. */
export function compileRegex(source: string): Matcher {
  let plan: Plan | undefined
  return {
    source,
    test(text, run) {
      plan ??= new Plan(source)
      return plan.test(text, run)
    },
  }
}

function preparationPrice(source: string): number {
  const count = (expression: RegExp) => source.match(expression)?.length ?? 0
  return source.length * STEPS_A_CHARACTER + count(CLASS) * STEPS_A_CLASS + count(PROPERTY) * STEPS_A_PROPERTY
}

/** Chooses the engine for an expression, and its budget, by the length of the text. */
export class Plan {
  readonly #regex: Regex | undefined
  /** The nodes that the host's engine visits before it matches anything. */
  readonly #nodes: number
  readonly #source: string
  #host: RegExp | undefined
  #mayBeEmpty: boolean | undefined
  /** The tries of the host's engine for texts of up to 2^n characters. */
  readonly #tries: number[] = []
  #automaton: Automaton | undefined | 'unknown' = 'unknown'

  constructor(source: string) {
    this.#source = source
    this.#regex = parseRegex(source)
    this.#nodes = this.#regex === undefined ? 0 : preparingOf(this.#regex)
  }

  /**
   * True when the host's engine may report a wrong match in this text: V8 also tries empty matches between the halves
   * of a surrogate pair, which ECMA-262 (section 22.2.7.2, AdvanceStringIndex) skips.
   */
  #isLostIn(text: string, run: Run): boolean {
    this.#mayBeEmpty ??= this.#regex !== undefined && mayBeEmpty(this.#regex)
    if (!this.#mayBeEmpty) return false
    run.spend(text.length >> 6)
    return PAIR.test(text)
  }

  /** The most tries of the host's engine in a text of this length; undefined when the engine must not be used. */
  hostTries(length: number): number | undefined {
    if (this.#regex === undefined || this.#nodes > MOST_NODES) return undefined
    const power = length < 2 ? 0 : 32 - Math.clz32(length - 1)
    this.#tries[power] ??= triesOf(this.#regex, 2 ** power)
    const tries = this.#tries[power]
    // Powers are slow, and no text is as long as 2^30.
    return tries <= Math.max(MOST_TRIES, TRIES_A_CHARACTER * (1 << power)) ? tries : undefined
  }

  #automatonOf(run: Run): Automaton | undefined {
    if (this.#automaton === 'unknown') {
      run.spend(preparationPrice(this.#source))
      this.#automaton = this.#regex && Automaton.of(this.#regex)
    }
    return this.#automaton
  }

  test(text: string, run: Run): boolean {
    const tries = this.hostTries(text.length)
    if (tries === undefined || this.#isLostIn(text, run)) {
      const automaton = this.#automatonOf(run)
      if (automaton === undefined) throw new Halt('steps')
      return automaton.test(text, run)
    }
    run.spend(1 + Math.floor(tries / TRIES_A_STEP))
    if (this.#host === undefined) run.spend(preparationPrice(this.#source) + Math.floor(this.#nodes / NODES_A_STEP))
    try {
      this.#host ??= new RegExp(this.#source, 'u')
      return this.#host.test(text)
    } catch {
      // Engines throw when their memory for backtracking is exhausted.
      throw new Halt('steps')
    }
  }
}

// An upper bound on the steps that a backtracking engine needs to find that an expression does not match. It is the
// whole tree of choices, computed from the expression alone, and holds for every text of a given length. Engines match
// a lookbehind from right to left (ECMA-262 section 22.2.2.3), so its last part is tried first.

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
function isAnchored(regex: Regex): boolean {
  return triesElsewhere(regex) !== undefined
}

/** True when a match can be empty. */
function mayBeEmpty(regex: Regex): boolean {
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

// Estimates the host engine's work before it matches anything. To write faster code, V8 looks ahead: by 8 units of the
// text from where a search or a word boundary begins (BoyerMooreLookahead), and by 4 from each choice
// (QuickCheckDetails). It follows every path, so paths multiply: `\P{L}` eight times took it 3.5 s.

/** Numbers for 0, 1, 2 ... units of the text. */
type Series = readonly number[]

interface Paths {
  /** The number of paths that take this many units. */
  readonly ways: Series
  /** The number of nodes visited after this many units. */
  readonly nodes: Series
}

/** V8 writes at most three copies of a loop's body, and looks through at most three passes of a branching one. */
const PASSES = 3

/** The ranges of any Unicode property are split for at most this many high surrogates. */
const PAIRS_OF_A_PROPERTY = 64

/** An upper bound on the nodes that the engine visits and on the pairs of repetitions that it compares. */
export function preparingOf(regex: Regex): number {
  const isSearch = !isAnchored(regex)
  const searches = new Lookahead(8, takenWide, (node) =>
    node.kind === 'assert' ? /[bB]/.test(node.what) : isSearch && node === regex,
  )
  const choices = new Lookahead(4, takenNarrow, (node) => node.kind === 'choice' || node.kind === 'repeat')
  return searches.nodesOf(regex) + choices.nodesOf(regex) + choices.repeats ** 2
}

/** The alternatives for one character in a text of 8-bit units. */
const takenNarrow = (): Series => [0, 1]

/**
 * The alternatives in a text of 16-bit units: characters below the surrogates, lone surrogates of each half, and pairs.
 */
function takenWide({ code, source }: One): Series {
  if (code >= 0 || /^(?:\\[^DWSpP]|\[(?!\^)(?!.*\\[DWSpPu])[^\ud800-\uffff]*\]$)/s.test(source)) return [0, 1]
  const pairs = 1 + 3 * (source.match(/\\u|[\ud800-\udbff]/g)?.length ?? 0)
  return [0, 3, /\\[pP]/.test(source) ? pairs + PAIRS_OF_A_PROPERTY : pairs]
}

class Lookahead {
  readonly #units: number
  readonly #taken: (one: One) => Series
  readonly #begins: (regex: Regex) => boolean
  readonly #paths = new Map<Regex, Paths>()
  repeats = 0

  constructor(units: number, taken: (one: One) => Series, begins: (regex: Regex) => boolean) {
    this.#units = units
    this.#taken = taken
    this.#begins = begins
  }

  /** The number of nodes visited from every place where the engine begins to look ahead. */
  nodesOf(regex: Regex, after: Series = []): number {
    let sum = this.#begins(regex) ? total(this.#from(regex, after)) : 0
    switch (regex.kind) {
      case 'sequence': {
        let rest = after
        for (const part of [...regex.parts].reverse()) {
          sum += this.nodesOf(part, rest)
          rest = this.#from(part, rest)
        }
        break
      }
      case 'choice':
        for (const part of regex.parts) sum += this.nodesOf(part, after)
        break
      case 'repeat':
        this.repeats++
        sum += this.nodesOf(regex.body, this.#from(regex, after))
        break
      case 'look':
        sum += this.nodesOf(regex.body)
    }
    return sum
  }

  /** The number of nodes of an expression and of what follows it. */
  #from(regex: Regex, after: Series): Series {
    const { ways, nodes } = this.#pathsOf(regex)
    return this.#plus(nodes, this.#times(ways, after))
  }

  #pathsOf(regex: Regex): Paths {
    const known = this.#paths.get(regex)
    if (known !== undefined) return known
    const paths = this.#measure(regex)
    this.#paths.set(regex, paths)
    return paths
  }

  #measure(regex: Regex): Paths {
    switch (regex.kind) {
      case 'one': {
        const ways = this.#taken(regex)
        return { ways, nodes: [total(ways)] }
      }
      case 'assert':
      case 'back':
        return { ways: [1], nodes: [1] }
      case 'look':
        return { ways: [1], nodes: this.#plus([1], this.#pathsOf(regex.body).nodes) }
      case 'sequence':
        return regex.parts
          .map((part) => this.#pathsOf(part))
          .reduce((a, b) => this.#followed(a, b), { ways: [1], nodes: [] })
      case 'choice':
        return regex.parts.map((part) => this.#pathsOf(part)).reduce((a, b) => this.#or(a, b), { ways: [], nodes: [1] })
      case 'repeat': {
        const body = this.#pathsOf(regex.body)
        const none: Paths = { ways: [1], nodes: [1] }
        let all = none
        for (let pass = 0; pass < PASSES; pass++) all = this.#or(none, this.#followed(body, all))
        return all
      }
    }
  }

  #followed(first: Paths, next: Paths): Paths {
    return {
      ways: this.#times(first.ways, next.ways),
      nodes: this.#plus(first.nodes, this.#times(first.ways, next.nodes)),
    }
  }

  #or(one: Paths, other: Paths): Paths {
    return { ways: this.#plus(one.ways, other.ways), nodes: this.#plus(one.nodes, other.nodes) }
  }

  #plus(a: Series, b: Series): Series {
    const [long, short] = a.length < b.length ? [b, a] : [a, b]
    const sum = long.slice()
    for (let i = 0; i < short.length; i++) sum[i]! += short[i]!
    return sum
  }

  /** The product, without terms beyond the units that the engine looks ahead. */
  #times(a: Series, b: Series): Series {
    if (a.length === 0 || b.length === 0) return []
    const product = new Array<number>(Math.min(this.#units, a.length + b.length - 1)).fill(0)
    for (let i = 0; i < a.length; i++) {
      for (let j = 0; j < b.length && i + j < product.length; j++) product[i + j]! += a[i]! * b[j]!
    }
    return product
  }
}

function total(series: Series): number {
  let sum = 0
  for (const count of series) sum += count
  return sum
}
