import { inJson, withValues } from '../../document/rewrite.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { unsafeIntegers } from '../../frame/integers.ts'
import { ruleDiagnostic } from '../../frame/rule.ts'
import { signParsed } from '../../frame/sign.ts'
import type { SignResult } from '../../frame/signed.ts'
import { type Signing, type SignOptions, unsigned } from '../../frame/signing.ts'
import type { Source } from '../../frame/source.ts'
import { checkAlgorithm } from '../../keys/algorithms.ts'
import { decodeBase64url } from '../../keys/base64.ts'
import { checkFit, type Key, publicMembers } from '../../keys/key.ts'
import type { KeySource } from '../../keys/read.ts'
import { signBytes } from '../../keys/sign.ts'
import { fingerprintOf, writePrefixed } from '../public-key.ts'
import { INVITE_OTHER_KEY, INVITE_ROUNDED_NUMBER } from './findings.ts'
import type { Invitation } from './invitation.ts'
import { payloadOf, SIGNATURE } from './payload.ts'
import { INVITE_READING } from './reading.ts'

export type { SignOptions } from '../../frame/signing.ts'

/** How invitations are signed: by the key whose fingerprint they contain. */
export const INVITE_SIGNING: Signing<Invitation> = {
  ...INVITE_READING,
  async sign(invitation, { key, subtle }) {
    checkFit(key, checkAlgorithm('Ed25519'))
    const { document } = invitation
    const findings = [...unsafeIntegers(document, INVITE_ROUNDED_NUMBER), ...keyFindings(invitation, key)]
    if (findings.length > 0) return unsigned(findings)
    const message = payloadOf(invitation)
    const signature = await signBytes({ algorithm: 'Ed25519', privateKey: key, message, subtle })
    const signed = withValues(inJson(document), [[SIGNATURE, writePrefixed(signature)]])
    return { document: signed, bytes: signed.bytes, diagnostics: [] }
  },
}

/**
 * Signs an invitation with the key of the inviting agent.
 *
 * @example
 * const { bytes, diagnostics } = await sign(invitation, privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is not for Ed25519, {TypeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signParsed(INVITE_SIGNING, parseAs(INVITE_READING, source, options), key, options)
}

function keyFindings({ document, pubkey }: Invitation, key: Key): Diagnostic[] {
  const own = fingerprintOf(decodeBase64url(publicMembers(key)['x']!))
  if (pubkey?.value === own) return []
  const detail = `the key that signs has the fingerprint ${own}`
  const fix = { hint: 'sign with the key of the agent that it invites to, whose fingerprint stands in pubkey' }
  return [ruleDiagnostic(document, INVITE_OTHER_KEY, 'error', '/invite/pubkey', detail, { fix })]
}
