/**
 * Agent definitions (ADL 0.1).
 * @module
 */

export { RULESETS } from '../frame/rule.ts'
export type { FileOptions } from '../frame/source.ts'
export type { PlacedObject } from '../text/members.ts'
export type { Agent } from './agent.ts'
export { type Approval, type ApproveOptions, approve } from './approve.ts'
export { classificationOf, SENSITIVITIES } from './classification.ts'
export { type Diff, diff } from './diff/diff.ts'
export { checkVersion, type VersionCheck } from './diff/version.ts'
export { type AdlError, formatErrors } from './errors.ts'
export {
  addEntry,
  checkInventory,
  type Inventory,
  type InventoryEntry,
  type InventoryOptions,
  parseInventory,
} from './inventory.ts'
export { LIMITS, type Limits } from './limits.ts'
export { checkMediaType, formatMediaType, type MediaType, type MediaTypeOptions, parseMediaType } from './media-type.ts'
export { type Grants, grants } from './permissions/grants.ts'
export { compile, type Decision, decide, type Policy, type PolicyOptions } from './permissions/policy.ts'
export type { PermissionRequest } from './permissions/request.ts'
export type { Profile, ProfileTemplate } from './profiles/profile.ts'
export { createProfiles, Profiles, type RegisterOptions, registerProfile } from './profiles/registry.ts'
export { type PromptOptions, type RenderedPrompt, renderPrompt } from './prompt.ts'
export { mayProvision, type Provisioning, type ProvisionOptions } from './provision.ts'
export { type PublicCopy, publicCopy } from './public-copy.ts'
export { isAgentName, mayPublish, type Publication, type PublicationOptions } from './publication.ts'
export type { RecordRead } from './record.ts'
export { type Redaction, redact } from './redact.ts'
export type { RedactOptions } from './redaction.ts'
export { type Review, review } from './review.ts'
export { stripHtml } from './runtime/html.ts'
export { type RuntimePolicy, runtimePolicy } from './runtime-policy.ts'
export { type SignOptions, sign } from './sign.ts'
export { compileTools, type ToolOptions, type ToolSchemas } from './tool-values.ts'
export { parseTrust, type Trust } from './trust.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
