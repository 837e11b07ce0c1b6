import { decodeBase64url } from '../../keys/base64.ts'
import { keyOfDid } from '../../keys/did.ts'
import { KeyError } from '../../keys/error.ts'
import { type Key, publicMembers } from '../../keys/key.ts'
import { readMultikey } from '../../keys/multikey.ts'
import { writePem } from '../../keys/pem.ts'
import { writeSpki } from '../../keys/spki.ts'
import { fingerprintOf } from '../../wellknown/public-key.ts'
import type { Made } from '../json.ts'

/** The key that a card names, in the form of ADP/1.1 (section 6.3.2): from its did:key, or from an id that is a key. */
export function publicKeyOf(did: string | undefined, id: string | undefined): Made | undefined {
  const [, name] = /^agent:\/\/(z[^/]{1,200})(?:\/|$)/.exec(id ?? '') ?? []
  const named = did === undefined ? undefined : attempt(() => keyOfDid(did))
  const key = named ?? (name === undefined ? undefined : attempt(() => readMultikey(name)))
  if (key?.kind !== 'Ed25519') return undefined
  const members = publicMembers(key)
  return {
    algorithm: 'ed25519',
    fingerprint: fingerprintOf(decodeBase64url(members['x']!)),
    full: writePem('PUBLIC KEY', writeSpki('Ed25519', members)),
  }
}

function attempt(read: () => Key): Key | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}
