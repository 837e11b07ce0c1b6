// A connection as its host sees it before anything is asked. Node shows that; browsers and Workers do not.
import { CONTEXT_0, DerReader, der, INTEGER, SEQUENCE } from '../keys/der.ts'

/** As OpenSSL calls them. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

export interface Connection {
  readonly address: string
  /** `TLSv1.3`. */
  readonly tls: string
  /** The server's own, and above it each that signed the one before, as DER. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[]
  /** False of a certificate that is signed by itself, on this machine, where that was allowed. */
  readonly isTrusted: boolean
}

/**
 * The SubjectPublicKeyInfo of a certificate (RFC 5280 section 4.1).
 *
 * @throws {KeyError} KEY-102 for what is no certificate in DER.
 */
export function spkiOf(certificate: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = new DerReader(certificate).enter(SEQUENCE).enter(SEQUENCE)
  // The version.
  if (content.follows(CONTEXT_0)) content.read(CONTEXT_0)
  content.read(INTEGER)
  // The algorithm, the issuer, the validity, the subject.
  for (let i = 0; i < 4; i++) content.read(SEQUENCE)
  // DER has one form, and the reader takes no other: these are the bytes that stand there.
  return der(SEQUENCE, content.read(SEQUENCE))
}
