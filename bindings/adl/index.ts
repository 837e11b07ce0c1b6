/**
 * Agent definitions (ADL 0.1).
 * @module
 */

export type { Document } from '../document/document.ts'
export type { Explanation, FindingKind } from '../document/finding.ts'
export type { Diagnostic, Fix, RelatedPlace, Severity } from '../document/types.ts'
export type { Expectation } from '../frame/expected.ts'
export type { Proof, Step, StepOutcome, Verdict } from '../frame/proof.ts'
export type { ValidationReport } from '../frame/report.ts'
export {
  type Remarks,
  type Report,
  RULESETS,
  type Rule,
  type RuleContext,
  type RuleKind,
  type Ruleset,
} from '../frame/rule.ts'
export type { FileOptions, Source } from '../frame/source.ts'
export type { Algorithm } from '../keys/algorithms.ts'
export type { KeySource } from '../keys/read.ts'
export type { Kind } from '../kinds.ts'
export type { Connection, TlsVersion } from '../net/connection.ts'
export type { ResolveOptions } from '../net/did.ts'
export type {
  ConnectionRefusal,
  FetchCache,
  FetchOptions,
  FetchResult,
  GuardedFetch,
  GuardedInit,
  Hop,
} from '../net/fetch.ts'
export type { CompiledSchema } from '../schema/compiled.ts'
export type { SchemaLimits, SchemaOptions } from '../schema/types.ts'
export type { JsonObject, PlacedObject, PlacedValue } from '../text/members.ts'
export type { Agent } from './agent.ts'
export { type Approval, type ApproveOptions, approve } from './approve.ts'
export type { AuditRecord } from './audit.ts'
export { classificationOf, SENSITIVITIES, type Sensitivity } from './classification.ts'
export type { Bump, Change, ChangeKind } from './diff/change.ts'
export { type Diff, diff } from './diff/diff.ts'
export { checkVersion, type VersionCheck } from './diff/version.ts'
export { ADL_TITLES, type AdlError, formatErrors } from './errors.ts'
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
export type { Grant } from './permissions/grant-rows.ts'
export { type Grants, grants } from './permissions/grants.ts'
export { compile, type Decision, decide, type Policy, type PolicyOptions } from './permissions/policy.ts'
export type { KnownProof } from './permissions/refusal.ts'
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
export { createProfiles, Profiles, type RegisterOptions, registerProfile } from './profiles/registry.ts'
export type { ProfileRest } from './profiles/schema-rest.ts'
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
export { REDACTED, type Redaction, redact } from './redact.ts'
export type { RedactOptions } from './redaction.ts'
export { type Review, review } from './review.ts'
export type { ErrorAction } from './runtime/errors.ts'
export { stripHtml } from './runtime/html.ts'
export type { OutputFormat, TextDecision } from './runtime/text.ts'
export { type RuntimePolicy, runtimePolicy } from './runtime-policy.ts'
export { type SignOptions, type SignResult, sign } from './sign.ts'
export type { DigestAlgorithm } from './signature/signed.ts'
export { compileTools, type ToolCheck, type ToolFinding, type ToolOptions, type ToolSchemas } from './tool-values.ts'
export { isTrustedSource, parseTrust, type Trust } from './trust.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
