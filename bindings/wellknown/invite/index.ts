/**
 * Invitations to private agents of ADP/1.1 (draft-pro-adp-agent-discovery-02, section 8.3.1).
 * @module
 */

export type { SignOptions } from '../../frame/signing.ts'
export type { ValidateOptions } from '../../frame/verbs.ts'
export type { VerifyOptions } from './signing.ts'
export { type InviteOptions, invite, sign, validate, verify } from './verbs.ts'
