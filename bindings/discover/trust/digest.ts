// The digest of a descriptor, as a record has it.
import { encodeBase64url, readBase64 } from '../../keys/base64.ts'
import { fromHex } from '../../text/bytes.ts'

const SHA256_BYTES = 32

/** Of 32 bytes in base64, with padding. */
const BASE64_CHARACTERS = 44

/** base64url is what DNS-AID writes; some write hex, or base64 with padding. */
export function readDigest(text: string): Uint8Array | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return fromHex(text.toLowerCase())
  const bytes = readBase64(text.replaceAll('-', '+').replaceAll('_', '/').padEnd(BASE64_CHARACTERS, '='))
  return bytes?.length === SHA256_BYTES ? bytes : undefined
}

/** In the one spelling; undefined for what is no digest. */
export function digestText(text: string): string | undefined {
  const bytes = readDigest(text)
  return bytes && encodeBase64url(bytes)
}
