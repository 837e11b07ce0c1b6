import { parse } from '../bindings/document/parse.ts'
import { readMaterial } from '../bindings/keys/read.ts'
import { isObject } from '../bindings/text/members.ts'

const PEM = /-----BEGIN (?:\w+ )*PRIVATE KEY-----/
/** DER in base64: a key of 16,384 bits has 12,000 characters. */
const BASE64 = /^\s*[\w+/-]{40,20000}={0,2}\s*$/
/** Members of private keys (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1, RFC 8037 section 2). */
const PRIVATE_MEMBERS = ['d', 'k']

/** True for the text of a private key: PEM, base64, a JSON Web Key, or a set or list of these. */
export function isPrivateKey(text: string): boolean {
  if (PEM.test(text)) return true
  if (BASE64.test(text)) return isPrivateBase64(text.trim())
  // An escape may stand in the name of the member.
  return /"kty"|\\u/.test(text) && holdsKey(parse(text).document?.value)
}

function isPrivateBase64(text: string): boolean {
  try {
    return readMaterial(text, {}).members['d'] !== undefined
  } catch {
    return false
  }
}

function holdsKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isKey)
  return isKey(value) || (isObject(value) && Array.isArray(value['keys']) && value['keys'].some(isKey))
}

function isKey(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, 'kty') && PRIVATE_MEMBERS.some((name) => Object.hasOwn(value, name))
}
