/**
 * Typed access to the core: the parts that `blazon` itself uses.
 * @module
 */
export { DocumentError } from '../document/finding.ts'
export { initSync } from '../wasm/instance.ts'
export { abiVersion, formatNumber, readNumber } from '../wasm/number.ts'
export type { Factors, Hit, Signals, Statistics } from '../wasm/rank.ts'
export { sha256 } from '../wasm/sha256.ts'
export {
  type AddResult,
  createIndex,
  DEFAULT_WEIGHTS,
  loadIndex,
  type Query,
  type SearchIndex,
  sumStatistics,
} from './index-search.ts'
export { canonicalize, canonicalizeWithout, isCanonical, type ReadOptions } from './json.ts'
export { PatternError, type PatternFinding } from './pattern-findings.ts'
export { checkPattern, compilePatterns, type PatternKind, type PatternSet } from './patterns.ts'
export { compileTemplate, type RenderOptions, type Template, type Variables } from './template.ts'
export { canonicalizeValue } from './value.ts'
