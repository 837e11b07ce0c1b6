// Leaves members out of a card before its canonical form is signed, as section 8.4.1 of A2A asks. 8.4.2 and the SDKs leave
// out others, so a verifier has to know all of these ways (a2aproject/A2A#2122).
import { isObject, type JsonObject } from '../text/members.ts'
import { escapeToken } from '../text/pointer.ts'
import { camelCase } from '../text/words.ts'
import { type A2aVersion, type CardSchema, SCHEMAS } from './a2a-card.ts'

/**
 * A way to leave members out. `spec`: by section 8.4.1, those that are neither required nor optional in proto, at their
 * defaults. `defaults`: by 8.4.2 read alone, optional ones too. `sdk`: like a2a-js and a2a-python, everything that is empty,
 * required or not, and members that the schema does not have. `written`: nothing.
 */
export type PresenceRule = 'spec' | 'defaults' | 'sdk' | 'written'

/** The rules that a signature may have been made by. 0.3 has signatures, but does not define their payload. */
export const PRESENCE_RULES: Readonly<Record<A2aVersion, readonly PresenceRule[]>> = {
  '1.0': ['spec', 'defaults', 'sdk', 'written'],
  '0.3': ['written', 'sdk'],
}

export interface Present {
  readonly value: JsonObject
  /** Pointers of the members that are left out. */
  readonly left: readonly string[]
}

/** Cards are flat; members nested deeper than this stay as they are. */
const DEEPEST = 200

/** The part of a card that a signature covers by a rule; never its signatures. */
export function presentMembers(card: JsonObject, version: A2aVersion, rule: PresenceRule): Present {
  const { signatures: _, ...covered } = card
  if (rule === 'written') return { value: covered, left: [] }
  const left: string[] = []
  // The SDKs write a card of 0.3 as they read it, whatever the schema says.
  const schema = version === '1.0' ? SCHEMAS['1.0'] : undefined
  const walk: Walk = { rule, document: schema, left }
  return { value: (clean(covered, schema, '', 0, walk) ?? {}) as JsonObject, left }
}

interface Walk {
  readonly rule: Exclude<PresenceRule, 'written'>
  readonly document: CardSchema | undefined
  readonly left: string[]
}

/** The value without what the rule leaves out; undefined when the SDKs leave out the value itself. */
function clean(value: unknown, given: CardSchema | undefined, pointer: string, depth: number, walk: Walk): unknown {
  if (depth > DEEPEST) return value
  const schema = resolve(given, walk)
  if (Array.isArray(value)) {
    const items = value.map((item, i) => orLeave(item, schema?.items, `${pointer}/${i}`, depth, walk))
    const kept = items.filter((item) => item !== undefined)
    return kept.length === 0 && walk.rule === 'sdk' ? undefined : kept
  }
  if (!isObject(value)) return walk.rule === 'sdk' && (value === '' || value === null) ? undefined : value
  const members: [string, unknown][] = []
  for (const [written, inner] of Object.entries(value)) {
    const at = `${pointer}/${escapeToken(written)}`
    const name = walk.rule === 'sdk' ? spelt(written, value, schema) : written
    const member = memberOf(schema, name)
    const kept = isKept(name, inner, schema, resolve(member, walk), walk.rule)
    const cleaned = orLeave(kept ? inner : undefined, member, at, depth, walk)
    if (cleaned !== undefined) members.push([name, cleaned])
  }
  return members.length === 0 && walk.rule === 'sdk' ? undefined : Object.fromEntries(members)
}

/** `clean`, noting the pointers of members that are left out: for a whole object its own, not those of its members. */
function orLeave(value: unknown, schema: CardSchema | undefined, pointer: string, depth: number, walk: Walk): unknown {
  const before = walk.left.length
  const cleaned = value === undefined ? undefined : clean(value, schema, pointer, depth + 1, walk)
  if (cleaned === undefined) walk.left.splice(before, walk.left.length, pointer)
  return cleaned
}

function isKept(
  name: string,
  value: unknown,
  object: CardSchema | undefined,
  member: CardSchema | undefined,
  rule: Walk['rule'],
): boolean {
  // An object without a schema holds anything: the params of an extension.
  if (object?.properties === undefined) return true
  if (member === undefined) return rule !== 'sdk'
  if (rule === 'sdk') return value !== false || member['x-presence'] === true
  if (object.required?.includes(name) || (member['x-presence'] && rule === 'spec')) return true
  return !isDefault(value, member)
}

/**
 * True for a value that proto3 does not write: a scalar at its default, and a list or map without entries. Messages are
 * always written.
 */
function isDefault(value: unknown, { properties, additionalProperties }: CardSchema): boolean {
  if (value === '' || value === false || value === 0) return true
  if (Array.isArray(value)) return value.length === 0
  const isMap = properties === undefined && typeof additionalProperties === 'object'
  return isMap && isObject(value) && Object.keys(value).length === 0
}

/** The name that SDKs give a member: of one that is written as proto writes it, that of ProtoJSON. */
function spelt(name: string, object: JsonObject, { properties = {} }: CardSchema = {}): string {
  const camel = camelCase(name)
  return !Object.hasOwn(properties, name) && Object.hasOwn(properties, camel) && !Object.hasOwn(object, camel)
    ? camel
    : name
}

/** The schema of a member: its own, or that of the entries of a map. */
function memberOf(schema: CardSchema | undefined, name: string): CardSchema | undefined {
  if (schema?.properties !== undefined)
    return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

function resolve(schema: CardSchema | undefined, { document }: Walk): CardSchema | undefined {
  return schema?.$ref === undefined ? schema : document?.$defs?.[schema.$ref.slice('#/$defs/'.length)]
}
