import { insertValues, type Values } from '../document/insert.ts'
import { inJson, withValues } from '../document/rewrite.ts'
import type { Diagnostic } from '../document/types.ts'
import { parseAs } from '../frame/as.ts'
import { MOST_FINDINGS, unsafeIntegers } from '../frame/integers.ts'
import { ruleDiagnostic } from '../frame/rule.ts'
import { signParsed } from '../frame/sign.ts'
import type { SignResult } from '../frame/signed.ts'
import { type SignOptions as FrameOptions, type Signing, type SignTask, unsigned } from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { type Algorithm, checkAlgorithm } from '../keys/algorithms.ts'
import { encodeBase64url } from '../keys/base64.ts'
import type { Key } from '../keys/key.ts'
import type { KeySource } from '../keys/read.ts'
import { signBytes } from '../keys/sign.ts'
import { member, objectMember, textMember } from '../text/members.ts'
import { SIGNATURE_INTEGER } from './findings.ts'
import { floatSigned, reportFractions } from './rules/identifiers.ts'
import { keyFindings, placeFindings } from './signature/checks.ts'
import { PUBLIC_KEY, publicKeyMember } from './signature/keys.ts'
import { DIGESTS, type DigestAlgorithm, payloadOf, SIGNATURE } from './signature/signed.ts'
import { ADL_READING, type Agent } from './subject.ts'

export type { SignResult } from '../frame/signed.ts'

export interface SignOptions extends FrameOptions {
  /** Defaults to the algorithm of the key; for RSA, to the one that the document declares, or PS256. */
  readonly algorithm?: Algorithm
  /** What the key signs: the canonical form (default), or its digest. */
  readonly mode?: 'canonical' | 'digest'
  /** Default SHA-256. */
  readonly digestAlgorithm?: DigestAlgorithm
  /**
   * Writes the public key into a document without one before signing it, so that a DID document can be made from it.
   */
  readonly embedKey?: boolean
}

/** The signing of agent definitions. */
export const ADL_SIGNING: Signing<Agent> = {
  ...ADL_READING,
  expectOptions({ mode, digestAlgorithm }: SignOptions) {
    if (mode !== undefined && mode !== 'canonical' && mode !== 'digest') {
      throw new RangeError(`mode: expected canonical or digest, got ${String(mode)}`)
    }
    if (digestAlgorithm !== undefined && !DIGESTS.includes(digestAlgorithm)) {
      throw new RangeError(`digestAlgorithm: expected ${DIGESTS.join(', ')}, got ${String(digestAlgorithm)}`)
    }
  },
  async sign(agent, { key, subtle, options }: SignTask<SignOptions>) {
    const { mode = 'canonical', digestAlgorithm = 'SHA-256' } = options
    const { document } = agent
    const algorithm = checkAlgorithm(options.algorithm ?? declared(agent, key) ?? key.algorithms.at(-1))
    const embedKey = options.embedKey === true && !namesKey(agent)
    const findings = [
      ...placeFindings(agent),
      ...unsafeIntegers(document, SIGNATURE_INTEGER),
      ...keyFindings(agent, key, algorithm, embedKey),
    ]
    if (findings.some(({ severity }) => severity === 'error')) return unsigned(findings)
    const json = inJson(document)
    const named: Values = embedKey ? [[PUBLIC_KEY, await publicKeyMember(key, algorithm)]] : []
    // Adds an empty signature, so that all its parent objects exist; the payload leaves out only the signature itself.
    const payload = payloadOf(insertValues(json, [...named, [SIGNATURE, {}]])!)
    const digest = mode === 'digest' ? new Uint8Array(await subtle.digest(digestAlgorithm, payload)) : undefined
    const value = await signBytes({ algorithm, privateKey: key, message: digest ?? payload, subtle })
    const signature = {
      algorithm,
      value: encodeBase64url(value),
      signed_content: mode,
      ...(digest !== undefined && { digest_algorithm: digestAlgorithm, digest_value: encodeBase64url(digest) }),
    }
    const signed = withValues(json, [...named, [SIGNATURE, signature]])
    return { document: signed, bytes: signed.bytes, diagnostics: [...findings, ...fractionFindings(agent)] }
  },
}

/**
 * Signs an agent definition (ADL section 10.3): the canonical form of everything except the signature itself.
 *
 * @example
 * const { bytes, diagnostics } = await sign(source, privateKey, { embedKey: true })
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for invalid arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signParsed(ADL_SIGNING, parseAs(ADL_READING, source, options), key, options)
}

/** The algorithm that the document declares for its key. Only RSA keys have a choice. */
function declared({ identity }: Agent, key: Key): Algorithm | undefined {
  const name = textMember(objectMember(identity, 'public_key'), 'algorithm')?.value
  return key.algorithms.find((algorithm) => algorithm === name)
}

const namesKey = ({ identity }: Agent) => member(identity?.value, 'public_key') !== undefined

/** Programs that do not follow RFC 8785 write fractions in different ways (ADL section 18.8). */
function fractionFindings({ document, root }: Agent): Diagnostic[] {
  const findings: Diagnostic[] = []
  reportFractions(root.value, '', (pointer, detail) => {
    if (findings.length === MOST_FINDINGS) return
    findings.push(ruleDiagnostic(document, floatSigned, floatSigned.severity, pointer, detail))
  })
  return findings
}
