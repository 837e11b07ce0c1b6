// The digest of a descriptor, in the forms that records use.
import { encodeBase64url, readBase64 } from '../../keys/base64.ts'
import { fromHex } from '../../text/bytes.ts'

const SHA256_BYTES = 32

/** 32 bytes in base64, with padding. */
const BASE64_CHARACTERS = 44

/** DNS-AID writes base64url; some publishers write hex, or base64 with padding. */
export function readDigest(text: string): Uint8Array | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return fromHex(text.toLowerCase())
  const bytes = readBase64(text.replaceAll('-', '+').replaceAll('_', '/').padEnd(BASE64_CHARACTERS, '='))
  return bytes?.length === SHA256_BYTES ? bytes : undefined
}

/** In the normal form; undefined for an invalid digest. */
export function digestText(text: string): string | undefined {
  const bytes = readDigest(text)
  return bytes && encodeBase64url(bytes)
}
