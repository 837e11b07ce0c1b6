// Separate from the verbs, which load the YAML parser: discovery needs only JSON, and starts faster without it.

import { canonicalizeWithout } from '../core/json.ts'
import { inJson, withValues } from '../document/edit.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { SIGNATURE_UNTRUSTED_KEY } from '../frame/findings.ts'
import { ASK_FOR_THE_KEY, unsafeIntegers, untrustedWords } from '../frame/integers.ts'
import { SIGN_AGAIN, SIGN_IT, type Signing, unsigned, type Verifying } from '../frame/signing.ts'
import type { Steps } from '../frame/steps.ts'
import { findingAt, refusalsBy } from '../frame/subject.ts'
import { describePayload } from '../frame/verify.ts'
import { decodeBase64url } from '../keys/base64.ts'
import { importKey } from '../keys/import.ts'
import { checkAlgorithm, checkFit, isSameKey, type Key, publicMembers } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { signBytes } from '../keys/sign.ts'
import { verifyBytes } from '../keys/verify.ts'
import { quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { METADATA_KEY_UNUSABLE, METADATA_OTHER_KEY, METADATA_ROUNDED_NUMBER } from './findings.ts'
import { agentUri, faultOfFull, fingerprintOf, idIn, readFull, readPrefixed, writePrefixed } from './identity.ts'
import { foreignMember, protocolVersion } from './rules/endpoints.ts'
import { METADATA_READING, type Metadata } from './subject.ts'

/** The proof is in the block of the key, as in the draft. Some implementations put it next to that. */
export const PROOF = '/identity/publicKey/proof'
const PROOFS = [PROOF, '/identity/proof']

/** The signed bytes: the canonical form of the document's text, without the proof. */
export function payloadOf(document: Document): Uint8Array<ArrayBuffer> {
  // No limit here: parsing has limited the depth of the document.
  return canonicalizeWithout(document.bytes, PROOFS, { maxDepth: 0xffffffff }).payload
}

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

function keyFindings({ document, publicKey, fingerprint }: Metadata, key: Key): Diagnostic[] {
  const own = fingerprintOf(decodeBase64url(publicMembers(key)['x']!))
  if (publicKey === undefined || fingerprint === undefined) {
    const detail = `expected the key's fingerprint, which is ${own}, found none`
    return [findingAt(document, METADATA_KEY_UNUSABLE, '/identity/publicKey/fingerprint', detail)]
  }
  if (fingerprint.value === own) return []
  const detail = `the key that signs has the fingerprint ${own}`
  const hint =
    'sign with the private half of the key in publicKey, or name the other there: blazon init --kind wellknown --key KEY writes it'
  return [findingAt(document, METADATA_OTHER_KEY, fingerprint.pointer, detail, { fix: { hint } })]
}

const STEPS = {
  document: ['The metadata can be read', 'ADP/1.1 section 6.3'],
  protocol: ['Protocol', 'ADP/1.1 section 9.4'],
  id: ['Agent', 'ADP/1.1 section 6.3.2'],
  'canonical-form': ['Canonical form without the proof', 'RFC 8785'],
  key: ['The key in full', 'ADP/1.1 section 6.3.2'],
  fingerprint: ['Fingerprint of the key', 'ADP/1.1 section 8.1.2'],
  proof: ['Proof that the agent has the key', 'ADP/1.1 section 6.3.2'],
  identity: ['What the key shows', 'ADP/1.1 section 8.1'],
} as const

type MetadataSteps = Steps<keyof typeof STEPS>

/** How metadata is verified. */
export const METADATA_VERIFYING: Verifying<Metadata, keyof typeof STEPS> = {
  ...METADATA_READING,
  steps: STEPS,
  async verify(metadata, { expect, pinned, subtle }, steps) {
    const [other] = refusalsBy(protocolVersion, metadata)
    if (other !== undefined) return steps.addFinding('protocol', other, 'failed')
    checkId(metadata, expect.id ?? (expect.provider && agentUri(expect.provider)), steps)
    const payload = payloadOf(metadata.document)
    await describePayload(payload, subtle, steps)
    const raw = checkKey(metadata, steps)
    if (raw === undefined) return
    const own = await importKey(raw, { format: 'raw', subtle })
    const isProven = await checkProof(metadata, own, payload, subtle, steps)
    if (pinned === undefined || pinned.some((key) => isSameKey(key, own))) sayWhatTheKeyShows(pinned, steps)
    else {
      const pointer = '/identity/publicKey'
      const untrusted = { rule: SIGNATURE_UNTRUSTED_KEY, pointer, fix: ASK_FOR_THE_KEY }
      if (isProven) steps.failed('identity', await untrustedWords(own, pinned, subtle), untrusted)
      else
        steps.failed('identity', 'its key is not one of those that you trust', {
          rule: FINDINGS.METADATA_SELF_ASSERTED,
          pointer,
        })
    }
  },
}

function checkId({ id, domain }: Metadata, expected: string | undefined, steps: MetadataSteps): void {
  const claimed = id?.value.toLowerCase()
  if (domain === undefined || claimed === undefined || claimed !== agentUri(domain.value.toLowerCase())) {
    const detail = `the identifier is ${id === undefined ? 'missing' : quoted(id.value)}, and not that of the domain`
    steps.failed('id', detail, { rule: FINDINGS.METADATA_OTHER_AGENT, pointer: '/identity/id' })
  } else if (expected === undefined) steps.skipped('id', `${quoted(id!.value)}; none is expected`)
  else if (claimed === idIn(expected)) steps.passed('id', `${quoted(expected)} is expected`)
  else {
    const detail = `expected ${quoted(expected)}, found ${quoted(id!.value)}`
    steps.failed('id', detail, { rule: FINDINGS.METADATA_OTHER_AGENT, pointer: '/identity/id' })
  }
}

/** Returns the 32 bytes of the key if they match the fingerprint next to it. */
function checkKey({ full, fingerprint }: Metadata, steps: MetadataSteps): Uint8Array<ArrayBuffer> | undefined {
  const remark = { rule: FINDINGS.METADATA_KEY_UNUSABLE, pointer: '/identity/publicKey/full' }
  if (full === undefined) return steps.unknown('key', 'the document has a fingerprint at most', remark)
  const fault = faultOfFull(full.value)
  if (fault !== undefined) return steps.failed('key', fault, remark)
  const raw = readFull(full.value)
  const own = fingerprintOf(raw)
  steps.passed('key', 'a key of Ed25519')
  if (fingerprint?.value === own) {
    steps.passed('fingerprint', own, { fingerprint: own })
    return raw
  }
  const detail = `that of the key is ${own}, found ${fingerprint === undefined ? 'none' : quoted(fingerprint.value)}`
  return steps.failed('fingerprint', detail, {
    rule: FINDINGS.METADATA_KEY_UNUSABLE,
    pointer: '/identity/publicKey/fingerprint',
  })
}

async function checkProof(
  { proof, identity, publicKey: block }: Metadata,
  publicKey: Key,
  message: Uint8Array,
  subtle: Subtle,
  steps: MetadataSteps,
): Promise<boolean> {
  if (proof === undefined && [identity, block].some((one) => Object.hasOwn(one?.value ?? {}, 'proof'))) {
    steps.failed('proof', 'expected a text', { rule: FINDINGS.METADATA_PROOF_INVALID, pointer: PROOF, fix: SIGN_AGAIN })
    return false
  }
  if (proof === undefined) {
    steps.unknown('proof', 'the document carries none', {
      rule: FINDINGS.METADATA_PROOF_ABSENT,
      pointer: PROOF,
      fix: SIGN_IT,
    })
    return false
  }
  const remark = { rule: FINDINGS.METADATA_PROOF_INVALID, pointer: proof.pointer, fix: SIGN_AGAIN }
  const signature = readPrefixed(proof.value)
  if (signature?.length !== 64) {
    const found = signature === undefined ? quoted(proof.value) : `${signature.length} bytes`
    steps.failed('proof', `expected ed25519: and 64 bytes in base64url, found ${found}`, remark)
    return false
  }
  const isValid = await verifyBytes({ algorithm: 'Ed25519', publicKey, message, signature, subtle })
  if (isValid) steps.passed('proof', 'signed with the key in the document')
  else steps.failed('proof', 'it is no signature of this document by the key in it', remark)
  return isValid
}

const WAYS_TO_TRUST =
  'give the key that the agent is known by (blazon verify --key alice.pub), or ask its domain: blazon discover alice.example.com'

/** @param pinned the keys that the caller trusts, including that of the document. */
function sayWhatTheKeyShows(pinned: readonly Key[] | undefined, steps: MetadataSteps): void {
  const remark = { rule: FINDINGS.METADATA_SELF_ASSERTED, pointer: '/identity/publicKey', fix: { hint: WAYS_TO_TRUST } }
  if (pinned !== undefined) steps.passed('identity', 'it is a key that the caller trusts')
  else steps.unknown('identity', 'self-asserted: the key comes with the document', remark)
}
