import type { AddResult, SearchIndex } from '../../bindings/core/index-search.ts'
import type { Signals } from '../../bindings/wasm/rank.ts'

type Export = (...args: number[]) => number

interface CardExports {
  readonly memory: WebAssembly.Memory
  readonly indexAddCard: Export
  readonly indexOpen: Export
  readonly reserve: Export
  readonly result: Export
}

/**
 * The index that `make` returns, with the export of the build without SIMD that accepts cards as bytes, for which the
 * bindings have no verb. That build must be in use. `members` as in `indexOpen` (docs/guide/abi/rank.md); a loaded index
 * keeps its own.
 */
export function cardIndex(make: () => SearchIndex, members?: number) {
  const Plain = WebAssembly.Instance
  let core: CardExports | undefined
  WebAssembly.Instance = class extends Plain {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports)
      core = this.exports as unknown as CardExports
    }
  }
  const index = make()
  WebAssembly.Instance = Plain
  const { memory, indexAddCard, indexOpen, reserve, result } = core!
  if (members !== undefined) indexOpen(members, 1, 2)

  const add = (card: Uint8Array, { reputation, availability, rating, excluded }: Signals = {}): AddResult => {
    const at = reserve(card.length) >>> 0
    new Uint8Array(memory.buffer).set(card, at)
    const signals = [reputation, availability, rating].map((signal) => signal ?? Number.NaN)
    const code = indexAddCard(card.length, ...signals, excluded === undefined ? -1 : Number(excluded))
    if (code >= 0) return { ok: true, replaced: code === 1 }
    const [, offset, first] = new Int32Array(memory.buffer, result(), 3) as unknown as [number, number, number]
    return { ok: false, fault: { code, offset, first } }
  }
  return { index, add }
}
