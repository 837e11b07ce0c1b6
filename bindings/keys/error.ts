/** What can be wrong with a key or an identifier: docs/keys.md has a section for each. */
export const KEY_FAULTS = {
  'KEY-101': 'Unsupported algorithm',
  'KEY-102': 'Malformed key',
  'KEY-103': 'Key that does not fit',
  'KEY-104': 'Weak key',
  'KEY-105': 'No private key',
  'KEY-106': 'Not possible in this host',
  'KEY-107': 'Malformed base64',
  'KEY-108': 'Halves of different keys',
  'KEY-110': 'Malformed DID',
  'KEY-111': 'Unsupported DID',
  'KEY-112': 'DID document without a usable key',
} as const

export type KeyErrorCode = keyof typeof KEY_FAULTS

/** A key, an algorithm or an encoding that cannot be used. A signature that is merely wrong is never an error. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
  /** Stable: `KEY-104`. */
  readonly code: KeyErrorCode

  constructor(code: KeyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
