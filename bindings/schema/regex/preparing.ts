// Estimates the host engine's work before it matches anything. To write faster code, V8 looks ahead: by 8 units of the
// text from where a search or a word boundary begins (BoyerMooreLookahead), and by 4 from each choice
// (QuickCheckDetails). It follows every path, so paths multiply: `\P{L}` eight times took it 3.5 s.
import { isAnchored } from './cost.ts'
import type { One, Regex } from './parse.ts'

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
