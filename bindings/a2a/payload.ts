import { canonicalizeValue } from '../core/value.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { sameBytes } from '../text/bytes.ts'
import type { A2aCard } from './a2a-card.ts'
import { PRESENCE_RULES, type PresenceRule, presentMembers } from './presence.ts'

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
export function signingInput(protectedHeader: string, { text }: Payload): Uint8Array {
  return encoder.encode(`${protectedHeader}.${text}`)
}
