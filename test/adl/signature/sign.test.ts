import { describe, expect, it, test } from 'vitest'
import type { SignOptions } from '../../../bindings/adl/signing.ts'
import { sign, validate } from '../../../bindings/adl/verbs.ts'
import { parse } from '../../../bindings/document/parse.ts'
import { exportKey, generateKey, importKey } from '../../../bindings/keys/index.ts'
import { sign as signAny } from '../../../bindings/sign.ts'
import { processorTime } from '../../support/effort.ts'
import { CLEAN, NOW } from '../support.ts'
import { check, DID, KEY, keyMember, OTHER_KEY, signed } from './support.ts'

const FORCE = { force: true }
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const told = ({ diagnostics }: { diagnostics: readonly { code: string; source: { pointer: string } }[] }) =>
  diagnostics.map(({ code, source }) => `${code} ${source.pointer}`)

describe('the document stays the same, byte for byte', () => {
  const signature = /,?\s*"signature": ?\{[^}]*\}/
  it.each([
    [
      'pretty',
      '{\n  "b": 1.50,\n  "security": {\n    "attestation": {\n      "type": "self"\n    }\n  },\n  "a": "\\u0041"\n}\n',
    ],
    ['tabs', '{\n\t"security": {\n\t\t"attestation": {\n\t\t\t"type": "self"\n\t\t}\n\t}\n}'],
    ['compact', '{"b":1.50,"security":{"attestation":{"type":"self"}},"a":"\\u0041"}'],
    ['mixed', '{\n "security": { "attestation": { "type": "self" } } }'],
  ])('%s', async (_name, source) => {
    const result = text((await sign(source, KEY, FORCE)).bytes)
    expect(result.replace(signature, '')).toBe(source)
    const member = JSON.parse(result).security.attestation.signature
    expect(Object.keys(member)).toEqual(['algorithm', 'value', 'signed_content'])
    // Signing again replaces the signature where it stands.
    expect(text((await sign(result, KEY, FORCE)).bytes)).toBe(result)
  })

  test('new members follow the indentation', async () => {
    const result = text((await sign('{\n  "name": "x"\n}\n', KEY, FORCE)).bytes)
    expect(result).toBe(`${JSON.stringify(JSON.parse(result), null, 2)}\n`)
    expect(JSON.parse(result)).toMatchObject({ name: 'x', security: { attestation: { signature: {} } } })
    const compact = text((await sign('{"name":"x"}', KEY, FORCE)).bytes)
    expect(compact).toBe(JSON.stringify(JSON.parse(compact)))
  })

  test('members with any name stay members', async () => {
    const result = text((await sign('{"__proto__": {"a": 1}, "constructor": 2}', KEY, FORCE)).bytes)
    expect(result).toContain('{"__proto__": {"a": 1}, "constructor": 2,')
    expect((await check(result, { expect: { keys: [KEY] } })).verdict).toBe('verified')
  })
})

test('[adl/10.3-10] the result is valid, and contains the document that was read', async () => {
  const source = await signed({}, KEY, { mode: 'digest', digestAlgorithm: 'SHA-512' })
  expect(validate(source, { now: NOW }).diagnostics).toEqual([])
  const { document, bytes } = await sign(source, KEY)
  expect(document!.bytes).toBe(bytes)
  expect(document!.value).toEqual(JSON.parse(text(bytes)))
  const given = parse(source, { file: 'scout.adl.json' }).document!
  expect((await sign(given, KEY)).document!.file).toBe('scout.adl.json')
})

describe('refusals', () => {
  it.each([
    ['[adl/18.8-4] integers that programs read differently', { x_acme_n: [9007199254740992] }, ['KEY-131 /x_acme_n/0']],
    ['security that is no object', { security: [] }, ['KEY-130 /security']],
    ['an attestation that is no object', { security: { attestation: 'self' } }, ['KEY-130 /security/attestation']],
    ['an identity that is no object', { cryptographic_identity: 1 }, ['KEY-130 /cryptographic_identity']],
  ])('%s', async (_name, members, findings) => {
    const result = await sign(JSON.stringify({ ...CLEAN, ...members }), KEY, { embedKey: true })
    expect([result.document, result.bytes]).toEqual([undefined, undefined])
    expect(told(result)).toEqual(findings)
  })

  it('documents that cannot be read', async () => {
    for (const source of ['', '[]', '{"a":1,"a":1}', '\ufeff\ufeff{}']) {
      const { document, diagnostics } = await sign(source, KEY)
      expect([document, diagnostics.at(-1)!.severity]).toEqual([undefined, 'error'])
    }
  })

  it('warns of a byte order mark, and leaves it out of the signed document', async () => {
    const plain = await sign('{"adl_spec": "0.1.0"}', KEY, FORCE)
    const marked = await sign('\ufeff{"adl_spec": "0.1.0"}', KEY, FORCE)
    expect(text(marked.bytes)).toBe(text(plain.bytes))
    expect(marked.diagnostics.map(({ severity }) => severity)).toEqual([
      'warning',
      ...plain.diagnostics.map(({ severity }) => severity),
    ])
  })

  it('keys that the document does not name', async () => {
    const document = (public_key: unknown) => JSON.stringify({ ...CLEAN, cryptographic_identity: { public_key } })
    for (const other of [
      await keyMember(OTHER_KEY),
      await keyMember(KEY, 'EdDSA'),
      { algorithm: 'Ed25519', value: 'x' },
      {},
      null,
    ]) {
      expect(told(await sign(document(other), KEY))).toEqual(['KEY-132 /cryptographic_identity/public_key'])
    }
    expect(told(await sign(document(await keyMember(KEY)), KEY))).toEqual([])
  })

  it('wrong arguments throw', async () => {
    const source = JSON.stringify(CLEAN)
    await expect(sign(1 as never, KEY)).rejects.toThrow(TypeError)
    await expect(sign(source, KEY.publicKey)).rejects.toMatchObject({ code: 'KEY-105' })
    await expect(sign(source, KEY, { algorithm: 'ES256' })).rejects.toMatchObject({ code: 'KEY-103' })
    for (const options of [{ mode: 'x' }, { digestAlgorithm: 'SHA-1' }]) {
      await expect(sign(source, KEY, options as SignOptions)).rejects.toThrow(RangeError)
    }
  })
})

test('a document full of warned numbers takes no longer than necessary', async () => {
  for (const number of ['0.1', '9007199254740993']) {
    const source = `${JSON.stringify({ ...CLEAN, cryptographic_identity: { did: DID } }).slice(0, -1)},"x_a":[${`${number},`.repeat(50_000)}1]}`
    const start = processorTime()
    expect((await sign(source, KEY)).diagnostics.length).toBe(100)
    expect(processorTime() - start).toBeLessThan(5_000)
  }
})

test('YAML is signed as JSON', async () => {
  const { document, bytes } = await sign('name: Scout\nx_a: [1, -0.0, 1.50e3]\n__proto__: {a: 1}\n', KEY, FORCE)
  const value = JSON.parse(text(bytes))
  expect(value).toMatchObject({ name: 'Scout', x_a: [1, expect.any(Number), 1500] })
  expect(Object.hasOwn(value, '__proto__')).toBe(true)
  expect(text(bytes)).toContain('"x_a": [1, -0.0, 1.50e3]')
  expect((await check(document!.bytes, { expect: { keys: [KEY] } })).verdict).toBe('verified')
})

describe('warnings', () => {
  it('[adl/18.8-4] fractions', async () => {
    const source = JSON.stringify({ ...CLEAN, model: { temperature: 0.7 }, cryptographic_identity: { did: DID } })
    const result = await sign(source, KEY)
    expect(told(result)).toEqual(['BADL-117 /model/temperature'])
    expect(result.document).toBeDefined()
  })

  it('for a key that nobody can find, unless it is written into the document', async () => {
    const source = JSON.stringify(CLEAN)
    expect(told(await sign(source, KEY))).toEqual(['KEY-133 /cryptographic_identity'])
    const { bytes, diagnostics } = await sign(source, KEY, { embedKey: true })
    expect(diagnostics).toEqual([])
    expect(JSON.parse(text(bytes)).cryptographic_identity.public_key).toEqual(await keyMember(KEY))
    expect((await check(bytes!)).verdict).toBe('verified')
    // The DID that publishes the key is made from the key in the document.
    const named = JSON.stringify({ ...CLEAN, cryptographic_identity: { did: DID } })
    const both = await sign(named, KEY, { embedKey: true })
    expect(both.document?.value).toMatchObject({
      cryptographic_identity: { did: DID, public_key: await keyMember(KEY) },
    })
    // An existing key stays.
    const other = JSON.stringify({ ...CLEAN, cryptographic_identity: { public_key: await keyMember(OTHER_KEY) } })
    expect(told(await sign(other, KEY, { embedKey: true }))).toEqual(['KEY-132 /cryptographic_identity/public_key'])
  })
})

test('RSA signs with PSS by default', async () => {
  const key = await importKey(await exportKey(await generateKey('PS256', { modulusLength: 2048 }), 'pkcs8'))
  const source = JSON.stringify({ ...CLEAN, cryptographic_identity: { did: DID } })
  const algorithm = async (options: SignOptions) =>
    JSON.parse(text((await sign(source, key, options)).bytes)).security.attestation.signature.algorithm
  expect([await algorithm({}), await algorithm({ algorithm: 'RS256' })]).toEqual(['PS256', 'RS256'])
  const public_key = await keyMember(key, 'RS256')
  const declared = await sign(JSON.stringify({ ...CLEAN, cryptographic_identity: { public_key } }), key)
  expect((await check(declared.bytes!)).verdict).toBe('verified')
})

describe('invalid documents', () => {
  const invalid = JSON.stringify({
    ...CLEAN,
    cryptographic_identity: { did: DID },
    permissions: { network: { ports: 1 } },
    data_classification: { sensitivity: 'x' },
  })

  it('are refused with the errors of validate, at their places', async () => {
    const errors = validate(invalid).diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.length).toBeGreaterThan(0)
    for (const refused of [await sign(invalid, KEY), await signAny(invalid, KEY)]) {
      expect([refused.document, refused.bytes]).toEqual([undefined, undefined])
      expect(refused.diagnostics).toEqual(errors)
    }
    expect(await sign(invalid, KEY, { force: false })).toMatchObject({ bytes: undefined })
  })

  it('are signed by force, with their errors as warnings', async () => {
    const { bytes, diagnostics } = await sign(invalid, KEY, FORCE)
    expect(diagnostics.map(({ code }) => code)).toEqual((await sign(invalid, KEY)).diagnostics.map(({ code }) => code))
    expect(new Set(diagnostics.map(({ severity }) => severity))).toEqual(new Set(['warning']))
    expect((await check(bytes!, { expect: { keys: [KEY] } })).verdict).toBe('verified')
  })

  it('of no kind are no definition', async () => {
    expect((await signAny('{"title": "Scout"}', KEY)).bytes).toBeUndefined()
  })
})
