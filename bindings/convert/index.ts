/**
 * Conversion between agent definitions, Agent Cards and other formats, with an account of every member.
 * @module
 */

export type { Sensitivity } from '../adl/classification.ts'
export type { Document } from '../document/document.ts'
export type { Diagnostic } from '../document/types.ts'
export type { Source } from '../frame/source.ts'
export type { JsonObject } from '../text/members.ts'
export { EXTENSION, META } from './baggage.ts'
export { convert } from './convert.ts'
export { type ConvertFormat, FORMATS } from './formats.ts'
export type { Operation } from './openapi/operation.ts'
export {
  type OperationOptions,
  type OperationReference,
  type ResolvedOperations,
  resolveOperations,
} from './openapi.ts'
export type {
  Classification,
  ConversionResult,
  ConvertOptions,
  LossOutcome,
  LossReport,
  LossRow,
} from './types.ts'
