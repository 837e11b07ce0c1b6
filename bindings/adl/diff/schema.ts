// Compares what two JSON Schemas accept. Only the plain cases are decided: every other change counts as breaking.
import { isObject, type JsonObject } from '../../text/members.ts'
import { type Bump, greater } from './change.ts'
import { isEqual } from './equal.ts'

/** Keywords that say something to people only. */
const ANNOTATIONS = ['title', 'description', '$comment', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']

/** Deeper schemas are not looked into. */
const DEEPEST = 64

/** `input`: others give values, which must go on being accepted; `output`: others take them. */
export type Direction = 'input' | 'output'

/** The bump that a change of schema needs: patch for words, minor for optional properties, major otherwise. */
export function schemaBump(before: unknown, after: unknown, direction: Direction, depth = 0): Bump | undefined {
  if (isEqual(before, after)) return undefined
  if (!isObject(before) || !isObject(after) || depth > DEEPEST) return 'major'
  let bump: Bump | undefined
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [own(before, name), own(after, name)]
    if (isEqual(old, now)) continue
    if (ANNOTATIONS.includes(name)) bump = greater(bump, 'patch')
    else if (name === 'properties') bump = greater(bump, propertiesBump(old, now, direction, depth))
    else if (name === 'required') bump = greater(bump, requiredBump(old, now, direction))
    else if (name === 'items') bump = greater(bump, schemaBump(old, now, direction, depth + 1))
    else return 'major'
  }
  return bump
}

const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

/** A property more is optional until `required` says otherwise; one less was somebody's to give or to take. */
function propertiesBump(before: unknown, after: unknown, direction: Direction, depth: number): Bump | undefined {
  if (!isObject(before ?? {}) || !isObject(after ?? {})) return 'major'
  const [old, now] = [(before ?? {}) as JsonObject, (after ?? {}) as JsonObject]
  let bump: Bump | undefined
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(now, name)) return 'major'
    bump = greater(bump, schemaBump(old[name], now[name], direction, depth + 1))
  }
  return Object.keys(now).some((name) => !Object.hasOwn(old, name)) ? greater(bump, 'minor') : bump
}

/** To ask for more breaks those who give, to promise less those who take. */
function requiredBump(before: unknown = [], after: unknown = [], direction: Direction): Bump {
  if (!Array.isArray(before) || !Array.isArray(after)) return 'major'
  const [strict, loose] = direction === 'input' ? [after, before] : [before, after]
  const known = new Set<unknown>(loose)
  return strict.every((name: unknown) => known.has(name)) ? 'minor' : 'major'
}
