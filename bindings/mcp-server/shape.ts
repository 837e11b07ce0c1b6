import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

let made: Shape | undefined

/** The shape of descriptions of MCP servers, made when first asked for. */
export function serverShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
