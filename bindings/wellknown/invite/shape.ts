import { Shape, type ShapeSchema } from '../../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

/**
 * The JSON Schema (draft 2020-12) of invitations, for editors and other validators. `validate` checks more than this.
 */
export const INVITE_SCHEMA: Readonly<Record<string, unknown>> = schema

let made: Shape | undefined

/** Returns the shape of invitations. It is built at the first call. */
export function inviteShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
