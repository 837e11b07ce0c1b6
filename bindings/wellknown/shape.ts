import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

/** The JSON Schema (draft 2020-12) of metadata, for editors and other validators. `validate` checks more than this. */
export const METADATA_SCHEMA: Readonly<Record<string, unknown>> = schema

let made: Shape | undefined

/** Returns the shape of metadata. It is built at the first call. */
export function metadataShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
