/**
 * Agent definitions (ADL 0.1).
 * @module
 */
export type { Kind, ValidationReport } from '../document/report.ts'
export type { Rule, RuleContext, RuleInfo, Ruleset } from '../document/rule.ts'
export type { AuditRecord } from './audit.ts'
export type { Source } from './definition.ts'
export { LIMITS, type Limits } from './limits.ts'
export type { Format, Fragment, TypeName } from './profiles/fragment.ts'
export type { Profile, ProfileRule, ProfileTemplate } from './profiles/profile.ts'
export { createProfiles, Profiles, registerProfile } from './profiles/registry.ts'
export { PROMPT_LIMITS, type PromptLimits, type PromptOptions, type RenderedPrompt, renderPrompt } from './prompt.ts'
export { REDACTED, type Redacted, type RedactOptions, redact } from './redact.ts'
export { type ValidateOptions, validate } from './validate.ts'
