// Removes members from a card before its canonical form is signed, as A2A section 8.4.1 requires. Section 8.4.2 and the
// SDKs remove different ones, so a verifier has to know all of these rules (a2aproject/A2A#2122).
import { canonicalizeValue } from '../core/value.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { sameBytes } from '../text/bytes.ts'
import { escapeToken, isObject, type JsonObject } from '../text/members.ts'
import { camelCase } from '../text/words.ts'
import { type A2aCard, type A2aVersion, type CardSchema, SCHEMAS } from './subject.ts'

/**
 * Bytes that a signature may cover, and the rules that produce them. For an ordinary card, all rules produce the same
 * bytes.
 */
export interface Payload {
  readonly rules: readonly PresenceRule[]
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The bytes in base64url, which is what signatures cover. */
  readonly text: string
  /** Pointers of members that this payload omits although the version's first rule includes them. */
  readonly uncovered: readonly string[]
}

/** Returns the distinct payloads that a signature may cover (A2A 1.0 section 8.4), that of the specification first. */
export function payloadsOf(
  { root, version }: A2aCard,
  rules: readonly PresenceRule[] = PRESENCE_RULES[version],
): readonly Payload[] {
  const first = PRESENCE_RULES[version][0]!
  const present = presentMembers(root.value, version, first)
  const own = new Set(present.left)
  const payloads: (Payload & { readonly rules: PresenceRule[] })[] = []
  for (const rule of rules) {
    const { value, left } = rule === first ? present : presentMembers(root.value, version, rule)
    const bytes = canonicalizeValue(value)
    const same = payloads.find((payload) => sameBytes(payload.bytes, bytes))
    if (same !== undefined) same.rules.push(rule)
    else {
      const uncovered = left.filter((pointer) => !own.has(pointer))
      payloads.push({ rules: [rule], bytes, text: encodeBase64url(bytes), uncovered })
    }
  }
  return payloads
}

const encoder = new TextEncoder()

/** The bytes that are signed (RFC 7515 section 5.1). */
export function signingInput(protectedHeader: string, { text }: Pick<Payload, 'text'>): Uint8Array {
  return encoder.encode(`${protectedHeader}.${text}`)
}

/**
 * Which members are removed before signing.
 * - `spec`: by section 8.4.1, members at their defaults that are neither required nor optional in proto.
 * - `defaults`: by 8.4.2 alone, optional members at their defaults as well.
 * - `sdk`: like a2a-js and a2a-python, everything empty, required or not, and members that the schema lacks.
 * - `written`: none.
 */
export type PresenceRule = 'spec' | 'defaults' | 'sdk' | 'written'

/** The rules that a signer may have used. 0.3 has signatures, but does not define their payload. */
export const PRESENCE_RULES: Readonly<Record<A2aVersion, readonly PresenceRule[]>> = {
  '1.0': ['spec', 'defaults', 'sdk', 'written'],
  '0.3': ['written', 'sdk'],
}

export interface Present {
  readonly value: JsonObject
  /** Pointers of the removed members. */
  readonly left: readonly string[]
}

/** Members nested deeper than this stay unchanged. Legitimate cards are flat. */
const DEEPEST = 200

/** Returns the part of a card that a signature covers under a rule. It never includes the signatures. */
export function presentMembers(card: JsonObject, version: A2aVersion, rule: PresenceRule): Present {
  const { signatures: _, ...covered } = card
  if (rule === 'written') return { value: covered, left: [] }
  const left: string[] = []
  // The SDKs write a 0.3 card as they read it, whatever the schema says.
  const schema = version === '1.0' ? SCHEMAS['1.0'] : undefined
  const walk: Walk = { rule, document: schema, left }
  return { value: (clean(covered, schema, '', 0, walk) ?? {}) as JsonObject, left }
}

interface Walk {
  readonly rule: Exclude<PresenceRule, 'written'>
  readonly document: CardSchema | undefined
  readonly left: string[]
}

/** Removes members by the rule. Undefined when the SDKs would remove the value itself. */
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

/** Like `clean`, but records the pointers of removed members. A removed object gets one pointer, not one per member. */
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
  // An object without a schema may hold anything, such as the params of an extension.
  if (object?.properties === undefined) return true
  if (member === undefined) return rule !== 'sdk'
  if (rule === 'sdk') return value !== false || member['x-presence'] === true
  if (object.required?.includes(name) || (member['x-presence'] && rule === 'spec')) return true
  return !isDefault(value, member)
}

/**
 * True for a value that proto3 does not write: a scalar at its default, or a list or map without entries. Messages are
 * always written.
 */
function isDefault(value: unknown, { properties, additionalProperties }: CardSchema): boolean {
  if (value === '' || value === false || value === 0) return true
  if (Array.isArray(value)) return value.length === 0
  const isMap = properties === undefined && typeof additionalProperties === 'object'
  return isMap && isObject(value) && Object.keys(value).length === 0
}

/** The name that SDKs write. A member with its proto name gets its ProtoJSON name. */
function spelt(name: string, object: JsonObject, { properties = {} }: CardSchema = {}): string {
  const camel = camelCase(name)
  return !Object.hasOwn(properties, name) && Object.hasOwn(properties, camel) && !Object.hasOwn(object, camel)
    ? camel
    : name
}

/** The schema of a member: its own, or that of the map's entries. */
function memberOf(schema: CardSchema | undefined, name: string): CardSchema | undefined {
  if (schema?.properties !== undefined)
    return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

function resolve(schema: CardSchema | undefined, { document }: Walk): CardSchema | undefined {
  return schema?.$ref === undefined ? schema : document?.$defs?.[schema.$ref.slice('#/$defs/'.length)]
}
