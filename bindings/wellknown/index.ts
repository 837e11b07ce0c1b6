/**
 * Agent metadata of ADP/1.1 (draft-pro-adp-agent-discovery-02).
 * @module
 */

export type { SignOptions, VerifyOptions } from '../frame/signing.ts'
export type { ValidateOptions } from '../frame/verbs.ts'
export { isDomain } from '../text/host-name.ts'
export { type BuildOptions, type Built, build } from './build.ts'
export type { AgentIdentity } from './identity.ts'
export { publicKeyBlock } from './identity.ts'
export { sign, validate, verify } from './verbs.ts'
