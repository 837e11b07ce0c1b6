/**
 * Agent definitions (ADL 0.1).
 * @module
 */

export type { JsonObject, Placed, PlacedObject } from '../document/members.ts'
export type { Kind, ValidationReport } from '../document/report.ts'
export { RULESETS, type Rule, type RuleContext, type RuleInfo, type Ruleset } from '../document/rule.ts'
export type { Agent } from './agent.ts'
export type { AuditRecord } from './audit.ts'
export { classificationOf, SENSITIVITIES, type Sensitivity } from './classification.ts'
export type { Source } from './definition.ts'
export type { Bump, Change, ChangeKind } from './diff/change.ts'
export { diff } from './diff/diff.ts'
export { checkVersion, type VersionCheck } from './diff/version.ts'
export { ADL_TITLES, type AdlError, formatErrors } from './errors.ts'
export {
  type Approval,
  addEntry,
  approve,
  checkInventory,
  type Inventory,
  type InventoryEntry,
  parseInventory,
} from './inventory.ts'
export { LIMITS, type Limits } from './limits.ts'
export { checkMediaType, formatMediaType, type MediaType, parseMediaType } from './media-type.ts'
export type { DefinitionSource } from './permissions/definition.ts'
export type { Grant } from './permissions/grant-rows.ts'
export { grants } from './permissions/grants.ts'
export { compile, type Decision, decide, type Policy, type PolicyOptions } from './permissions/policy.ts'
export type {
  EnvironmentRequest,
  ExecutionRequest,
  FilesystemRequest,
  NetworkRequest,
  PermissionRequest,
  ResourceRequest,
  ToolRequest,
} from './permissions/request.ts'
export type { DecisionStep, Obligation } from './permissions/trace.ts'
export type { Fragment, TypeName } from './profiles/fragment.ts'
export type { Profile, ProfileRule, ProfileTemplate } from './profiles/profile.ts'
export { createProfiles, Profiles, registerProfile } from './profiles/registry.ts'
export { PROMPT_LIMITS, type PromptLimits, type PromptOptions, type RenderedPrompt, renderPrompt } from './prompt.ts'
export type { ProvisionFinding } from './provision/finding.ts'
export type { PermissionDomain } from './provision/grants.ts'
export type { Succession } from './provision/lifecycle.ts'
export type { DocumentSource } from './provision/origin.ts'
export { mayProvision, type Provisioning, type ProvisionOptions } from './provision.ts'
export { type PublicCopy, publicCopy, type Removal } from './public-copy.ts'
export {
  isAgentName,
  mayPublish,
  type Publication,
  type PublicationNeed,
  type PublicationOptions,
} from './publication.ts'
export type { RecordRead } from './record.ts'
export { REDACTED, type Redacted, redact } from './redact.ts'
export type { RedactOptions } from './redaction.ts'
export { type Review, type ReviewOptions, review } from './review.ts'
export type { ErrorAction } from './runtime/errors.ts'
export { stripHtml } from './runtime/html.ts'
export type { Handled, OutputFormat } from './runtime/text.ts'
export { type RuntimePolicy, runtimePolicy } from './runtime-policy.ts'
export { type Signed, type SignOptions, sign } from './sign.ts'
export { compileTools, type ToolCheck, type ToolFinding, type ToolOptions, type ToolSchemas } from './tool-values.ts'
export { isTrustedSource, parseTrust, type Trust } from './trust.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type Expected, type VerifyOptions, verify } from './verify.ts'
