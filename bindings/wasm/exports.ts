/**
 * The exports of both builds of the module, as named in docs/guide/abi.md. Addresses and lengths are unsigned 32-bit numbers,
 * which JavaScript sees as signed.
 */
export interface CoreExports {
  readonly memory: WebAssembly.Memory
  abiVersion(): number
  result(): number
  reserve(length: number): number
  seal(length: number): number
  keep(blob: number, length: number): number
  release(): void
  canonicalize(length: number, maxDepth: number): number
  isCanonical(length: number, maxDepth: number): number
  canonicalizeWithout(length: number, pointersLength: number, count: number, maxDepth: number): number
  readTape(length: number, maxDepth: number): number
  formatNumber(x: number): number
  readNumber(length: number): number
  patternCheck(length: number, kind: number): number
  patternCompile(length: number, kind: number, flags: number, separator: number, count: number): number
  patternTest(length: number, blob: number, blobLength: number): number
  patternMatchFirst(length: number, blob: number, blobLength: number, separator: number, count: number): number
  patternMatchAll(length: number, blob: number, blobLength: number, separator: number, count: number): number
  templateCompile(length: number): number
  templateRender(length: number, blob: number, blobLength: number, limit: number): number
  indexOpen(members: number, seedA: number, seedB: number): number
  indexSize(): number
  indexBytes(): number
  indexAddRecord(length: number, reputation: number, availability: number, rating: number, excluded: number): number
  indexHas(length: number): number
  indexRemove(length: number): number
  indexSignals(length: number, reputation: number, availability: number, rating: number, excluded: number): number
  indexStatistics(length: number): number
  indexQuery(
    length: number,
    limit: number,
    least: number,
    tags: number,
    text: number,
    reputation: number,
    availability: number,
    rating: number,
    given: number,
  ): number
  indexSave(bytes: number, begin: number): number
  indexLoad(length: number): number
  sha256(length: number): number
}
