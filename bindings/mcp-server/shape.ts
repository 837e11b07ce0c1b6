import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

let made: Shape | undefined

/** Returns the shape of MCP server descriptions. It is built at the first call. */
export function serverShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
