/**
 * Agent metadata of ADP/1.1 (draft-pro-adp-agent-discovery-02).
 * @module
 */

export { isDomain } from '../text/host-name.ts'
export { type BuildOptions, type Built, build } from './build.ts'
export type { AgentIdentity } from './identity.ts'
export { publicKeyBlock } from './public-key.ts'
export { type SignOptions, sign } from './sign.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
