// Keys, bytes and signatures by node:crypto, independent of the tested code.
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: tests read and write messages that may be anything
export type Said = any

export interface OraclePair {
  readonly uri: string
  readonly pem: string
  readonly publicPem: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly fingerprint: string
}

export function pairOf(uri: string): OraclePair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return {
    uri,
    privateKey,
    publicKey,
    pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicPem: String(publicKey.export({ type: 'spki', format: 'pem' })),
    fingerprint: `ed25519:${createHash('sha256').update(raw).digest('base64url')}`,
  }
}

/** Section 7.2.5, literally. */
export const line = (m: Said) =>
  Buffer.from(`${m['id']}\n${m['from']}\n${m['to']}\n${m['type']}\n${m['timestamp']}\n${m['body'].content}`)

/** RFC 8785 for strings, integers and objects with ASCII names, which is all that messages contain. */
export function jcs(value: unknown): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = value as Said
  const names = Object.keys(members).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(members[name])}`).join(',')}}`
}

export function strictLine({ signature: _, ...m }: Said): Buffer {
  const { signature: __, ...strict } = m['body'].strict
  return Buffer.from(`blazon/strict/1\n${jcs({ ...m, body: { ...m['body'], strict } })}`)
}

const prefixed = (bytes: Buffer) => `ed25519:${bytes.toString('base64url')}`

/** Returns the message with its signatures. */
export function signed(message: Said, { pem }: OraclePair, n?: number): Said {
  const key = createPrivateKey(pem)
  const body = n === undefined ? message['body'] : { ...message['body'], strict: { n } }
  const first = { ...message, body, signature: prefixed(sign(null, line(message), key)) }
  if (n === undefined) return first
  return { ...first, body: { ...body, strict: { n, signature: prefixed(sign(null, strictLine(first), key)) } } }
}

export const holds = (bytes: Buffer, signature: string, { publicKey }: OraclePair): boolean =>
  verify(null, bytes, publicKey, Buffer.from(signature.replace('ed25519:', ''), 'base64url'))
