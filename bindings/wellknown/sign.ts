import { inJson, withValues } from '../document/rewrite.ts'
import type { Diagnostic } from '../document/types.ts'
import { parseAs } from '../frame/as.ts'
import { unsafeIntegers } from '../frame/integers.ts'
import { refusalsBy, ruleDiagnostic } from '../frame/rule.ts'
import { signParsed } from '../frame/sign.ts'
import type { SignResult } from '../frame/signed.ts'
import { type Signing, type SignOptions, unsigned } from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { checkAlgorithm } from '../keys/algorithms.ts'
import { decodeBase64url } from '../keys/base64.ts'
import { checkFit, type Key, publicMembers } from '../keys/key.ts'
import type { KeySource } from '../keys/read.ts'
import { signBytes } from '../keys/sign.ts'
import { METADATA_KEY_UNUSABLE, METADATA_OTHER_KEY, METADATA_ROUNDED_NUMBER } from './findings.ts'
import type { Metadata } from './metadata.ts'
import { PROOF, payloadOf } from './payload.ts'
import { fingerprintOf, writePrefixed } from './public-key.ts'
import { METADATA_READING } from './reading.ts'
import { foreignMember, protocolVersion } from './rules/protocol.ts'

export type { SignOptions } from '../frame/signing.ts'

/** How metadata is signed. It proves that the agent has the key in the document. */
export const METADATA_SIGNING: Signing<Metadata> = {
  ...METADATA_READING,
  async sign(metadata, { key, subtle }) {
    checkFit(key, checkAlgorithm('Ed25519'))
    const { document } = metadata
    const findings = [
      ...refusalsBy(protocolVersion, metadata),
      ...unsafeIntegers(document, METADATA_ROUNDED_NUMBER),
      ...keyFindings(metadata, key),
      ...refusalsBy(foreignMember, metadata),
    ]
    if (findings.length > 0) return unsigned(findings)
    const signature = await signBytes({ algorithm: 'Ed25519', privateKey: key, message: payloadOf(document), subtle })
    const signed = withValues(inJson(document), [[PROOF, writePrefixed(signature)]])
    return { document: signed, bytes: signed.bytes, diagnostics: [] }
  },
}

/**
 * Signs the metadata of an agent with its Ed25519 key: the canonical form of everything except the proof (section
 * 6.3.2).
 *
 * @example
 * const { bytes, diagnostics } = await sign(metadata, privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is not for Ed25519, {TypeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signParsed(METADATA_SIGNING, parseAs(METADATA_READING, source, options), key, options)
}

function keyFindings({ document, publicKey, fingerprint }: Metadata, key: Key): Diagnostic[] {
  const own = fingerprintOf(decodeBase64url(publicMembers(key)['x']!))
  if (publicKey === undefined || fingerprint === undefined) {
    const detail = `expected the key's fingerprint, which is ${own}, found none`
    return [ruleDiagnostic(document, METADATA_KEY_UNUSABLE, 'error', '/identity/publicKey/fingerprint', detail)]
  }
  if (fingerprint.value === own) return []
  const detail = `the key that signs has the fingerprint ${own}`
  const hint =
    'sign with the private half of the key in publicKey, or name the other there: blazon init --kind wellknown --key KEY writes it'
  return [ruleDiagnostic(document, METADATA_OTHER_KEY, 'error', fingerprint.pointer, detail, { fix: { hint } })]
}
