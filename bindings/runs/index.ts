/**
 * Records of what agents did (ADP-1), verdicts on it (PVS-1) and capabilities (CTX-1).
 * @module
 */

export { type Capability, type Coverage, type CoverOptions, covers, parseCapability } from './capability.ts'
export { diff, type RunComparison, type RunDifference } from './difference.ts'
export { type Redaction, type RedactionMode, type RedactionPolicy, redact, SENSITIVE } from './redact.ts'
export { type ValidateOptions, validate } from './validate.ts'
export {
  createVerdict,
  type Decision,
  upgradeVerdict,
  type VerdictParts,
  type VerdictStepOptions,
  verdictStep,
} from './verdict/create.ts'
