/**
 * Agent metadata of ADP/1.1 (draft-pro-adp-agent-discovery-02).
 * @module
 */

export type { Document } from '../document/document.ts'
export type { Diagnostic } from '../document/types.ts'
export type { Expectation } from '../frame/expected.ts'
export type { Proof, Step, StepOutcome, Verdict } from '../frame/proof.ts'
export type { ValidationReport } from '../frame/report.ts'
export type { SignResult } from '../frame/signed.ts'
export type { Source } from '../frame/source.ts'
export type { Key } from '../keys/key.ts'
export type { KeySource } from '../keys/read.ts'
export type { Kind } from '../kinds.ts'
export { isDomain } from '../text/host-name.ts'
export type { JsonObject } from '../text/members.ts'
export { type BuildOptions, type Built, build } from './build.ts'
export type { AgentIdentity } from './identity.ts'
export type { EndpointName } from './metadata.ts'
export { publicKeyBlock } from './public-key.ts'
export { METADATA_SCHEMA } from './shape.ts'
export { type SignOptions, sign } from './sign.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
