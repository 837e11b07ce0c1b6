// A2A cards on the command line.
import { expect, test } from 'vitest'
import { exportKey, fingerprint, generateKey } from '../../bindings/keys/index.ts'
import { CURRENT } from '../a2a/samples.ts'
import { blazon } from './terminal.ts'

const key = await generateKey('ES256')
const files = {
  'card.json': JSON.stringify(CURRENT),
  'bad.json': JSON.stringify({ ...CURRENT, skills: [] }),
  'agent.adl.json': '{"adl_spec": "0.1.0"}',
  'key.pem': await exportKey(key, 'pem'),
  'pub.pem': await exportKey(key.publicKey, 'pem'),
  'other.pem': await exportKey((await generateKey('ES256')).publicKey, 'pem'),
}

test('validate, sign and verify', async () => {
  expect((await blazon(['validate', 'card.json'], { files })).code).toBe(0)
  expect((await blazon(['validate', 'bad.json'], { files })).stderr).toContain('CARD-183')
  const signed = await blazon(['sign', 'card.json', '--key', 'key.pem', '--kid', 'key-1'], { files })
  expect(signed.code).toBe(0)
  const [{ protected: header }] = JSON.parse(signed.stdout).signatures
  expect(JSON.parse(atob(header))).toEqual({ alg: 'ES256', kid: 'key-1', typ: 'JOSE' })
  const more = { ...files, 'signed.json': signed.stdout }
  const verified = await blazon(['verify', 'signed.json', '--key', 'pub.pem'], { files: more })
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('signed.json: verified')])
  expect(verified.stdout).toContain('section 8.4.1')
  expect((await blazon(['verify', 'signed.json', '--key', 'other.pem'], { files: more })).code).toBe(4)
  expect((await blazon(['verify', 'signed.json'], { files: more })).stdout).toContain('signed.json: unverifiable')
})

test('sign refuses an invalid card', async () => {
  const { code, stdout, stderr } = await blazon(['sign', 'bad.json', '--key', 'key.pem'], { files })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('CARD-183')
})

test('--kid is for A2A cards', async () => {
  const { code, stderr } = await blazon(['sign', 'agent.adl.json', '--key', 'key.pem', '--kid', 'x'], { files })
  expect(code).toBe(2)
  expect(stderr).toContain('--kid is for A2A cards')
})

test('--key takes a JWK Set and skips unknown keys in it', async () => {
  const jwk = await exportKey(key.publicKey, 'jwk')
  const other = await exportKey((await generateKey('Ed25519')).publicKey, 'jwk')
  const strange = { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA' }
  const signed = (await blazon(['sign', 'card.json', '--key', 'key.pem', '--kid', 'key-1'], { files })).stdout
  const verify = (keys: unknown) =>
    blazon(['verify', 'signed.json', '--key', 'jwks.json'], {
      files: { 'signed.json': signed, 'jwks.json': JSON.stringify({ keys }) },
    })
  expect((await verify([strange, other, jwk])).code).toBe(0)
  expect((await verify([other])).code).toBe(4)
  for (const none of [[strange], []]) {
    const { code, stderr } = await verify(none)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`none of the ${none.length} keys in jwks.json`)])
  }
})

test('signing without --kid notes that the card names no key; verifying shows the kid', async () => {
  const print = await fingerprint(key)
  const signed = await blazon(['sign', 'card.json', '--key', 'key.pem'], { files })
  expect([signed.code, signed.stderr]).toEqual([0, expect.stringContaining('warning CARD-189')])
  expect(signed.stderr).toContain(`the kid '${print}'`)
  expect(signed.stderr).toContain('blazon verify FILE --key KEY')
  const { code, stderr } = await blazon(['verify', 's.json'], { files: { 's.json': signed.stdout } })
  expect([code, stderr]).toEqual([4, expect.stringContaining(`the kid '${print}'`)])
  expect(stderr).toContain('blazon verify FILE --key KEY')
  const named = await blazon(['sign', 'card.json', '--key', 'key.pem', '--kid', 'key-1'], { files })
  expect(named.stderr).not.toContain('the kid')
})
