import { Shape, type ShapeSchema } from '../document/shape.ts'
import schema from './schema.json' with { type: 'json' }

/** The JSON Schema (draft 2020-12) of a card, for editors and other validators. The rules of `validateCard` say more. */
export const CARD_SCHEMA: Readonly<Record<string, unknown>> = schema

let made: Shape | undefined

/** The shape of a card, made when first asked for. */
export function cardShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
