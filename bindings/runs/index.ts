/**
 * Records of what agents did (ADP-1), verdicts on it (PVS-1), certificates of agents (AIP-1) and capabilities (CTX-1).
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export {
  type AgentCertificate,
  type AgentCertificateOptions,
  type AgentCertificateResult,
  readAgentCertificate,
} from './aip/agent-certificate.ts'
export { type AuthorityOptions, createAuthority, type IssueOptions, issueCertificate } from './aip/issue.ts'
export { link, type RunLinkOptions } from './aip/link.ts'
export { type Capability, type Coverage, type CoverOptions, covers, parseCapability } from './capability.ts'
export { diffRuns, type RunComparison } from './difference.ts'
export { type AgentGuard, type AgentGuardOptions, type GuardedDecision, guard } from './record/guard.ts'
export type {
  ActionDraft,
  CertificateChain,
  ObservationDraft,
  RecordedRun,
  RecorderOptions,
  RunEnd,
  RunHead,
  StepDetails,
} from './record/options.ts'
export { createRecorder, type Recorder } from './record/recorder.ts'
export { type MemorySink, memorySink, type RunSink, type UrlSinkOptions, urlSink } from './record/sink.ts'
export { recordTool } from './record/tool.ts'
export { type RedactedRun, redactRun } from './redact.ts'
export { type RedactionPolicy, redactLine, SENSITIVE } from './redaction.ts'
export { checkLines, type HashedLine, hashLines } from './stream/append.ts'
export { assemble } from './stream/assemble.ts'
export type { StreamPosition } from './stream/check.ts'
export { signCheckpoint } from './stream/checkpoint.ts'
export type { Line, LineType } from './stream/lines.ts'
export { linkStream, type StreamIdentity, type StreamLinkage } from './stream/linkage.ts'
export type { Checkpoint } from './stream/note.ts'
export { type PolicyResult, readPolicy, type WitnessPolicy } from './stream/policy.ts'
export {
  type InclusionProof,
  type VerifyGrowthOptions,
  type VerifyLineOptions,
  verifyGrowth,
  verifyLine,
  writeProof,
} from './stream/proof-file.ts'
export { type SealedStream, type SealOptions, seal } from './stream/seal.ts'
export { type SplitOptions, type SplitResult, split } from './stream/split.ts'
export { type Hash, Leaves, leafHash } from './stream/tree.ts'
export { type VerifyStreamOptions, verifyStream } from './stream/verify.ts'
export { validate } from './verbs.ts'
export {
  createVerdict,
  type VerdictParts,
  type VerdictStepOptions,
  verdictStep,
} from './verdict/create.ts'
export { upgradeVerdict } from './verdict/upgrade.ts'
