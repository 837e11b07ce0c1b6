// A connection as the platform sees it before the request is sent. Node exposes it; browsers and Workers do not.
import { CONTEXT_0, DerReader, der, INTEGER, SEQUENCE } from '../keys/der.ts'

/** TLS versions as OpenSSL names them. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

export interface Connection {
  readonly address: string
  /** `TLSv1.3`. */
  readonly tls: string
  /** The server's certificate, followed by each issuer's certificate in turn, as DER. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[]
  /** False for a self-signed certificate on this machine, where the caller allowed it. */
  readonly isTrusted: boolean
}

/**
 * The SubjectPublicKeyInfo of a certificate (RFC 5280 section 4.1).
 *
 * @throws {KeyError} KEY-102 when the bytes are not a DER certificate.
 */
export function spkiOf(certificate: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = new DerReader(certificate).enter(SEQUENCE).enter(SEQUENCE)
  // The version.
  if (content.follows(CONTEXT_0)) content.read(CONTEXT_0)
  content.read(INTEGER)
  // The algorithm, the issuer, the validity, the subject.
  for (let i = 0; i < 4; i++) content.read(SEQUENCE)
  // DER has only one encoding, and the reader refuses all others, so these are exactly the original bytes.
  return der(SEQUENCE, content.read(SEQUENCE))
}
