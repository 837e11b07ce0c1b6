import { decodeBase64, encodeBase64 } from './base64.ts'
import { KeyError } from './error.ts'

// RFC 7468, strictly: one block and nothing else.
const BLOCK = /^-----BEGIN ([A-Z ]{1,40})-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END ([A-Z ]{1,40})-----\s*$/

export type PemLabel = 'PUBLIC KEY' | 'PRIVATE KEY'

export function readPem(text: string): { label: PemLabel; bytes: Uint8Array<ArrayBuffer> } {
  const [, label, body, end] = BLOCK.exec(text.trimStart()) ?? []
  if (label === undefined || label !== end) throw new KeyError('KEY-102', 'expected one PEM block, found another text')
  if (label !== 'PUBLIC KEY' && label !== 'PRIVATE KEY') {
    const hint = label.includes('ENCRYPTED') ? 'decrypt it first' : '`openssl pkey` writes what is expected'
    throw new KeyError('KEY-102', `expected PEM of a PUBLIC KEY or PRIVATE KEY, found ${label}: ${hint}`)
  }
  return { label, bytes: decodeBase64(body!.replace(/\r?\n/g, '')) }
}

export function writePem(label: PemLabel, bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g)!
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
