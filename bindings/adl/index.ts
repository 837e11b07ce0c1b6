/**
 * Agent definitions (ADL 0.1).
 * @module
 */
export type { Kind, ValidationReport } from '../document/report.ts'
export type { Rule, RuleContext, RuleInfo, Ruleset } from '../document/rule.ts'
export { LIMITS, type Limits } from './limits.ts'
export { type ValidateOptions, validate } from './validate.ts'
