import { KeyError } from '../../keys/base64.ts'
import { keyOfDid } from '../../keys/did.ts'
import { readMultikey } from '../../keys/export.ts'
import type { Key } from '../../keys/key.ts'
import { publicKeyBlock } from '../../wellknown/identity.ts'
import type { MutableObject } from '../json.ts'

/** The key in a card, in the form of ADP/1.1 (section 6.3.2): from its did:key, or from an id that is a key. */
export function publicKeyOf(did: string | undefined, id: string | undefined): MutableObject | undefined {
  const [, name] = /^agent:\/\/(z[^/]{1,200})(?:\/|$)/.exec(id ?? '') ?? []
  const named = did === undefined ? undefined : attempt(() => keyOfDid(did))
  const key = named ?? (name === undefined ? undefined : attempt(() => readMultikey(name)))
  return key?.kind === 'Ed25519' ? publicKeyBlock(key) : undefined
}

function attempt(read: () => Key): Key | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}
