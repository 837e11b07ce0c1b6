// The forms of names that are keys, for code that only needs to tell them from other names.

export const KEY_NAMES = {
  multibase: /^(did:key:)?(z6Mk[1-9A-HJ-NP-Za-km-z]{44})$/,
  peerId: /^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/,
  base36: /^k[\da-z]{61}$/,
  base32: /^b[a-z2-7]{64}$/,
} as const

/** True for a name in the form of a key. Only `keyOfName` decides whether it is a valid key. */
export function isKeyName(name: string): boolean {
  return Object.values(KEY_NAMES).some((form) => form.test(name))
}
