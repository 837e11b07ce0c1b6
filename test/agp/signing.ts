// Requests signed as in RFC 9421, with node:crypto, independent of the tested code.
import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import type { OraclePair } from './oracle.ts'

/** Faults that a signed request may have. */
export interface Wrong {
  readonly components?: readonly string[]
  readonly created?: number
  readonly expires?: number
  readonly nonce?: string | null
  readonly keyid?: string
  readonly agent?: string
  /** The body that is signed. Default: the body that is sent. */
  readonly body?: string
  /** The agent that signs. Default: the one that the request names. */
  readonly by?: OraclePair
}

const ALL = ['@method', '@target-uri', 'content-digest', 'signature-agent']

/** RFC 7638 for keys of RFC 8037: the members in order, without white space. */
function thumbprintOf({ publicPem }: OraclePair): string {
  const { x } = createPublicKey(publicPem).export({ format: 'jwk' })
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}

const digestOf = (body: string) => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

/** The headers of a signed request of an agent. */
export function signedHeaders(
  { method, url, body = '' }: { readonly method: string; readonly url: string; readonly body?: string },
  of: OraclePair,
  wrong: Wrong = {},
): Record<string, string> {
  const now = Math.floor(Date.now() / 1000)
  const { components = ALL, created = now, expires = created + 60, keyid = thumbprintOf(of) } = wrong
  const { nonce = randomBytes(16).toString('base64url') } = wrong
  const headers: Record<string, string> = {
    'content-digest': digestOf(wrong.body ?? body),
    'signature-agent': wrong.agent ?? `"https://${of.uri.slice(6)}"`,
  }
  const list = components.map((name) => `"${name}"`).join(' ')
  const unique = nonce === null ? '' : `;nonce="${nonce}"`
  const parameters = `(${list});created=${created};expires=${expires}${unique};keyid="${keyid}"`
  const values: Record<string, string> = { '@method': method, '@target-uri': url, ...headers }
  const base = [...components.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${parameters}`]
  const key = createPrivateKey((wrong.by ?? of).pem)
  const signature = sign(null, Buffer.from(base.join('\n')), key).toString('base64')
  return { ...headers, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature}:` }
}

/** True when a received request has the required signature by this key. */
export function isSigned(
  sent: { method: string; url: string; headers: Readonly<Record<string, unknown>>; body: string },
  publicPem: string,
  agent: string,
): boolean {
  const of = (name: string) => String(sent.headers[name])
  const parameters = of('signature-input').replace(/^sig1=/, '')
  if (of('content-digest') !== digestOf(sent.body) || of('signature-agent') !== `"https://${agent}"`) return false
  const [created, expires] = [/created=(\d+)/, /expires=(\d+)/].map((of) => Number(of.exec(parameters)?.[1]))
  if (!parameters.includes(';tag="web-bot-auth"')) return false
  if (!(expires! > created! && expires! - created! <= 300) || !/nonce="[^"]{16,}"/.test(parameters)) return false
  const values: Record<string, string> = {
    '@method': sent.method,
    '@target-uri': sent.url,
    '@authority': new URL(sent.url).host,
  }
  const names = Array.from(/^\(([^)]*)\)/.exec(parameters)![1]!.matchAll(/"([^"]+)"/g), ([, name]) => name!)
  if (!ALL.every((name) => names.includes(name))) return false
  const base = [...names.map((name) => `"${name}": ${values[name] ?? of(name)}`), `"@signature-params": ${parameters}`]
  const signature = Buffer.from(/^sig1=:(.*):$/.exec(of('signature'))![1]!, 'base64')
  return verify(null, Buffer.from(base.join('\n')), createPublicKey(publicPem), signature)
}
