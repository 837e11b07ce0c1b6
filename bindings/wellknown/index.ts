/**
 * Agent metadata of ADP/1.1 (draft-pro-adp-agent-discovery-02).
 * @module
 */

export { isDomain } from '../text/host-name.ts'
export { build } from './build.ts'
export { type AgentIdentity, publicKeyBlock } from './identity.ts'
export { sign, validate, verify } from './verbs.ts'
