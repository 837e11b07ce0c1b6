import type { Rule } from '../../frame/rule.ts'
import { isDid } from '../../keys/did.ts'
import { KeyError } from '../../keys/error.ts'
import type { Key } from '../../keys/key.ts'
import { readPublicKey } from '../../keys/read.ts'
import { objectMember, type PlacedValue, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { once } from '../places.ts'

const KEY =
  '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="}}}'

export const identityKey: Rule<Agent> = {
  id: 'identity-key',
  code: 'BADL-121',
  title: 'Identity without DID and key',
  section: 'ADL 6.3',
  severity: 'warning',
  why: 'An identity that nothing can be verified with identifies nobody.',
  bad: '{"cryptographic_identity": {}}',
  good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}',
  check({ identity }, report) {
    if (identity === undefined) return
    if (Object.hasOwn(identity.value, 'did') || Object.hasOwn(identity.value, 'public_key')) return
    report(identity.pointer, "cryptographic_identity has neither 'did' nor 'public_key'")
  },
}

export const didSyntax: Rule<Agent> = {
  id: 'did-syntax',
  code: 'BADL-126',
  title: 'Not a DID',
  section: 'ADL 6.3',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'A decentralized identifier that has not the syntax of one resolves nowhere.',
  bad: '{"cryptographic_identity": {"did": "acme.example.com"}}',
  good: '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}',
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
  id: 'weak-key',
  code: 'ADL-4001',
  title: 'Weak key algorithm',
  section: 'ADL 6.3',
  severity: 'error',
  why: 'Who can break the key can sign any document as this agent.',
  bad: '{"cryptographic_identity": {"public_key": {"algorithm": "DSA", "value": "AA=="}}}',
  good: KEY,
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
  id: 'key-encoding',
  code: 'BADL-130',
  title: 'Key that cannot be read',
  section: 'ADL 6.3',
  severity: 'warning',
  why: 'Nothing that the agent signs can be verified with it.',
  bad: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "base64-encoded-public-key"}}}',
  good: KEY,
  check(agent, report) {
    const found = readKey(agent)
    if (found === null || 'key' in found || found.fault.code === WEAK || algorithmOf(agent) === undefined) return
    report(found.pointer, `The key cannot be read: ${found.fault.message}`)
  },
}

export const keyAlgorithm: Rule<Agent> = {
  id: 'key-algorithm',
  code: 'BADL-133',
  title: 'Key of another algorithm',
  section: 'ADL 6.3',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'Whoever verifies takes the algorithm from the document: no signature fits a key of another one.',
  bad: KEY.replace('"Ed25519"', '"ES256"'),
  good: KEY,
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
