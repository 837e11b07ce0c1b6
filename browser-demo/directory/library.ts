import type { AgentCard } from '../../bindings/card/types.ts'
import { createDirectory } from '../../bindings/directory/create.ts'
import type { AgentSignals, Directory } from '../../bindings/directory/index.ts'
import { createMemoryStore } from '../../bindings/directory/memory-store.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import * as engine from '../engine.ts'

/** A document and its origin. */
export interface Source {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A card that is not searched, with the reason. */
export interface Problem extends Source {
  readonly diagnostics: readonly Diagnostic[]
}

/** More cards than anybody looks through in a browser. */
const MOST_CARDS = 20_000
/** Documents to read before the screen is updated. */
const BATCH = 100

/**
 * The cards in the page, indexed by the same directory that servers run. No proof of origin is required, but a wrong
 * signature keeps a card out.
 */
export class Library {
  readonly cards = new Map<string, AgentCard>()
  readonly problems: Problem[] = []
  /** The number of documents of another kind. */
  others = 0
  readonly #signals = new Map<string, AgentSignals>()
  readonly directory: Directory

  constructor() {
    // A stopped clock: cards do not expire while somebody looks at them.
    const now = new Date()
    this.directory = createDirectory({
      store: createMemoryStore(),
      acceptUnverified: true,
      clock: () => now,
      signals: { signals: (id) => this.#signals.get(id) },
    })
  }

  /** Adds documents; `progress` is told how many are done. */
  async add(sources: readonly Source[], progress: (done: number) => void): Promise<void> {
    const documents = sources.flatMap(split)
    for (const [i, source] of documents.entries()) {
      await this.#take(source)
      if (i % BATCH !== BATCH - 1) continue
      progress(i + 1)
      await new Promise((resolve) => setTimeout(resolve))
    }
  }

  /** Takes over the signals of agents. */
  know(signals: ReadonlyMap<string, AgentSignals>): void {
    for (const [id, told] of signals) this.#signals.set(id, told)
  }

  /** Every tag with the number of agents that have it, the most frequent first. */
  tags(): [tag: string, agents: number][] {
    const counts = new Map<string, number>()
    for (const { skills = [] } of this.cards.values()) {
      for (const tag of new Set(skills)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    }
    return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  }

  async #take(source: Source): Promise<void> {
    const { document, kind, diagnostics } = engine.examine(source.bytes)
    if (document === undefined) this.problems.push({ ...source, diagnostics })
    else if (kind !== 'card') this.others++
    else if (this.cards.size >= MOST_CARDS) throw tooMany()
    else {
      const { status, stored, diagnostics: found } = await this.directory.advertise(document.bytes)
      const card = document.value as AgentCard
      if (stored) this.cards.set(card.id, card)
      const errors = found.filter(({ severity }) => severity === 'error')
      if (status !== 'OK') this.problems.push({ ...source, diagnostics: errors })
    }
  }
}

const tooMany = () => new RangeError(`This page takes ${MOST_CARDS.toLocaleString('en-US')} cards.`)

/** The documents of a list, or of a file with one per line; any other document is returned as it is. */
function split(source: Source): Source[] {
  const { name, bytes } = source
  const { document, format } = engine.examine(bytes)
  if (document !== undefined && Array.isArray(document.value) && format === 'json') {
    // Finding an element takes time for all those before it.
    if (document.value.length > MOST_CARDS) throw tooMany()
    return document.value.map((_, i) => {
      const { start, end } = document.range(`/${i}`)!
      return { name: `${name} [${i}]`, bytes: bytes.subarray(start, end) }
    })
  }
  if (document !== undefined) return [source]
  const lines = new TextDecoder().decode(bytes).split('\n')
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length < 2 || !filled.every((line) => /^\s*\{.*\}\s*$/.test(line))) return [source]
  const encoder = new TextEncoder()
  return lines.flatMap((line, i) =>
    line.trim() === '' ? [] : [{ name: `${name}:${i + 1}`, bytes: encoder.encode(line) }],
  )
}
