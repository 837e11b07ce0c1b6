import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

/** The JSON Schema (draft 2020-12) of metadata, for editors and other validators. The rules of `validate` say more. */
export const METADATA_SCHEMA: Readonly<Record<string, unknown>> = schema

let made: Shape | undefined

/** The shape of metadata, made when first asked for. */
export function metadataShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
