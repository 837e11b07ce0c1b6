/**
 * Agent definitions (ADL 0.1).
 * @module
 */

export type { FileOptions } from '../frame/source.ts'
export { RULESETS } from '../frame/subject.ts'
export type { Decision, Policy, PolicyOptions } from '../policy/policy.ts'
export type { PermissionRequest } from '../policy/request.ts'
export { stripHtml } from '../policy/runtime-policy.ts'
export type { RecordRead, Trust } from '../policy/trust.ts'
export type { PlacedObject } from '../text/members.ts'
export { checkVersion, diff } from './diff/diff.ts'
export { classificationOf, SENSITIVITIES } from './places.ts'
export { compile, decide, grants } from './policy.ts'
export type { Profile } from './profiles/profile.ts'
export { createProfiles, Profiles, registerProfile } from './profiles/registry.ts'
export { renderPrompt } from './prompt.ts'
export { mayProvision } from './provision/provision.ts'
export { isAgentName, mayPublish, publicCopy, redact } from './publication.ts'
export { addEntry, approve, checkInventory, type Inventory, parseInventory, parseTrust } from './records.ts'
export { review } from './review.ts'
export {
  checkMediaType,
  compileTools,
  formatErrors,
  formatMediaType,
  type MediaTypeOptions,
  parseMediaType,
  runtimePolicy,
} from './serving.ts'
export { LIMITS } from './specification.ts'
export type { Agent } from './subject.ts'
export { sign, validate, verify } from './verbs.ts'
