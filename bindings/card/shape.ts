import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

/** The JSON Schema (draft 2020-12) of a card, for editors and other validators. The rules of `validate` say more. */
export const CARD_SCHEMA: Readonly<Record<string, unknown>> = schema

let made: Shape | undefined

/** The shape of a card, made when first asked for. */
export function cardShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
