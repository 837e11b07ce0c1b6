// Checks before signing, so that no signature is made that could never be verified.

import type { Diagnostic, Severity } from '../../document/types.ts'
import { ruleDiagnostic } from '../../frame/rule.ts'
import type { Algorithm } from '../../keys/algorithms.ts'
import { KeyError } from '../../keys/error.ts'
import { isSameKey, type Key } from '../../keys/key.ts'
import { readPublicKey } from '../../keys/read.ts'
import { isObject, member, objectMember, textMember } from '../../text/members.ts'
import { quoted, shown } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { SIGNATURE_OTHER_KEY, SIGNATURE_PLACE, SIGNATURE_UNNAMED_KEY } from '../findings.ts'
import { WAYS_TO_A_KEY, WAYS_TO_ONE_KEY } from './hints.ts'

/** The parents of the members that signing writes must be objects, if present. */
export function placeFindings({ document, root, security }: Agent): Diagnostic[] {
  const places = [
    ['/security', member(root.value, 'security')],
    ['/security/attestation', member(security?.value, 'attestation')],
    ['/cryptographic_identity', member(root.value, 'cryptographic_identity')],
  ] as const
  return places.flatMap(([pointer, value]) => {
    if (value === undefined || isObject(value)) return []
    return [ruleDiagnostic(document, SIGNATURE_PLACE, 'error', pointer, `expected an object, found ${shown(value)}`)]
  })
}

/** Warns when verifiers would not find the signing key. */
export function keyFindings(agent: Agent, key: Key, algorithm: Algorithm, embedKey: boolean): Diagnostic[] {
  const { document, identity, attestation } = agent
  const own = member(identity?.value, 'public_key')
  if (own === undefined) {
    if (embedKey || textMember(identity, 'did') !== undefined) return []
    const detail = 'cryptographic_identity names neither a key nor a DID'
    return [
      ruleDiagnostic(document, SIGNATURE_UNNAMED_KEY, 'warning', '/cryptographic_identity', detail, {
        fix: { hint: WAYS_TO_A_KEY },
      }),
    ]
  }
  const why = mismatch(agent, key, algorithm)
  if (why === undefined) return []
  // A third party signs with its own key, and those who trust it have that key.
  const severity: Severity = textMember(attestation, 'type')?.value === 'third_party' ? 'warning' : 'error'
  const remarks = severity === 'error' ? { fix: { hint: WAYS_TO_ONE_KEY } } : {}
  return [ruleDiagnostic(document, SIGNATURE_OTHER_KEY, severity, '/cryptographic_identity/public_key', why, remarks)]
}

function mismatch({ identity }: Agent, key: Key, algorithm: Algorithm): string | undefined {
  const object = objectMember(identity, 'public_key')
  const name = textMember(object, 'algorithm')?.value
  const value = textMember(object, 'value')?.value
  if (value === undefined) return 'expected a public key with the texts algorithm and value, found none'
  if (name !== algorithm) return `expected algorithm ${algorithm}, found ${name === undefined ? 'none' : quoted(name)}`
  try {
    return isSameKey(readPublicKey(value), key)
      ? undefined
      : 'expected the public half of the key that signs, found another key'
  } catch (error) {
    if (error instanceof KeyError) return `the key of the document cannot be read: ${error.message}`
    throw error
  }
}
