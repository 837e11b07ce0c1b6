import { KeyError } from './error.ts'
import { type Key, membersOf } from './key.ts'
import { writePem } from './pem.ts'
import { writePkcs8 } from './pkcs8.ts'
import { writePublic, writeSpki } from './spki.ts'

/**
 * The formats that `exportKey` writes. `pem` and `jwk` write a public or a private key, `pkcs8` needs a private key.
 */
export type ExportFormat = 'raw' | 'spki' | 'pkcs8' | 'pem' | 'jwk'

/**
 * Exports a key. `raw` and `spki` contain only the public half.
 *
 * @example
 * await exportKey(key.publicKey, 'pem') // '-----BEGIN PUBLIC KEY-----\n...'
 *
 * @throws {KeyError} KEY-105 for PKCS #8 of a public key, KEY-103 for a raw RSA key. {RangeError} for an unknown
 * format.
 */
export async function exportKey(key: Key, format: 'jwk'): Promise<JsonWebKey & { kty: string }>
export async function exportKey(key: Key, format: 'pem'): Promise<string>
export async function exportKey(key: Key, format: 'raw' | 'spki' | 'pkcs8'): Promise<Uint8Array<ArrayBuffer>>
export async function exportKey(
  key: Key,
  format: ExportFormat,
): Promise<JsonWebKey | string | Uint8Array<ArrayBuffer>> {
  const members = membersOf(key)
  switch (format) {
    case 'jwk':
      // An RSA key does not determine its algorithm.
      return { ...members, ...(key.kind === 'RSA' && key.algorithms.length === 1 && { alg: key.algorithms[0]! }) }
    case 'pem':
      return key.type === 'public'
        ? writePem('PUBLIC KEY', writeSpki(key.kind, members))
        : writePem('PRIVATE KEY', writePkcs8(key.kind, members))
    case 'spki':
      return writeSpki(key.kind, members)
    case 'pkcs8':
      if (key.type === 'public')
        throw new KeyError('KEY-105', 'expected a private key to write as PKCS #8, found a public one')
      return writePkcs8(key.kind, members)
    case 'raw':
      if (key.kind === 'RSA') throw new KeyError('KEY-103', 'expected a key that has a raw form, found one of RSA')
      return writePublic(members)
    default:
      throw new RangeError(`format: expected raw, spki, pkcs8, pem or jwk, got ${String(format)}`)
  }
}
