import { sameBytes } from '../../text/bytes.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { readDictionary, writeItem } from './structured.ts'

/**
 * The Content-Digest header for a body (RFC 9530 section 2).
 *
 * @example
 * contentDigest(new Uint8Array()) // 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'
 */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=${writeItem({ value: new Uint8Array(sha256(body)), parameters: new Map() })}`
}

/** True when the header contains the SHA-256 of the body. Ignores other digests. */
export function isContentDigest(header: string, body: Uint8Array): boolean {
  const member = readDictionary(header)?.get('sha-256')
  return (
    member !== undefined &&
    'value' in member &&
    member.value instanceof Uint8Array &&
    sameBytes(member.value, sha256(body))
  )
}
