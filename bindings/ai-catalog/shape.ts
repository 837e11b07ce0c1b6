import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

let made: Shape | undefined

/** The shape of AI catalogs, made when first asked for. */
export function catalogShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
