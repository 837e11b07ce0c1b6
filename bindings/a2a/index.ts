/**
 * A2A Agent Cards (1.0 and 0.3).
 * @module
 */

export type { Document } from '../document/document.ts'
export type { Diagnostic } from '../document/types.ts'
export type { Expectation, KeyResolver } from '../frame/expected.ts'
export type { Proof, Step, StepOutcome, Verdict } from '../frame/proof.ts'
export type { ValidationReport } from '../frame/report.ts'
export type { SignResult } from '../frame/signed.ts'
export type { Source } from '../frame/source.ts'
export type { Algorithm } from '../keys/algorithms.ts'
export type { KeySource } from '../keys/read.ts'
export type { Kind } from '../kinds.ts'
export type { JsonObject } from '../text/members.ts'
export type { PresenceRule } from './presence.ts'
export { type SignOptions, sign } from './sign.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
