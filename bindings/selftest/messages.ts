import { decodeBase64 } from '../keys/base64.ts'
import { readDictionary, signatureBase, signMessage } from '../keys/http/sign.ts'
import { importKey } from '../keys/platform.ts'
import { verifyBytes } from '../keys/verify.ts'

/** The public test key of RFC 9421 appendix B.1.4. */
const KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
}
const HEADERS = new Map([
  ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
  ['content-type', 'application/json'],
  ['content-length', '18'],
])
/** The parts of the request in appendix B.2 that B.2.6 covers. */
const REQUEST = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: { get: (name: string) => HEADERS.get(name) ?? null },
}
const COMPONENTS = ['date', '@method', '@path', '@authority', 'content-type', 'content-length']
const KEYID = 'test-key-ed25519'
const CREATED = 1618884473
const INPUT = `sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=${CREATED};keyid="${KEYID}"`
const SIGNATURE = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
const BASE = `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ${INPUT.slice('sig-b26='.length)}`

/** Checks the base, its signature, and that signing again gives the same signature: Ed25519 is deterministic. */
export async function messages(): Promise<(readonly [id: string, expected: string, got: string])[]> {
  const key = await importKey(KEY)
  const options = { components: COMPONENTS, keyid: KEYID, created: new Date(CREATED * 1000), label: 'sig-b26' }
  const made = await signMessage(REQUEST, key, options)
  return [
    ['message/base', BASE, new TextDecoder().decode(baseOf(INPUT))],
    ['message/verified', 'true', String(await holds(BASE))],
    ['message/changed', 'false', String(await holds(BASE.replace('/foo', '/bar')))],
    ['message/input', INPUT, made['signature-input']],
    ['message/signature', `sig-b26=:${SIGNATURE}:`, made.signature],
  ]
}

function baseOf(input: string): Uint8Array {
  const covered = readDictionary(input)?.get('sig-b26')
  const made = covered !== undefined && 'items' in covered ? signatureBase(REQUEST, covered) : { fault: 'no input' }
  return 'base' in made ? made.base : new TextEncoder().encode(made.fault)
}

const holds = async (base: string) =>
  verifyBytes({
    algorithm: 'Ed25519',
    publicKey: await importKey({ kty: KEY.kty, crv: KEY.crv, x: KEY.x }),
    message: new TextEncoder().encode(base),
    signature: decodeBase64(SIGNATURE),
  })
