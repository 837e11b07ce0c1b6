/** The exports of the module, by the names of docs/ABI.md. Addresses and lengths are unsigned 32-bit; JavaScript sees them signed. */
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
  canonicalizeMany(length: number, count: number, maxDepth: number): number
  readTape(length: number, maxDepth: number): number
  take(length: number): number
  tapeFind(pointer: number, length: number): number
  tapeAtOffset(offset: number): number
  tapePointer(entry: number): number
  formatNumber(x: number): number
  readNumber(length: number): number
  templateCompile(length: number): number
  templateRender(length: number, blob: number, blobLength: number, limit: number): number
}
