/**
 * Agent definitions from and to other formats, with an account of every member.
 * @module
 */
export { EXTENSION, META } from './baggage.ts'
export { convert } from './convert.ts'
export type { Operation } from './openapi/operation.ts'
export {
  type OperationOptions,
  type OperationReference,
  type ResolvedOperations,
  resolveOperations,
} from './openapi.ts'
export {
  type Classification,
  type Converted,
  type ConvertOptions,
  FORMATS,
  type Format,
  type LossOutcome,
  type LossReport,
  type LossRow,
} from './types.ts'
