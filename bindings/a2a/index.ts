/**
 * A2A Agent Cards (1.0 and 0.3).
 * @module
 */

export { type SignOptions, sign } from './sign.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
