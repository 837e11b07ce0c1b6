/**
 * Invitations to private agents of ADP/1.1 (draft-pro-adp-agent-discovery-02, section 8.3.1).
 * @module
 */

export { type InviteOptions, invite } from './build.ts'
export { type SignOptions, sign } from './sign.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
