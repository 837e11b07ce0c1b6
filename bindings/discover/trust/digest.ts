// The digest of a descriptor, as a record has it.
import { encodeBase64url, readBase64url } from '../../keys/base64.ts'
import { fromHex } from '../../text/bytes.ts'

const SHA256_BYTES = 32

/** base64url is what DNS-AID writes; some write hex. */
export function readDigest(text: string): Uint8Array | undefined {
  const bytes = /^[\da-f]{64}$/i.test(text) ? fromHex(text.toLowerCase()) : readBase64url(text)
  return bytes?.length === SHA256_BYTES ? bytes : undefined
}

/** In the one spelling; undefined for what is no digest. */
export function digestText(text: string): string | undefined {
  const bytes = readDigest(text)
  return bytes && encodeBase64url(bytes)
}
