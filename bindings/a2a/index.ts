/**
 * A2A Agent Cards (1.0 and 0.3).
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export type { SignOptions, VerifyOptions } from './signing.ts'
export { sign, validate, verify } from './verbs.ts'
