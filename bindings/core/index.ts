/**
 * Typed access to the core: what `blazon` uses, for those who want the parts.
 * @module
 */
export { initSync } from '../wasm/instance.ts'
export { abiVersion } from '../wasm/version.ts'
