// The tree of a TOML text, and how keys and headers may add to it (TOML 1.0.0, Keys, Table, Array of Tables).
import { JSON_DEPTH } from '../../wasm/faults.ts'
import { FAULTS } from '../faults.ts'
import type { FindingKind } from '../finding.ts'
import { TextFault } from '../yaml/characters.ts'
import { TOML_DEFINED_TWICE } from './findings.ts'

/** A range of UTF-16 units. */
export type Span = readonly [start: number, end: number]

/** A part of a key, with the place that it was written at. */
export interface KeyPart {
  readonly name: string
  readonly span: Span
}

/** A value with its JSON. */
interface Scalar {
  readonly json: string
  readonly span: Span
}

/**
 * How a container was made. A table `implicit` in a longer header may be defined later; one of dotted keys takes further
 * ones; nothing adds to what was `closed`: lists, and tables in braces.
 */
type Origin = 'header' | 'implicit' | 'dotted' | 'closed' | 'list of tables'

interface Container {
  origin: Origin
  span: Span
  /** The containers around it, and itself. */
  readonly depth: number
}

export interface Table extends Container {
  readonly members: Map<string, { readonly span: Span; readonly value: Node }>
}

export interface List extends Container {
  readonly items: Node[]
}

export type Node = Scalar | Table | List

const DEPTH: FindingKind = /* @__PURE__ */ (() => FAULTS[JSON_DEPTH]!)()

/** The tree of a text, with the depth that it may have. */
export class Tree {
  readonly root: Table
  readonly #maxDepth: number

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
    this.root = this.table('header', [0, 0], 0)
  }

  table(origin: Origin, span: Span, around: number): Table {
    return { origin, span, depth: this.#deeper(around, span), members: new Map() }
  }

  list(origin: Origin, span: Span, around: number): List {
    return { origin, span, depth: this.#deeper(around, span), items: [] }
  }

  #deeper(around: number, span: Span): number {
    if (around < this.#maxDepth) return around + 1
    const detail = `expected at most ${this.#maxDepth} containers inside of each other, found one more`
    throw new TextFault(DEPTH, span, detail)
  }

  /** The table of a header: `[a.b]`, or a further one of `[[a.b]]`. */
  atHeader(parts: readonly KeyPart[], span: Span, isRepeated: boolean): Table {
    const parent = parts.slice(0, -1).reduce((table, part) => this.#throughHeader(table, part, span), this.root)
    const last = parts.at(-1)!
    const found = parent.members.get(last.name)?.value
    if (!isRepeated) {
      if (found === undefined) return this.set(parent, last, this.table('header', span, parent.depth))
      if (!isTable(found) || found.origin !== 'implicit') throw twice(last)
      return Object.assign(found, { origin: 'header', span })
    }
    const list = found ?? this.set(parent, last, this.list('list of tables', span, parent.depth))
    if (!('items' in list) || list.origin !== 'list of tables') throw twice(last)
    const table = this.table('header', [span[0] + 1, span[1]], list.depth)
    list.items.push(table)
    return table
  }

  #throughHeader(table: Table, part: KeyPart, span: Span): Table {
    const found = table.members.get(part.name)?.value
    if (found === undefined) return this.set(table, part, this.table('implicit', span, table.depth))
    const next = 'items' in found && found.origin === 'list of tables' ? found.items.at(-1)! : found
    if (!isTable(next) || next.origin === 'closed') throw twice(part)
    return next
  }

  /** The table that a dotted key leads to. */
  holderOf(table: Table, parts: readonly KeyPart[]): Table {
    const holder = parts.slice(0, -1).reduce((inner, part) => this.#throughKey(inner, part), table)
    if (holder.members.has(parts.at(-1)!.name)) throw twice(parts.at(-1)!)
    return holder
  }

  #throughKey(table: Table, part: KeyPart): Table {
    const found = table.members.get(part.name)?.value
    if (found === undefined) return this.set(table, part, this.table('dotted', part.span, table.depth))
    if (!isTable(found) || (found.origin !== 'dotted' && found.origin !== 'implicit')) throw twice(part)
    return Object.assign(found, { origin: 'dotted' })
  }

  set<Added extends Node>(table: Table, { name, span }: KeyPart, value: Added): Added {
    table.members.set(name, { span, value })
    return value
  }
}

const isTable = (node: Node): node is Table => 'members' in node

const twice = ({ name, span }: KeyPart) =>
  new TextFault(TOML_DEFINED_TWICE, span, `${JSON.stringify(name.slice(0, 40))} has a value already`)
