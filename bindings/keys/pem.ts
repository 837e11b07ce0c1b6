import { decodeBase64, encodeBase64 } from './base64.ts'
import { KeyError } from './error.ts'

// RFC 7468, strictly: a single block and nothing else.
const BLOCK = /^-----BEGIN ([A-Z ]{1,40})-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END ([A-Z ]{1,40})-----\s*$/

export type PemLabel = 'PUBLIC KEY' | 'PRIVATE KEY'

export function readPem(text: string): { label: PemLabel; bytes: Uint8Array<ArrayBuffer> } {
  const [, label, body, end] = BLOCK.exec(text.trimStart()) ?? []
  if (label === undefined || label !== end)
    throw new KeyError('KEY-102', `expected one PEM block, found ${others(text)}`)
  if (label !== 'PUBLIC KEY' && label !== 'PRIVATE KEY')
    throw new KeyError('KEY-102', `expected PEM of a PUBLIC KEY or PRIVATE KEY, found ${label}${wayOut(label)}`)
  return { label, bytes: decodeBase64(body!.replace(/\r?\n/g, '')) }
}

/** Describes a text that is not a single block by the labels of its blocks, without their content. */
function others(text: string): string {
  const labels = Array.from(text.matchAll(/^-----BEGIN ([A-Z ]{1,40})-----\r?$/gm), ([, label]) => label!)
  const key = labels.find((label) => label.endsWith('PRIVATE KEY')) ?? labels[0]
  if (key === undefined) return 'another text'
  const named = labels.slice(0, 3).join(', ')
  return `${labels.length === 1 ? `${named} and more` : `${labels.length} (${named})`}${wayOut(key)}`
}

const COMMANDS: Readonly<Record<string, string>> = {
  CERTIFICATE: 'openssl x509 -pubkey -noout -in FILE',
  'CERTIFICATE REQUEST': 'openssl req -pubkey -noout -in FILE',
  'RSA PUBLIC KEY': 'openssl rsa -RSAPublicKey_in -in FILE -pubout',
  'OPENSSH PRIVATE KEY': 'ssh-keygen -p -m PKCS8 -f COPY',
}

/** A hint with the command that converts such a block; empty when there is no command. */
function wayOut(label: string): string {
  const command = COMMANDS[label] ?? (label.endsWith('PRIVATE KEY') ? 'openssl pkey -in FILE' : undefined)
  return command === undefined ? '' : `: \`${command}\` writes what is expected`
}

export function writePem(label: PemLabel | 'CERTIFICATE', bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g)!
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
