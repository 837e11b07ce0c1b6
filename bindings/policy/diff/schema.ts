// Compares what two JSON Schemas accept. Only plain cases are decided; every other change counts as breaking.

import { isObject, type JsonObject } from '../../text/members.ts'
import { type Bump, greater } from './change.ts'
import { type Comparison, isEqual, report } from './members.ts'

/** Keywords that only inform people. */
const ANNOTATIONS = ['title', 'description', '$comment', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']

/** Schemas that are nested more deeply are not compared: their changes count as breaking. */
const DEEPEST = 64

/** `input`: others provide the values, and valid ones must stay valid. `output`: others consume the values. */
type Direction = 'input' | 'output'

/** The bump for a change of a schema: patch for texts, minor for optional properties, major for anything else. */
function schemaBump(before: unknown, after: unknown, direction: Direction, depth = 0): Bump | undefined {
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

/** An added property is optional until `required` says otherwise. A removed one may have been in use. */
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

/** Requiring more breaks those who provide values; promising less breaks those who consume them. */
function requiredBump(before: unknown = [], after: unknown = [], direction: Direction): Bump {
  if (!Array.isArray(before) || !Array.isArray(after)) return 'major'
  const [strict, loose] = direction === 'input' ? [after, before] : [before, after]
  const known = new Set<unknown>(loose)
  return strict.every((name: unknown) => known.has(name)) ? 'minor' : 'major'
}

/** Compares the schemas of a member; without one, everything is accepted. */
export const compareSchema =
  (name: string, direction: Direction): Comparison =>
  (pair, changes) => {
    const [old, now] = [pair.before, pair.after].map((side) => (side === undefined ? {} : side.value))
    report(pair, schemaBump(old, now, direction) ?? 'patch', name, changes)
  }
