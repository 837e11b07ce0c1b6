import { Shape, type ShapeSchema } from '../../frame/shape.ts'
import schema from './schema.json' with { type: 'json' }

/** The JSON Schema (draft 2020-12) of invitations, for editors and other validators. The rules of `validate` say more. */
export const INVITE_SCHEMA: Readonly<Record<string, unknown>> = schema

let made: Shape | undefined

/** The shape of invitations, made when first asked for. */
export function inviteShape(): Shape {
  made ??= new Shape(schema as ShapeSchema)
  return made
}
