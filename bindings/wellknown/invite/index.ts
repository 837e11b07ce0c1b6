/**
 * Invitations to private agents of ADP/1.1 (draft-pro-adp-agent-discovery-02, section 8.3.1).
 * @module
 */

export { invite, sign, validate, verify } from './verbs.ts'
