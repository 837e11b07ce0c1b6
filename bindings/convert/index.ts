/**
 * Conversion between agent definitions, Agent Cards and other formats, with an account of every member.
 * @module
 */

export { convert } from './convert.ts'
export { type ConvertFormat, FORMATS } from './formats.ts'
export { EXTENSION } from './ledger.ts'
export { type OperationOptions, type ResolvedOperations, resolveOperations } from './openapi.ts'
export { type OtlpResult, readOtlpProtobuf } from './otlp-protobuf.ts'
export { auditRuns, type RunAudit } from './run/audit.ts'
export {
  convertRuns,
  RUN_FORMATS,
  RUN_TARGETS,
  type RunConversion,
  type RunFormat,
  type RunReading,
  type RunReadOptions,
  type RunTarget,
  readRuns,
} from './run/convert-runs.ts'
export { type RunImport, type RunImportOptions, runsFromOtlp } from './run/from-otlp.ts'
export { type OtlpExport, type RunExportOptions, runToOtlp } from './run/to-otlp.ts'
