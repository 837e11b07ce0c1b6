import { Shape, type ShapeSchema } from '../../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

/** The JSON Schema (draft 2020-12) of traces, for editors and other validators. */
export const TRACE_SCHEMA: Readonly<Record<string, unknown>> = schema

let made: Shape | undefined

/** The shape of traces, built on first use. */
export function traceShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
