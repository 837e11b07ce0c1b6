// A signature in the form of RFC 7515 section 7.2.2, without its payload, which is the card: {protected, signature,
// header?}; and how one is checked against all candidate keys and payloads.

import { canonicalizeValue } from '../core/value.ts'
import { parse } from '../document/parse.ts'
import type { Fix } from '../document/types.ts'
import type { KeyResolver } from '../frame/source.ts'
import { encodeBase64url, readBase64url } from '../keys/base64.ts'
import { fingerprint } from '../keys/export.ts'
import { importKey } from '../keys/import.ts'
import type { Algorithm, Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { openVerifier } from '../keys/verify.ts'
import { sameBytes } from '../text/bytes.ts'
import { escapeToken, isObject, isText, type JsonObject, member } from '../text/members.ts'
import { camelCase, oneOf, quoted, shown } from '../text/words.ts'
import { type A2aCard, type A2aVersion, type CardSchema, SCHEMAS } from './subject.ts'

/** The JWS algorithms (RFC 7518, 8037, 9864) that are supported. For EdDSA, the key determines the curve. */
const ALGORITHMS: Readonly<Record<string, readonly Algorithm[]>> = {
  EdDSA: ['Ed25519', 'Ed448'],
  Ed25519: ['Ed25519'],
  Ed448: ['Ed448'],
  ES256: ['ES256'],
  ES384: ['ES384'],
  ES512: ['ES512'],
  RS256: ['RS256'],
  PS256: ['PS256'],
}

/** Bounds the input: no legitimate header is larger. */
const LARGEST_HEADER = 16_384
const DEPTH = 8

/** A parsed signature. */
interface Jws {
  readonly algorithms: readonly Algorithm[]
  readonly alg: string
  readonly kid: string
  /** A URL of the signer's keys, chosen by the signer. It is neither fetched nor trusted. */
  readonly jku: string | undefined
  /** Exactly as written, because the signature covers this text. */
  readonly protectedHeader: string
  readonly value: Uint8Array<ArrayBuffer>
}

/** The reason why a signature cannot be used, and the faulty member. */
interface JwsProblem {
  readonly member: 'protected' | 'signature'
  readonly problem: string
  /** The signature may be valid for a verifier that supports its algorithm. */
  readonly isUnknown?: true
  /** Section 8.4.2 requires the member that is missing. */
  readonly isMissing?: true
}

/** Parses a signature. Nothing in it is trusted yet. */
export function readJws(signature: JsonObject): Jws | JwsProblem {
  const text = member(signature, 'protected')
  const header = isText(text) ? readHeader(text) : undefined
  if (!isText(text) || header === undefined) {
    return { member: 'protected', problem: 'Expected a JSON object in base64url without padding' }
  }
  const problem = problemOf(header, member(signature, 'header'))
  if (problem !== undefined) return { member: 'protected', ...problem }
  const value = readBase64url(member(signature, 'signature'))
  if (value === undefined) return { member: 'signature', problem: 'Expected base64url without padding' }
  const { alg, kid, jku } = header as { alg: string; kid: string; jku?: unknown }
  return { algorithms: ALGORITHMS[alg]!, alg, kid, jku: isText(jku) ? jku : undefined, protectedHeader: text, value }
}

function problemOf(header: JsonObject, unprotected: unknown): Omit<JwsProblem, 'member'> | undefined {
  const [alg, kid] = [member(header, 'alg'), member(header, 'kid')]
  // RFC 7515 section 4.1.11: an unknown critical member must be refused, and no critical member is known here.
  if (Object.hasOwn(header, 'crit')) return { problem: 'The header has critical members, none of which is known' }
  if (unprotected !== undefined && !isObject(unprotected)) {
    return { problem: `The unprotected header must be an object, found ${shown(unprotected)}` }
  }
  // RFC 7515 section 4.1.11 and RFC 7797 section 3: members that change how a signature is read must be protected by
  // it.
  const misplaced = ['crit', 'b64'].find((name) => unprotected !== undefined && Object.hasOwn(unprotected, name))
  if (misplaced !== undefined) return { problem: `${misplaced} stands in the header that is not protected` }
  // Payloads are base64url here. Another form would have to be critical, and critical members are refused above.
  if (Object.hasOwn(header, 'b64') && header['b64'] !== true) return { problem: 'b64 is not true, and is not critical' }
  const twice = unprotected !== undefined && Object.keys(header).find((name) => Object.hasOwn(unprotected, name))
  if (isText(twice))
    return {
      problem: `The members of both headers are disjoint (RFC 7515 section 7.2.1), found ${quoted(twice)} twice`,
    }
  if (!isText(kid) || kid === '') return { problem: `The header must have a kid, found ${shown(kid)}`, isMissing: true }
  if (!isText(alg)) return { problem: `The header must have an alg, found ${shown(alg)}`, isMissing: true }
  if (Object.hasOwn(ALGORITHMS, alg)) return undefined
  const detail = `Expected ${oneOf(Object.keys(ALGORITHMS))} for alg, found ${quoted(alg)}`
  // These algorithms use no key, or a shared secret, so they do not prove who signed.
  return /^(?:none|HS\d+)$/i.test(alg)
    ? { problem: `${detail}, by which anybody can sign` }
    : { problem: detail, isUnknown: true }
}

/** Parses strictly: a duplicate name would be ambiguous. */
function readHeader(text: string): JsonObject | undefined {
  const bytes = text.length <= LARGEST_HEADER ? readBase64url(text) : undefined
  const value = bytes && parse(bytes, { maxDepth: DEPTH }).document?.value
  return isObject(value) ? value : undefined
}

/** An A2A card gives the name of its key, but not the key. */
const WAY_TO_A_KEY = 'verify with the public key of the signer: blazon verify FILE --key KEY'

export interface A2aKeys {
  /** Keys that the caller trusts. If given, no other key counts. */
  readonly pinned: readonly Key[] | undefined
  readonly resolver: KeyResolver | undefined
  readonly subtle: Subtle
}

export interface SignatureVerdict {
  readonly pointer: string
  /** `unknown`: neither proved nor refuted. */
  readonly outcome: 'valid' | 'invalid' | 'unknown'
  readonly detail: string
  /** The payload that a valid signature covers. */
  readonly payload?: Payload
  readonly jws?: Jws
  /** Where the keys came from. */
  readonly keys?: string
  /** The thumbprint of the signing key. */
  readonly print?: string
  /** How to fix it, if there is a way. */
  readonly fix?: Fix
  /** Set when the budget ran out before this signature was tried. */
  readonly isUntried?: true
}

/** What a signature may cover, and what it may not although SDKs sign it. */
interface Signable {
  readonly payloads: readonly Payload[]
  /** Made when a signature matches no payload. */
  others(): readonly OtherForm[]
}

/** How many attempts with a key are left. */
interface Budget {
  attempts: number
}

/** The maximum number of keys to try for one kid. */
const MOST_KEYS = 16

export async function checkSignature(
  entry: unknown,
  pointer: string,
  { payloads, others }: Signable,
  sources: A2aKeys,
  budget: Budget,
): Promise<SignatureVerdict> {
  if (!isObject(entry)) return { pointer, outcome: 'invalid', detail: `expected a signature, found ${shown(entry)}` }
  const jws = readJws(entry)
  if ('problem' in jws) return { pointer, outcome: jws.isUnknown ? 'unknown' : 'invalid', detail: jws.problem }
  const untried = { pointer, outcome: 'unknown', detail: 'not tried', jws, isUntried: true } as const
  if (budget.attempts <= 0) return untried
  const keys = await keysFor(jws, sources, budget)
  if (keys === undefined) {
    const detail = `no key to verify with: the caller trusts none, and nobody says which one the kid ${quoted(jws.kid)} is`
    return { pointer, outcome: 'unknown', detail, jws, fix: { hint: WAY_TO_A_KEY } }
  }
  const cost = keys.list.filter((key) => algorithmOf(jws, key) !== undefined).length * payloads.length
  if (cost > budget.attempts) return untried
  budget.attempts -= cost
  const found = await matching(jws, keys.list, payloads, sources.subtle)
  const told = { pointer, jws, keys: keys.words }
  if (found === undefined) {
    const forms = cost === 0 ? [] : others()
    const more = (cost / payloads.length) * forms.length
    budget.attempts -= more
    const other = budget.attempts < 0 ? undefined : await matching(jws, keys.list, forms, sources.subtle)
    return {
      ...told,
      outcome: 'invalid',
      detail: other === undefined ? whyNone(jws, keys.list) : otherWords(other.payload),
    }
  }
  const print = await fingerprint(found.key, { subtle: sources.subtle })
  const detail = `valid, ${jws.alg}, kid ${quoted(jws.kid)}, by the key with the thumbprint ${print}`
  return { ...told, outcome: 'valid', detail, payload: found.payload, print }
}

async function keysFor({ kid }: Jws, { pinned, resolver, subtle }: A2aKeys, budget: Budget) {
  if (pinned !== undefined) return { list: pinned, words: `keys that the caller trusts: ${pinned.length}` }
  // A resolver call counts as an attempt, because it may take as long as trying a key.
  if (resolver !== undefined) budget.attempts--
  const sources = await resolver?.(kid)
  if (sources === undefined) return undefined
  const list = await Promise.all(
    sources.slice(0, MOST_KEYS).map(async (key) => (await importKey(key, { subtle })).publicKey),
  )
  return { list, words: `keys that the caller knows as ${quoted(kid)}: ${list.length}` }
}

async function matching<Signed extends Pick<Payload, 'text'>>(
  jws: Jws,
  keys: readonly Key[],
  payloads: readonly Signed[],
  subtle: Subtle,
) {
  for (const key of keys) {
    const algorithm = algorithmOf(jws, key)
    if (algorithm === undefined) continue
    const verifier = await openVerifier(key, { algorithm, subtle })
    for (const payload of payloads) {
      if (await verifier.verify(signingInput(jws.protectedHeader, payload), jws.value)) return { key, payload }
    }
  }
  return undefined
}

const algorithmOf = ({ algorithms }: Jws, key: Key) =>
  algorithms.find((candidate) => key.algorithms.includes(candidate))

const otherWords = ({ of }: OtherForm) =>
  `signed with another canonical form, that of ${of}: the signer signs again by A2A 1.0 section 8.4.1`

function whyNone({ algorithms, alg }: Jws, keys: readonly Key[]): string {
  const fits = keys.some((key) => algorithms.some((algorithm) => key.algorithms.includes(algorithm)))
  return fits
    ? 'the card was changed after it was signed, or was signed with another key'
    : `none of the keys is for ${alg}`
}

// The canonical forms that SDKs sign although section 8.4.1 requires another. They name a signature; none verifies.

/** Bytes that some SDK signs, and whose they are. */
export interface OtherForm extends Pick<Payload, 'text'> {
  readonly of: string
}

/** The forms of a card that differ from each of its payloads. */
export function otherForms({ root, version }: A2aCard, payloads: readonly Payload[]): readonly OtherForm[] {
  // a2a-js does not read the card by its schema before it signs: only empty values go.
  const cleaned = presentMembers(root.value, '0.3', 'sdk').value
  const kept = [
    presentMembers(root.value, version, 'sdk').value,
    cleaned,
    presentMembers(root.value, version, 'written').value,
  ]
  const encoder = new TextEncoder()
  const forms = [
    { of: 'a2a-js (false and unknown members stay)', bytes: canonicalizeValue(cleaned) },
    ...kept.map((value) => ({ of: 'a2a-python (json.dumps: ASCII only)', bytes: encoder.encode(inPython(value)) })),
  ]
  const known = new Set(payloads.map(({ text }) => text))
  return forms.flatMap(({ of, bytes }) => {
    const text = encodeBase64url(bytes)
    if (known.has(text)) return []
    known.add(text)
    return [{ of, text }]
  })
}

/** `json.dumps(value, separators=(',', ':'), sort_keys=True)` of Python. Cards have no fractions. */
function inPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inPython).join()}]`
  if (!isObject(value)) return inAscii(value)
  const names = Object.keys(value).sort(byCodePoint)
  return `{${names.map((name) => `${inAscii(name)}:${inPython(value[name])}`).join()}}`
}

const inAscii = (value: unknown) =>
  JSON.stringify(value).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Python sorts by code points, RFC 8785 by UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1)
}

// Removes members from a card before its canonical form is signed, as A2A section 8.4.1 requires. Section 8.4.2 and the
// SDKs remove different ones, so a verifier has to know all of these rules (a2aproject/A2A#2122).

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

interface Present {
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
    const name = walk.rule === 'sdk' ? spellAs(written, value, schema) : written
    const member = memberSchema(schema, name)
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
function spellAs(name: string, object: JsonObject, { properties = {} }: CardSchema = {}): string {
  const camel = camelCase(name)
  return !Object.hasOwn(properties, name) && Object.hasOwn(properties, camel) && !Object.hasOwn(object, camel)
    ? camel
    : name
}

/** The schema of a member: its own, or that of the map's entries. */
function memberSchema(schema: CardSchema | undefined, name: string): CardSchema | undefined {
  if (schema?.properties !== undefined)
    return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

function resolve(schema: CardSchema | undefined, { document }: Walk): CardSchema | undefined {
  return schema?.$ref === undefined ? schema : document?.$defs?.[schema.$ref.slice('#/$defs/'.length)]
}
