import type { Algorithm } from '../../keys/algorithms.ts'
import { encodeBase64 } from '../../keys/base64.ts'
import { exportKey } from '../../keys/export.ts'
import type { Key } from '../../keys/key.ts'

/** `cryptographic_identity.public_key` (ADL section 6.3). */
export interface PublicKeyMember {
  readonly algorithm: Algorithm
  readonly value: string
}

/** The public half of a key in the form of a definition. */
export async function publicKeyMember(key: Key, algorithm: Algorithm): Promise<PublicKeyMember> {
  return { algorithm, value: encodeBase64(await exportKey(key, 'spki')) }
}
