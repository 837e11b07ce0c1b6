/**
 * Agent definitions (ADL 0.1).
 * @module
 */

export type { FileOptions } from '../frame/source.ts'
export { RULESETS } from '../frame/subject.ts'
export type { Diff, VersionCheck } from '../policy/diff/change.ts'
export type { Decision, Policy, PolicyOptions } from '../policy/policy.ts'
export type { PermissionRequest } from '../policy/request.ts'
export type { RuntimePolicy } from '../policy/runtime-policy.ts'
export { stripHtml } from '../policy/runtime-policy.ts'
export type { ToolOptions, ToolSchemas } from '../policy/tool-values.ts'
export type { RecordRead, Trust } from '../policy/trust.ts'
export type { PlacedObject } from '../text/members.ts'
export { checkVersion, diff } from './diff/diff.ts'
export { classificationOf, SENSITIVITIES } from './places.ts'
export { compile, decide, type Grants, grants } from './policy.ts'
export type { Profile, ProfileTemplate } from './profiles/profile.ts'
export { createProfiles, Profiles, type RegisterOptions, registerProfile } from './profiles/registry.ts'
export { type PromptOptions, type RenderedPrompt, renderPrompt } from './prompt.ts'
export { mayProvision, type Provisioning, type ProvisionOptions } from './provision/provision.ts'
export {
  isAgentName,
  mayPublish,
  type Publication,
  type PublicationOptions,
  type PublicCopy,
  publicCopy,
  type Redaction,
  redact,
} from './publication.ts'
export {
  type Approval,
  type ApproveOptions,
  addEntry,
  approve,
  checkInventory,
  type Inventory,
  type InventoryEntry,
  type InventoryOptions,
  parseInventory,
  parseTrust,
} from './records.ts'
export type { RedactOptions } from './redaction.ts'
export { type Review, review } from './review.ts'
export {
  type AdlError,
  checkMediaType,
  compileTools,
  formatErrors,
  formatMediaType,
  type MediaType,
  type MediaTypeOptions,
  parseMediaType,
  runtimePolicy,
} from './serving.ts'
export type { SignOptions, VerifyOptions } from './signing.ts'
export { LIMITS, type Limits } from './specification.ts'
export type { Agent } from './subject.ts'
export { sign, type ValidateOptions, validate, verify } from './verbs.ts'
