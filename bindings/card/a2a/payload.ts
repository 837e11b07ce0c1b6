import { canonicalizeValue } from '../../core/value.ts'
import type { A2aCard } from './a2a-card.ts'
import { PRESENCE_RULES, type PresenceRule, presentMembers } from './presence.ts'

/** Bytes that a signature may cover, and the rules that give them: of an ordinary card all give the same. */
export interface Payload {
  readonly rules: readonly PresenceRule[]
  readonly bytes: Uint8Array
  /** Pointers of what it does not cover although the first rule of the version does. */
  readonly uncovered: readonly string[]
}

/** What the signatures of a card may cover (A2A 1.0 section 8.4): each different payload once, the specification's first. */
export function payloadsOf(
  { root, version }: A2aCard,
  rules: readonly PresenceRule[] = PRESENCE_RULES[version],
): readonly Payload[] {
  const own = new Set(presentMembers(root.value, version, PRESENCE_RULES[version][0]!).left)
  const payloads: { rules: PresenceRule[]; bytes: Uint8Array; uncovered: readonly string[] }[] = []
  for (const rule of rules) {
    const { value, left } = presentMembers(root.value, version, rule)
    const bytes = canonicalizeValue(value)
    const same = payloads.find((payload) => isSame(payload.bytes, bytes))
    if (same !== undefined) same.rules.push(rule)
    else payloads.push({ rules: [rule], bytes, uncovered: left.filter((pointer) => !own.has(pointer)) })
  }
  return payloads
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

const encoder = new TextEncoder()

/** What the key signs (RFC 7515 section 5.1). */
export function signingInput(protectedHeader: string, payload: string): Uint8Array {
  return encoder.encode(`${protectedHeader}.${payload}`)
}
