// Compares members that protect. Less protection is breaking, and so is anything that cannot be shown to protect as
// much.
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { type Bump, type Changes, greater } from './change.ts'
import { type Comparison, isEqual, type Pair, report } from './members.ts'

function weaker({ before, after }: Pair, detail: string, changes: Changes): void {
  if (after === undefined) changes.inOld('widened', 'major', before!.pointer, detail)
  else changes.inNew('widened', 'major', after.pointer, detail)
}

function stronger({ before, after }: Pair, detail: string, changes: Changes, bump: Bump = 'minor'): void {
  if (after === undefined) changes.inOld('narrowed', bump, before!.pointer, detail)
  else changes.inNew('narrowed', bump, after.pointer, detail)
}

/**
 * A flag that protects: losing it is breaking. `asks`: gaining it is breaking too, because it also demands something of
 * callers.
 */
export const protection =
  (name: string, asks = false): Comparison =>
  (pair, changes) => {
    if (pair.after?.value === true) stronger(pair, `${name} is true now`, changes, asks ? 'major' : 'minor')
    else if (pair.before?.value === true) changes.inOld('widened', 'major', pair.before.pointer, `${name} was true`)
    else report(pair, 'patch', name, changes)
  }

/** A number that is an upper or lower bound; without it there is no bound. */
export const bound =
  (name: string, side: 'most' | 'least'): Comparison =>
  (pair, changes) => {
    const { before, after } = pair
    const none = side === 'most' ? Number.POSITIVE_INFINITY : 0
    const [old, now] = [before?.value ?? none, after?.value ?? none]
    if (typeof old !== 'number' || typeof now !== 'number') return report(pair, 'major', name, changes)
    const words = `${name}: ${before === undefined ? 'no limit' : old} before, ${after === undefined ? 'no limit' : now} now`
    if (old === now) report(pair, 'patch', name, changes)
    else if (now < old === (side === 'most')) stronger(pair, words, changes)
    else weaker(pair, words, changes)
  }

/** A list that restricts if it is present. */
export const choice =
  (name: string): Comparison =>
  (pair, changes) => {
    const [old, now] = [pair.before, pair.after].map((side) => side && textSet(side.value))
    if (old === 'odd' || now === 'odd') return report(pair, 'major', name, changes)
    if (now === undefined || (old !== undefined && [...now].some((value) => !old.has(value))))
      weaker(pair, now === undefined ? `${name} no longer restricts` : `${name} has more`, changes)
    else if (old === undefined || old.size > now.size) stronger(pair, `${name} restricts more`, changes)
    else report(pair, 'patch', name, changes)
  }

/** There are six categories and four profiles; others come from third parties. */
const MOST_SHOWN = 20

/**
 * A list of protections. Losing one protects less. An added one needs the bump `more`, because it may shut someone out.
 * `known` maps different names of the same thing to one.
 */
export const obligations =
  (name: string, lost: string, won: string, more: Bump = 'minor', known = (value: string) => value): Comparison =>
  (pair, changes) => {
    const [old, now] = [pair.before?.value ?? [], pair.after?.value ?? []]
    if (!Array.isArray(old) || !Array.isArray(now)) return report(pair, 'major', name, changes)
    const identity = (value: unknown) => (isText(value) ? known(value) : value)
    const [before, after] = [new Set(old.map(identity)), new Set(now.map(identity))]
    const gone = [...before].filter((value) => !after.has(value))
    const added = [...after].filter((value) => !before.has(value))
    if (gone.length > 0) weaker(pair, `${lost} ${listWords(gone)}`, changes)
    if (added.length > 0) stronger(pair, `${won} ${listWords(added)}`, changes, more)
    if (gone.length + added.length === 0) report(pair, 'patch', name, changes)
  }

/** The first values of a list that may come from a third party. */
function listWords(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_SHOWN)
  return shown.map((value) => (isText(value) ? quoted(value) : 'what is no text')).join(', ')
}

function textSet(value: unknown): ReadonlySet<string> | 'odd' {
  return Array.isArray(value) && value.every(isText) ? new Set(value) : 'odd'
}

/** Something that is trusted or enforced. Losing it is less protection, and a different one needs a new review. */
export const trusted =
  (name: string): Comparison =>
  (pair, changes) => {
    if (pair.after === undefined) weaker(pair, `${name} is gone`, changes)
    else if (pair.before === undefined) stronger(pair, `${name} is new`, changes)
    else report(pair, 'major', name, changes)
  }

/** A name with a known strength. Unknown names cannot be shown to be as strong. */
export const strength =
  (name: string, of: (text: string) => Strength | undefined): Comparison =>
  (pair, changes) => {
    const { before, after } = pair
    if (before === undefined || after === undefined) return trusted(name)(pair, changes, name)
    const [old, now] = [before.value, after.value].map((value) => (isText(value) ? of(value) : undefined))
    if (old === undefined || now === undefined) return report(pair, 'major', name, changes)
    if (now.some((value, i) => value < old[i]!)) weaker(pair, `${name} is weaker`, changes)
    else if (now.some((value, i) => value > old[i]!)) stronger(pair, `${name} is stronger`, changes)
    else report(pair, 'minor', name, changes)
  }

const isOpen = ({ value }: { readonly value: unknown } = { value: undefined }) =>
  value === undefined || value === 'none'

/**
 * Dropping authentication is less protection; a different kind of authentication shuts out callers that know the old
 * one.
 */
export const authenticationType: Comparison = (pair, changes) => {
  if (isOpen(pair.before) && isOpen(pair.after)) report(pair, 'patch', 'type', changes)
  else if (isOpen(pair.after)) weaker(pair, 'asks for no authentication', changes)
  else if (isOpen(pair.before)) stronger(pair, 'asks for authentication', changes, 'major')
  else report(pair, 'major', 'type', changes)
}

const WHO: readonly unknown[] = ['self', 'third_party', 'verifiable_credential']

/** An agent that attests only itself has no independent attestation. */
export const attestationType: Comparison = (pair, changes) => {
  const independent = (side: Pair['before']) => WHO.indexOf(side?.value) > 0
  if (independent(pair.before) && !independent(pair.after)) weaker(pair, 'is attested by nobody else', changes)
  else if (!independent(pair.before) && independent(pair.after)) stronger(pair, 'is attested by a third party', changes)
  else report(pair, 'minor', 'type', changes)
}

// The protections that a definition names are ranked: versions of TLS, and ciphers for data at rest. Only whole names
// are recognized, because anything added to a name may take the protection away.

/** Each number ranks one property; greater numbers protect more. */
type Strength = readonly number[]

/** `TLS1.3`, `1.2`, `TLSv1.2`, `TLS 1.3`, `SSLv3`. */
const VERSION = /^(?:ssl[ _v-]{0,2}([23])(?:[._]0)?|(?:tls[ _v-]{0,2}|v)?1[._]([0-3])|tls[ _v-]{0,2}1)$/i

export function tlsStrength(text: string): Strength | undefined {
  const match = VERSION.exec(text.trim())
  if (match === null) return undefined
  const [, ssl, minor = '0'] = match
  return [ssl === undefined ? 10 + Number(minor) : Number(ssl)]
}

/** Names without separators that have no modes. RC4 is broken regardless of its key. */
const STREAMS: readonly (readonly [name: RegExp, Strength])[] = [
  [/^(?:none|null|plain(?:text)?)$/, [0, 0]],
  [/^rc4$/, [1, 0]],
  [/^x?chacha20$/, [256, 2]],
  [/^x?chacha20poly1305$/, [256, 3]],
]

const BLOCKS =
  /^(?:(?:aes|a|camellia|aria)(128|192|256)|(3des|tripledes|tdea|desede3?)|des)(.*?)(?:pkcs[57](?:padding)?|nopadding)?$/

/**
 * Ranks modes by what they protect. The best detect changes of the stored bytes; ECB doesn't even hide equal blocks.
 */
const MODES: readonly (readonly [mode: RegExp, rank: number])[] = [
  [/^(?:gcm(?:siv)?|ccm|ocb3?|siv|eax|cbchs(?:256|384|512)|cbchmac(?:sha(?:1|256|384|512))?)$/, 3],
  [/^(?:|cbc|ctr|xts|cfb(?:1|8|128)?|ofb)$/, 2],
  [/^ecb$/, 1],
]

/** `AES-256-GCM`, `aes256gcm`, `A256GCM`, `AES_256/CBC/PKCS5Padding`, `ChaCha20-Poly1305`; undefined for an unknown name. */
export function cipherStrength(text: string): Strength | undefined {
  const name = text.toLowerCase().replace(/[\s_./-]/g, '')
  const block = BLOCKS.exec(name)
  if (block === null) return STREAMS.find(([known]) => known.test(name))?.[1]
  const [, bits, triple, mode = ''] = block
  const rank = MODES.find(([known]) => known.test(mode))?.[1]
  return rank === undefined ? undefined : [Number(bits ?? (triple === undefined ? 56 : 112)), rank]
}

// Compares what two JSON Schemas accept. Only plain cases are decided; every other change counts as breaking.

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
    const [old, now] = [member(before, name), member(after, name)]
    if (isEqual(old, now)) continue
    if (ANNOTATIONS.includes(name)) bump = greater(bump, 'patch')
    else if (name === 'properties') bump = greater(bump, propertiesBump(old, now, direction, depth))
    else if (name === 'required') bump = greater(bump, requiredBump(old, now, direction))
    else if (name === 'items') bump = greater(bump, schemaBump(old, now, direction, depth + 1))
    else return 'major'
  }
  return bump
}

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
