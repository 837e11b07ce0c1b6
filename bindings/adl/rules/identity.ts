import type { Rule } from '../../frame/rule.ts'
import { isDid } from '../../keys/did.ts'
import { KeyError } from '../../keys/error.ts'
import type { Key } from '../../keys/key.ts'
import { readPublicKey } from '../../keys/read.ts'
import { objectMember, type PlacedValue, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import * as FINDINGS from '../findings.ts'
import { once } from '../places.ts'

export const identityKey: Rule<Agent> = {
  ...FINDINGS.IDENTITY_KEY,
  check({ identity }, report) {
    if (identity === undefined) return
    if (Object.hasOwn(identity.value, 'did') || Object.hasOwn(identity.value, 'public_key')) return
    report(identity.pointer, "cryptographic_identity has neither 'did' nor 'public_key'")
  },
}

export const didSyntax: Rule<Agent> = {
  ...FINDINGS.DID_SYNTAX,
  check({ root, identity }, report) {
    const id = textMember(root, 'id')
    const named = id?.value.startsWith('did:') ? id : undefined
    for (const did of [named, textMember(identity, 'did')]) {
      if (did === undefined || isDid(did.value)) continue
      report(did.pointer, `${quoted(did.value)} is no DID: expected did:method:identifier`)
    }
  },
}

/** The result of reading the key: the key, or the error with the reason; null when there is no key. */
type ReadKey = PlacedValue<string> & ({ readonly key: Key } | { readonly fault: KeyError })

const readKey = once(({ identity }): ReadKey | null => {
  const text = textMember(objectMember(identity, 'public_key'), 'value')
  if (text === undefined) return null
  const { pointer, value } = text
  try {
    return { pointer, value, key: readPublicKey(value) }
  } catch (error) {
    if (error instanceof KeyError) return { pointer, value, fault: error }
    throw error
  }
})

/** The algorithm that the document declares for its key, unless it is a weak one. */
function algorithmOf({ identity }: Agent): PlacedValue<string> | undefined {
  const algorithm = textMember(objectMember(identity, 'public_key'), 'algorithm')
  return algorithm === undefined || isWeak(algorithm.value) ? undefined : algorithm
}

export const weakKey: Rule<Agent> = {
  ...FINDINGS.WEAK_KEY,
  check(agent, report) {
    const key = objectMember(agent.identity, 'public_key')
    const algorithm = textMember(key, 'algorithm')
    if (key === undefined || algorithm === undefined) return
    if (isWeak(algorithm.value)) {
      report(key.pointer, `Algorithm ${quoted(algorithm.value)} does not meet minimum strength requirements`)
      return
    }
    const found = readKey(agent)
    if (found === null || 'key' in found || found.fault.code !== WEAK) return
    report(
      key.pointer,
      `Algorithm ${quoted(algorithm.value)} with this key does not meet minimum strength requirements: ${found.fault.message}`,
    )
  },
}

const WEAK = 'KEY-104'
export const isWeak = (algorithm: string): boolean =>
  /^(dsa|dss|rs1|rsa-?sha-?1|hmac|none|p-?192|p-?224|secp(160|192|224)[rk]1|es192|es224)/i.test(algorithm)

export const keyEncoding: Rule<Agent> = {
  ...FINDINGS.KEY_ENCODING,
  check(agent, report) {
    const found = readKey(agent)
    if (found === null || 'key' in found || found.fault.code === WEAK || algorithmOf(agent) === undefined) return
    report(found.pointer, `The key cannot be read: ${found.fault.message}`)
  },
}

export const keyAlgorithm: Rule<Agent> = {
  ...FINDINGS.KEY_ALGORITHM,
  check(agent, report) {
    const found = readKey(agent)
    const algorithm = algorithmOf(agent)
    if (found === null || !('key' in found) || algorithm === undefined) return
    const { kind, algorithms } = found.key
    if ((algorithms as readonly string[]).includes(algorithm.value)) return
    const detail = `The key is one of ${kind}, for ${algorithms.join(' and ')}, and not for ${quoted(algorithm.value)}`
    // Either of the two may be wrong, so there is no automatic fix.
    report(algorithm.pointer, detail, { fix: { hint: `write ${oneOf(algorithms)}, or the key that is meant` } })
  },
}
