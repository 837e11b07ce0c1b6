import type { Document } from '../document/document.ts'
import { MOST_FINDINGS, unsafeIntegers } from '../document/integers.ts'
import { member, objectMember, textMember } from '../document/members.ts'
import { reread, withValue } from '../document/rewrite.ts'
import { type Report, ruleDiagnostic } from '../document/rule.ts'
import type { Signed } from '../document/signed.ts'
import type { Diagnostic } from '../document/types.ts'
import { type Algorithm, checkAlgorithm } from '../keys/algorithms.ts'
import { encodeBase64, encodeBase64url } from '../keys/base64.ts'
import { exportKey } from '../keys/export.ts'
import { importKey } from '../keys/import.ts'
import type { Key } from '../keys/key.ts'
import { type PlatformOptions, subtleOf } from '../keys/platform.ts'
import type { KeySource } from '../keys/read.ts'
import { signBytes } from '../keys/sign.ts'
import { Agent } from './agent.ts'
import { openAgent, type Source } from './definition.ts'
import { floatSigned } from './rules/float-signed.ts'
import { keyFindings, placeFindings } from './signature/before.ts'
import { unsafeInteger } from './signature/findings.ts'
import { PUBLIC_KEY } from './signature/keys.ts'
import { DIGESTS, type DigestAlgorithm, payloadOf, SIGNATURE } from './signature/signed.ts'

export type { Signed } from '../document/signed.ts'

export interface SignOptions extends PlatformOptions {
  /** What diagnostics call the document. */
  readonly file?: string
  /** When absent that of the key; of RSA what the document declares, or PS256. */
  readonly algorithm?: Algorithm
  /** What the key signs: the canonical form (when absent), or its digest. */
  readonly mode?: 'canonical' | 'digest'
  /** SHA-256 when absent. */
  readonly digestAlgorithm?: DigestAlgorithm
  /** Writes the public key into a document without one, before it is signed: a DID document is made from it, too. */
  readonly embedKey?: boolean
}

/**
 * Signs an agent definition (ADL section 10.3): the canonical form of everything but the signature itself.
 *
 * @example
 * const { bytes, diagnostics } = await sign(source, privateKey, { embedKey: true })
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<Signed> {
  const { mode = 'canonical', digestAlgorithm = 'SHA-256' } = options
  if (mode !== 'canonical' && mode !== 'digest') {
    throw new RangeError(`mode: expected canonical or digest, got ${String(mode)}`)
  }
  if (!DIGESTS.includes(digestAlgorithm)) {
    throw new RangeError(`digestAlgorithm: expected ${DIGESTS.join(', ')}, got ${String(digestAlgorithm)}`)
  }
  const subtle = subtleOf(options)
  const privateKey = await importKey(key, { subtle })
  const { agent, diagnostics } = openAgent(source, options.file)
  if (agent === undefined) return { document: undefined, bytes: undefined, diagnostics }
  const { document } = agent
  const algorithm = checkAlgorithm(options.algorithm ?? declared(agent, privateKey) ?? privateKey.algorithms.at(-1))
  const embedKey = options.embedKey === true && !namesKey(agent)
  const findings = [
    ...placeFindings(agent),
    ...unsafeIntegers(document, unsafeInteger),
    ...keyFindings(agent, privateKey, algorithm, embedKey),
  ]
  if (findings.some(({ severity }) => severity === 'error')) {
    return { document: undefined, bytes: undefined, diagnostics: findings }
  }
  // What is signed has the parents of the signature, so they are written first; the payload leaves out the signature alone.
  const json = document.format === 'yaml' ? asJson(document) : document
  const identified = embedKey ? withValue(json, PUBLIC_KEY, await publicKey(privateKey, algorithm)) : json
  const prepared = new Agent(withValue(identified, SIGNATURE, {}))
  const payload = payloadOf(prepared)
  const digest = mode === 'digest' ? new Uint8Array(await subtle.digest(digestAlgorithm, payload)) : undefined
  const value = await signBytes({ algorithm, privateKey, message: digest ?? payload, subtle })
  const signed = withValue(prepared.document, SIGNATURE, {
    algorithm,
    value: encodeBase64url(value),
    signed_content: mode,
    ...(digest !== undefined && { digest_algorithm: digestAlgorithm, digest_value: encodeBase64url(digest) }),
  })
  return { document: signed, bytes: signed.bytes, diagnostics: [...findings, ...fractionFindings(document, signed)] }
}

/** What the document says its key is for, where that is a choice: of RSA. */
function declared({ identity }: Agent, key: Key): Algorithm | undefined {
  const name = textMember(objectMember(identity, 'public_key'), 'algorithm')?.value
  return key.algorithms.find((algorithm) => algorithm === name)
}

const namesKey = ({ identity }: Agent) => member(identity?.value, 'public_key') !== undefined

async function publicKey(key: Key, algorithm: Algorithm) {
  return { algorithm, value: encodeBase64(await exportKey(key, 'spki')) }
}

/** What was YAML, as people read JSON. Values are the same doubles and texts, so the canonical form is, too. */
function asJson(document: Document): Document {
  return reread(new TextEncoder().encode(JSON.stringify(document.value, null, 2)), document)
}

/** Fractions are written in different ways by programs that do not follow RFC 8785 (ADL section 18.8). */
function fractionFindings(document: Document, signed: Document): Diagnostic[] {
  const findings: Diagnostic[] = []
  const report: Report = (pointer, detail) => {
    if (findings.length === MOST_FINDINGS) return
    findings.push(ruleDiagnostic(document, floatSigned, floatSigned.severity, pointer, detail))
  }
  floatSigned.check(new Agent(signed), report, { now: new Date(0) })
  return findings
}
