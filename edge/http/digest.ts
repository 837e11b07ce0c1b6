import { encodeBase64 } from 'blazon/keys'

/** Bytes in lower-case hexadecimal. */
export function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Content-Digest (RFC 9530 section 2) and a strong ETag for the bytes of an answer. */
export async function digestHeaders(content: Uint8Array): Promise<{ 'content-digest': string; etag: string }> {
  const digest = encodeBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', content)))
  return { 'content-digest': `sha-256=:${digest}:`, etag: `"${digest}"` }
}

/** A strong ETag of bytes. */
export async function etagOf(content: Uint8Array): Promise<string> {
  return (await digestHeaders(content)).etag
}
