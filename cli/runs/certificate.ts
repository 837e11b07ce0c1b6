// Certificates of agents (AIP-1) for `validate`, `explain` and `verify`.

import { KeyError } from '../../bindings/keys/base64.ts'
import { type Certificate, certificateFingerprint, readCertificate } from '../../bindings/keys/certificate.ts'
import { pemOrDer } from '../../bindings/keys/read.ts'
import { type AgentCertificate, readAgentCertificate } from '../../bindings/runs/identity/certificates.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { type Result, type Tools, UsageError } from '../command.ts'

export async function readCertificateFile(option: string, name: string, { reader }: Tools): Promise<Certificate> {
  try {
    return readCertificate(pemOrDer((await reader.bytes(name)).bytes))
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const hint = 'openssl x509 -in FILE -noout -text shows a certificate'
    throw new UsageError('unusable-certificate', `--${option}: ${name}: ${error.message} (${error.code})`, hint)
  }
}

/** Checks a certificate by the profile of AIP-1; returns it as well, unless it cannot be read. */
export async function checkCertificate(
  bytes: Uint8Array,
  file: string,
): Promise<{ readonly result: Result; readonly agent: AgentCertificate | undefined }> {
  const { agent, diagnostics } = await readAgentCertificate(pemOrDer(bytes), { file })
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  return { result: { file, kind: 'certificate', valid, diagnostics }, agent }
}

/** A certificate in words, a line each. */
export function describeCertificate({ certificate, ...extensions }: AgentCertificate): readonly string[] {
  const { subject, issuer, notBefore, notAfter, isAuthority, keyUsage = [], serial } = certificate
  const rows = {
    subject: nameIn(subject),
    issuer: nameIn(issuer),
    serial,
    valid: `${notBefore.toISOString()} to ${notAfter.toISOString()}`,
    authority: isAuthority ? 'yes' : 'no',
    'key usage': keyUsage.join(', '),
    fingerprint: certificateFingerprint(certificate.bytes),
    ...extensions,
  }
  return Object.entries(rows).map(([name, value]) => `${name.padEnd(12)}  ${visible(String(value))}`)
}

const nameIn = ({ commonName, organization, unit }: Certificate['subject']): string =>
  [commonName, organization, unit].filter((part) => part !== undefined).join(', ')
