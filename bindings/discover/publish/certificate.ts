// The TLSA record for a server's certificate: DANE-EE, SPKI, SHA2-256, as ADP/1.1 section 4.2 recommends.
import { derOfCertificate, spkiOf } from '../../keys/certificate.ts'
import { toHex } from '../../text/bytes.ts'
import { sha256 } from '../../wasm/sha256.ts'

/**
 * Writes the data of the record for a certificate in PEM or DER.
 *
 * @throws {KeyError} KEY-102 for an invalid certificate.
 */
export const tlsaData = (certificate: string | Uint8Array): string =>
  `3 1 1 ${toHex(sha256(spkiOf(derOfCertificate(certificate))))}`
