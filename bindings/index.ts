/**
 * The verbs that everybody needs.
 * @module
 */
export { initSync } from './wasm/instance.ts'
