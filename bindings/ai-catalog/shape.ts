import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

let made: Shape | undefined

/** Returns the shape of AI catalogs. It is built at the first call. */
export function catalogShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
