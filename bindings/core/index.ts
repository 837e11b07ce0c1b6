/**
 * Typed access to the core: what `blazon` uses, for those who want the parts.
 * @module
 */
export { DocumentError } from '../document/error.ts'
export { initSync } from '../wasm/instance.ts'
export { formatNumber, readNumber } from '../wasm/number.ts'
export { abiVersion } from '../wasm/version.ts'
export {
  canonicalize,
  canonicalizeMany,
  canonicalizeWithout,
  isCanonical,
  type Payload,
  type ReadOptions,
} from './json.ts'
