/**
 * Records of what agents did (ADP-1), verdicts on it (PVS-1), certificates of agents (AIP-1) and capabilities (CTX-1).
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export { type Capability, type Coverage, type CoverOptions, covers, parseCapability } from './identity/capability.ts'
export {
  type AgentCertificate,
  type AgentCertificateOptions,
  type AgentCertificateResult,
  type AuthorityOptions,
  createAuthority,
  type IssueOptions,
  issueCertificate,
  readAgentCertificate,
} from './identity/certificates.ts'
export { link, type RunLinkOptions } from './identity/link.ts'
export { type AgentGuard, type AgentGuardOptions, type GuardedDecision, guard, recordTool } from './record/guard.ts'
export { createRecorder, type Recorder } from './record/recorder.ts'
export { type RedactedRun, type RedactionPolicy, redactLine, redactRun, SENSITIVE } from './record/redaction.ts'
export type {
  ActionDraft,
  CertificateChain,
  ObservationDraft,
  RecordedRun,
  RecorderOptions,
  RunEnd,
  RunHead,
  StepDetails,
} from './record/sink.ts'
export { type MemorySink, memorySink, type RunSink, type UrlSinkOptions, urlSink } from './record/sink.ts'
export type { Line, LineType, StreamPosition } from './stream/lines.ts'
export { assemble, checkLines, type HashedLine, hashLines } from './stream/lines.ts'
export type { Checkpoint } from './stream/note.ts'
export { signCheckpoint } from './stream/note.ts'
export {
  type InclusionProof,
  type VerifyGrowthOptions,
  type VerifyLineOptions,
  verifyGrowth,
  verifyLine,
  writeProof,
} from './stream/proof-file.ts'
export { type SealedStream, type SealOptions, type SplitOptions, type SplitResult, seal, split } from './stream/seal.ts'
export { type Hash, Leaves, leafHash } from './stream/tree.ts'
export {
  linkStream,
  type PolicyResult,
  readPolicy,
  type StreamIdentity,
  type StreamLinkage,
  type WitnessPolicy,
} from './stream/trust.ts'
export { type VerifyStreamOptions, verifyStream } from './stream/verify.ts'
export { diffRuns, type RunComparison, validate } from './verbs.ts'
export {
  createVerdict,
  upgradeVerdict,
  type VerdictParts,
  type VerdictStepOptions,
  verdictStep,
} from './verdict/create.ts'
