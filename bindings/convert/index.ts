/**
 * Conversion between agent definitions, Agent Cards and other formats, with an account of every member.
 * @module
 */

export { convert } from './convert.ts'
export { type ConvertFormat, FORMATS } from './formats.ts'
export { EXTENSION } from './ledger.ts'
export { resolveOperations } from './openapi.ts'
export { readOtlpProtobuf } from './otlp-protobuf.ts'
export { auditRuns } from './run/audit.ts'
export { convertRuns, RUN_FORMATS, RUN_TARGETS, type RunReadOptions, readRuns } from './run/convert-runs.ts'
export { runsFromOtlp } from './run/from-otlp.ts'
export { type RunExportOptions, runToOtlp } from './run/to-otlp.ts'
