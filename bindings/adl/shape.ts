import { Shape, type ShapeSchema } from '../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

let made: Shape | undefined

/** The shape of a definition, made on first use. */
export function documentShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}

/** True for extension members, which anyone may add (ADL appendix D, ext-member-name). */
export function isExtension(name: string): boolean {
  return name.startsWith('x_') && /^x_[a-z0-9_]+$/.test(name)
}
