// The TLSA record for a server's certificate: DANE-EE, SPKI, SHA2-256, as ADP/1.1 section 4.2 recommends.
import { decodeBase64 } from '../../keys/base64.ts'
import { KeyError } from '../../keys/error.ts'
import { spkiOf } from '../../net/connection.ts'
import { toHex } from '../../text/bytes.ts'
import { sha256 } from '../../wasm/sha256.ts'

/** A chain of certificates has a few kilobytes. */
const LONGEST = 1 << 20
/** The first block, which in the file of a chain is the server's own certificate (RFC 8446 section 4.4.2). */
const BLOCK = /-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END CERTIFICATE-----/

/**
 * Writes the data of the record for a certificate in PEM or DER.
 *
 * @throws {KeyError} KEY-102 for an invalid certificate.
 */
export function tlsaData(certificate: string | Uint8Array): string {
  const der = typeof certificate === 'string' ? fromPem(certificate) : certificate
  return `3 1 1 ${toHex(sha256(spkiOf(der)))}`
}

function fromPem(text: string): Uint8Array {
  const body = text.length > LONGEST ? undefined : BLOCK.exec(text)?.[1]
  // The error quotes none of the text: it may be a private key.
  if (body === undefined) throw new KeyError('KEY-102', 'expected a CERTIFICATE in PEM, found none')
  return decodeBase64(body.replace(/[\r\n]/g, ''))
}
