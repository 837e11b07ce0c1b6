// JWS headers, each correctly signed with the right key. Their content decides, by the rules of RFC 7515.
import { createPrivateKey, sign } from 'node:crypto'
import { expect, it, test } from 'vitest'
import { verify } from '../../bindings/a2a/index.ts'
import { canonicalize } from '../../bindings/index.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { CURRENT } from '../a2a/samples.ts'

const KEY = await generateKey('Ed25519')
const PEM = createPrivateKey(await exportKey(KEY, 'pem'))
const PAYLOAD = Buffer.from(canonicalize(JSON.stringify(CURRENT))).toString('base64url')
const encode = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64url')

/** Signs as in RFC 7515 section 5.1, whatever the header contains. */
function signed(header: string | Uint8Array, unprotected?: unknown) {
  const encoded = encode(header)
  const signature = sign(null, Buffer.from(`${encoded}.${PAYLOAD}`), PEM).toString('base64url')
  return { protected: encoded, signature, ...(unprotected !== undefined && { header: unprotected }) }
}

const GOOD = '{"alg":"EdDSA","kid":"k"}'
const verdictOf = async (signature: unknown) => {
  const card = JSON.stringify({ ...CURRENT, signatures: [signature] })
  return (await verify(card, { expect: { keys: [KEY.publicKey] } })).verdict
}

it.each<[header: string, signature: object, verdict: 'verified' | 'failed' | 'unverifiable']>([
  ['as it should be', signed(GOOD), 'verified'],
  ['with typ', signed('{"alg":"EdDSA","kid":"k","typ":"JOSE"}'), 'verified'],
  ['in another order, with spaces', signed(' { "kid" : "k" , "alg" : "EdDSA" } '), 'verified'],
  ['with escapes', signed('{"\\u0061lg":"Ed\\u0044SA","kid":"k"}'), 'verified'],
  ['under the name of RFC 9864', signed('{"alg":"Ed25519","kid":"k"}'), 'verified'],
  // RFC 7515 section 4: unknown members are ignored.
  ['with an unknown member', signed('{"alg":"EdDSA","kid":"k","exp":1}'), 'verified'],
  ['with __proto__', signed('{"alg":"EdDSA","kid":"k","__proto__":{"crit":[]}}'), 'verified'],
  ['b64 that is true', signed('{"alg":"EdDSA","kid":"k","b64":true}'), 'verified'],
  ['with an additional unprotected header', signed(GOOD, { note: 'x' }), 'verified'],
  ['none', signed('{"alg":"none","kid":"k"}'), 'failed'],
  ['None', signed('{"alg":"None","kid":"k"}'), 'failed'],
  ['HMAC', signed('{"alg":"HS256","kid":"k"}'), 'failed'],
  ['in lower case', signed('{"alg":"eddsa","kid":"k"}'), 'unverifiable'],
  ['of another curve', signed('{"alg":"Ed448","kid":"k"}'), 'failed'],
  ['of another kind', signed('{"alg":"ES256","kid":"k"}'), 'failed'],
  ['of an algorithm with a member as name', signed('{"alg":"constructor","kid":"k"}'), 'unverifiable'],
  ['alg twice', signed('{"alg":"EdDSA","alg":"EdDSA","kid":"k"}'), 'failed'],
  ['alg twice, escaped', signed('{"alg":"EdDSA","\\u0061lg":"none","kid":"k"}'), 'failed'],
  ['without alg', signed('{"kid":"k"}'), 'failed'],
  ['alg that is an array', signed('{"alg":["EdDSA"],"kid":"k"}'), 'failed'],
  ['without kid', signed('{"alg":"EdDSA"}'), 'failed'],
  ['kid that is empty', signed('{"alg":"EdDSA","kid":""}'), 'failed'],
  ['kid that is a number', signed('{"alg":"EdDSA","kid":1}'), 'failed'],
  ['crit that is empty', signed('{"alg":"EdDSA","kid":"k","crit":[]}'), 'failed'],
  ['crit that names a known member', signed('{"alg":"EdDSA","kid":"k","crit":["kid"]}'), 'failed'],
  ['crit and b64', signed('{"alg":"EdDSA","kid":"k","crit":["b64"],"b64":false}'), 'failed'],
  ['b64 that is false', signed('{"alg":"EdDSA","kid":"k","b64":false}'), 'failed'],
  ['crit in the unprotected header', signed(GOOD, { crit: ['x'] }), 'failed'],
  ['alg in both headers', signed(GOOD, { alg: 'none' }), 'failed'],
  ['alg only in the unprotected header', signed('{"kid":"k"}', { alg: 'EdDSA' }), 'failed'],
  ['an array', signed('[]'), 'failed'],
  ['with trailing data', signed(`${GOOD}{}`), 'failed'],
  ['with a byte order mark', signed(`\ufeff${GOOD}`), 'failed'],
  ['that is not UTF-8', signed(Buffer.from('{"alg":"EdDSA","kid":"\xff"}', 'latin1')), 'failed'],
  ['of 20,000 bytes', signed(`{"alg":"EdDSA","kid":"k","x":"${'x'.repeat(20_000)}"}`), 'failed'],
  ['nine levels deep', signed(`{"alg":"EdDSA","kid":"k","x":${'['.repeat(9)}${']'.repeat(9)}}`), 'failed'],
  ['empty', signed(''), 'failed'],
])('a header %s', async (_, signature, verdict) => {
  expect(await verdictOf(signature)).toBe(verdict)
})

test('another spelling in base64url is another text, and invalid', async () => {
  const good = signed(GOOD)
  for (const change of [(text: string) => `${text}=`, (text: string) => `${text}\n`, (text: string) => `+${text}`]) {
    expect(await verdictOf({ ...good, protected: change(good.protected) })).toBe('failed')
    expect(await verdictOf({ ...good, signature: change(good.signature) })).toBe('failed')
  }
  // The last character of 64 bytes has four unused bits. Only zeroes are canonical (RFC 4648 section 3.5).
  const last = good.signature.at(-1)!
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = alphabet[alphabet.indexOf(last) + 1]!
  expect(await verdictOf({ ...good, signature: good.signature.slice(0, -1) + other })).toBe('failed')
})
