/**
 * A2A Agent Cards (1.0 and 0.3).
 * @module
 */

export { sign, validate, verify } from './verbs.ts'
