/**
 * Fetching from strangers in Node, with a guard that browsers and Workers need not have: it connects to no address of a
 * private network.
 * @module
 */

export type { GuardedFetch } from '../net/fetch.ts'
export { FetchRefused, type GuardOptions, guardedFetch } from './fetch.ts'
