// Signing HTTP messages with Ed25519 (RFC 9421 section 3.1).
import { checkedTime } from '../../text/moment.ts'
import { checkAlgorithm } from '../algorithms.ts'
import { fingerprint } from '../fingerprint.ts'
import { importKey } from '../import.ts'
import { checkFit } from '../key.ts'
import type { PlatformOptions } from '../platform.ts'
import type { KeySource } from '../read.ts'
import { signBytes } from '../sign.ts'
import { type Component, type HttpMessage, signatureBase } from './components.ts'
import { type Bare, type InnerList, type Item, writeItem, writeMember } from './structured.ts'

export interface SignMessageOptions extends PlatformOptions {
  /** The components to cover: lower-case header names, and `@method`, `@target-uri`, `@authority` and so on. */
  readonly components: readonly Component[]
  /** The key's name in a key set; default: its JWK thumbprint (RFC 7638). */
  readonly keyid?: string
  readonly created?: Date
  readonly expires?: Date
  /** A text that differs for every signature of the key. */
  readonly nonce?: string
  /** The purpose of the signature. */
  readonly tag?: string
  /** The signature's label within the message; default: `sig1`. */
  readonly label?: string
}

/** The two headers. When a message has more than one signature, their values are joined by commas. */
export interface MessageSignature {
  readonly 'signature-input': string
  readonly signature: string
}

/**
 * Signs a request or a response.
 *
 * @example
 * const headers = await signMessage(request, key, { components: ['@method', '@target-uri'], created: new Date() })
 *
 * @throws {KeyError} unless the key is a private Ed25519 key, {RangeError} for a component that the message lacks.
 */
export async function signMessage(
  message: HttpMessage,
  key: KeySource,
  options: SignMessageOptions,
): Promise<MessageSignature> {
  const { components, label = 'sig1', subtle } = options
  const privateKey = await importKey(key)
  checkFit(privateKey, checkAlgorithm('Ed25519'))
  const keyid = options.keyid ?? (await fingerprint(privateKey, { ...(subtle !== undefined && { subtle }) }))
  const covered: InnerList = { items: components.map(itemOf), parameters: parametersOf({ ...options, keyid }) }
  const made = signatureBase(message, covered)
  if ('fault' in made) throw new RangeError(`components: ${made.fault}`)
  if (!/^[a-z*][a-z0-9_.*-]*$/.test(label)) throw new RangeError(`label: expected a name such as sig1, got ${label}`)
  const value = await signBytes({
    algorithm: 'Ed25519',
    privateKey,
    message: made.base,
    ...(subtle !== undefined && { subtle }),
  })
  const signature = writeItem({ value: new Uint8Array(value), parameters: new Map() })
  return { 'signature-input': `${label}=${writeMember(covered)}`, signature: `${label}=${signature}` }
}

function itemOf(component: Component): Item {
  const [name = '', flag] = component.split(';')
  return { value: name, parameters: new Map(flag === undefined ? [] : [[flag, true]]) }
}

function parametersOf({ created, expires, nonce, keyid, tag }: SignMessageOptions): ReadonlyMap<string, Bare> {
  const given: readonly (readonly [string, Bare | undefined])[] = [
    ['created', secondsOf('created', created)],
    ['expires', secondsOf('expires', expires)],
    ['keyid', textOf('keyid', keyid)],
    ['nonce', textOf('nonce', nonce)],
    ['tag', textOf('tag', tag)],
  ]
  return new Map(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}

const secondsOf = (name: string, date: Date | undefined) =>
  date === undefined ? undefined : Math.floor(checkedTime(name, date).getTime() / 1000)

function textOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined || /^[\x20-\x7e]*$/.test(text)) return text
  throw new RangeError(`${name}: expected printable ASCII`)
}
