/**
 * Records of what agents did (ADP-1), verdicts on it (PVS-1), certificates of agents (AIP-1) and capabilities (CTX-1).
 * @module
 */

export { covers, parseCapability } from './identity/capability.ts'
export { createAuthority, issueCertificate, readAgentCertificate } from './identity/certificates.ts'
export { link, type RunLinkOptions } from './identity/link.ts'
export { guard, recordTool } from './record/guard.ts'
export { createRecorder, type Recorder } from './record/recorder.ts'
export { redactRun } from './record/redact-run.ts'
export { redactLine, SENSITIVE } from './record/redaction.ts'
export {
  memorySink,
  type RecordedRun,
  type RecorderOptions,
  type RunHead,
  type RunSink,
  urlSink,
} from './record/sink.ts'
export { assemble, checkLines, type HashedLine, hashLines, type Line } from './stream/lines.ts'
export { type Checkpoint, signCheckpoint } from './stream/note.ts'
export { verifyGrowth, verifyLine, writeProof } from './stream/proof-file.ts'
export { seal, split } from './stream/seal.ts'
export { type Hash, Leaves, leafHash } from './stream/tree.ts'
export { linkStream, readPolicy } from './stream/trust.ts'
export { verifyStream } from './stream/verify.ts'
export { diffRuns, validate } from './verbs.ts'
export { createVerdict, verdictStep } from './verdict/create.ts'
export { upgradeVerdict } from './verdict/upgrade.ts'
