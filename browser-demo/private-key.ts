import { isObject } from '../bindings/text/members.ts'
import * as engine from './engine.ts'

const PEM = /-----BEGIN (?:\w+ )*PRIVATE KEY-----/
/** Members of private keys (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1, RFC 8037 section 2). */
const PRIVATE_MEMBERS = ['d', 'k']

/** True for the text of a file with a private key: PEM, a JSON Web Key, or a set or list of these. */
export function isPrivateKey(text: string): boolean {
  if (PEM.test(text)) return true
  return /"kty"/.test(text) && holdsKey(engine.examine(text).document?.value)
}

function holdsKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isKey)
  return isKey(value) || (isObject(value) && Array.isArray(value['keys']) && value['keys'].some(isKey))
}

function isKey(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, 'kty') && PRIVATE_MEMBERS.some((name) => Object.hasOwn(value, name))
}
