import { Shape, type ShapeSchema } from '../document/shape.ts'
import schema from './schema.json' with { type: 'json' }

let made: Shape | undefined

/** The shape of a card, made when first asked for. */
export function cardShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
