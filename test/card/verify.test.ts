import { createPrivateKey, sign as signNode } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import type { VerifyOptions } from '../../bindings/card/signing.ts'
import { sign as signCard, validate, verify as verifyCard } from '../../bindings/card/verbs.ts'
import { canonicalize } from '../../bindings/core/json.ts'
import { exportKey, fingerprint, generateKey } from '../../bindings/keys/index.ts'
import { sign } from '../../bindings/sign.ts'
import { verify } from '../../bindings/verify.ts'
import { dataFile, EXAMPLE, FORMS, KEY, KEY_ID, OTHER_KEY, outcomes, signedCard, told } from './support.ts'

const pinned = { expect: { keys: [KEY] } }
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

describe('[card/3.2-1] [card/3.2-2] the signature covers the canonical form of everything except itself', () => {
  test('node:crypto makes the same signature over the canonical form', async () => {
    const card = { ...EXAMPLE, seq: 7, extensions: { 'x.y': { é: 1.0, a: 1e21 } } }
    const { bytes, diagnostics } = await signCard(JSON.stringify(card), KEY)
    expect(diagnostics).toMatchObject([
      { code: 'CARD-158', severity: 'warning', source: { pointer: '/did' } },
      { code: 'CARD-169', severity: 'warning', source: { pointer: '/id' } },
    ])
    const pem = createPrivateKey((await exportKey(KEY, 'pem')) as string)
    const theirs = signNode(null, canonicalize(JSON.stringify(card)), pem).toString('base64url')
    expect(JSON.parse(text(bytes))).toEqual({ ...card, signature: theirs })
    expect((await verifyCard(bytes!, pinned)).verdict).toBe('verified')
  })

  test('signing keeps other members byte for byte, and signing again changes nothing', async () => {
    const source = '{\n  "id": "agent://a",\n  "seq": 1.0e0,\n  "name": "\\u0041", "__proto__": {"x": 1.50}\n}\n'
    const { bytes } = await signCard(source, KEY)
    expect(text(bytes).replace(/,\s*"signature": "[\w-]{86}"/, '')).toBe(source)
    expect(text((await signCard(bytes!, KEY)).bytes)).toBe(text(bytes))
    expect((await verifyCard(bytes!, pinned)).verdict).toBe('verified')
  })

  test('a card verifies with members reordered and respelled, and YAML signs like its JSON', async () => {
    const card = JSON.parse(await signedCard())
    const turned = JSON.stringify(Object.fromEntries(Object.entries(card).reverse()), null, 3)
    expect((await verifyCard(turned, pinned)).verdict).toBe('verified')
    const { bytes } = await signCard('id: agent://a\nname: A\nseq: 1\n', KEY, { file: 'a.yaml' })
    const json = await signCard('{"id":"agent://a","name":"A","seq":1}', KEY)
    expect(JSON.parse(text(bytes))).toEqual(JSON.parse(text(json.bytes)))
  })
})

describe('[card/3.2-3] [card/3.2-4] verification fails after a change', () => {
  it.each([
    ['a member', (card: Record<string, unknown>) => ({ ...card, description: 'other' })],
    ['seq', (card: Record<string, unknown>) => ({ ...card, seq: 2 })],
    ['a new member', (card: Record<string, unknown>) => ({ ...card, x: null })],
    ['a member taken out', ({ version, ...card }: Record<string, unknown>) => card],
    [
      'deep inside',
      (card: Record<string, unknown>) => ({ ...card, tools: [{ ...EXAMPLE.tools[0], streaming: true }] }),
    ],
    ['the did', (card: Record<string, unknown>) => ({ ...card, did: FORMS['did:key'] })],
  ])('of %s', async (_name, change) => {
    const card = JSON.parse(await signedCard())
    expect(told(await verifyCard(JSON.stringify(change(card)), pinned))).toEqual(['failed', 'CARD-150 /signature'])
  })

  test('of any bit of the signature, and of its spelling', async () => {
    const card = JSON.parse(await signedCard())
    const bytes = Buffer.from(card.signature, 'base64url')
    const others = Array.from({ length: 64 }, (_, i) => {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 1 << (i % 8)
      return changed.toString('base64url')
    })
    const spellings: unknown[] = [
      `${card.signature}==`,
      bytes.toString('base64').slice(0, 86),
      ` ${card.signature}`,
      `${card.signature.slice(0, -1)}${card.signature.endsWith('A') ? 'B' : 'A'}`,
      card.signature.slice(0, -2),
      '',
      null,
      7,
      { value: card.signature },
      [card.signature],
    ].filter((spelling) => spelling !== card.signature)
    for (const signature of [...others, ...spellings]) {
      const proof = await verifyCard(JSON.stringify({ ...card, signature }), pinned)
      expect([signature, ...told(proof)]).toEqual([signature, 'failed', 'CARD-150 /signature'])
    }
  })

  test('of the document to something that cannot be parsed or is not an object', async () => {
    for (const source of ['', '[]', '"x"', '{"id":"a","id":"b"}', '\ufeff[]', '{"a": "\\ud800"}']) {
      expect((await verifyCard(source)).verdict).toBe('failed')
      expect(await signCard(source, KEY)).toMatchObject({ document: undefined, bytes: undefined })
    }
  })
})

describe('[card/3.2-5] sources of keys: asked in order, each listed in the proof', () => {
  const OWN = { id: KEY_ID, did: undefined }
  const steps = ['key-caller', 'key-resolver', 'key-authority', 'key-ans', 'key-did']

  test.each(Object.entries(FORMS))('accepts an id that is the key: %s', async (form, name) => {
    const card = await signedCard({ id: `agent://${name}/zh`, did: undefined })
    const proof = await verifyCard(card)
    expect(proof.verdict).toBe('verified')
    expect(proof.steps.find(({ name: step }) => step === 'key-authority')!.detail).toContain(form)
    expect(proof.steps.find(({ name: step }) => step === 'identity')!.data).toEqual({ trust: 'authority' })
    expect(steps.map((step) => outcomes(proof)[step])).toEqual(['skipped', 'skipped', 'passed', 'skipped', 'skipped'])
    // The same card with the signature of another key.
    const forged = { ...JSON.parse(card), signature: JSON.parse(await signedCard({}, OTHER_KEY)).signature }
    expect((await verifyCard(JSON.stringify(forged))).verdict).toBe('failed')
  })

  test('uses the same forms as the vectors', () => {
    const vectors = dataFile('interop', 'ed25519-identity-vectors.json') as Record<string, string>
    expect(Object.values(FORMS)).toEqual([
      vectors['libp2p_peer_id'],
      vectors['libp2p_peer_id_cidv1_base36'],
      vectors['libp2p_peer_id_cidv1_base32'],
      vectors['did_key'],
      vectors['multibase_ed25519_pub'],
    ])
    return expect(fingerprint(KEY)).resolves.toBe(vectors['jwk_thumbprint_rfc7638'])
  })

  test.each([
    'scout',
    '12d3koowqk1wnefolrcvhbbnf5tlzbopud3k3bfaojpa7yjgl5pv',
    '12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5p',
    'k51qzi5uqu5dljtg5upm7x7ugan9lql3ewyknv4r4mhhkwzn8n7cnbd1unfwgq0',
    `k${'z'.repeat(61)}`,
    `b${'a'.repeat(64)}`,
    'QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N',
    'zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169',
  ])('gets no key from a name that is not one: %s', async (name) => {
    const card = await signedCard({ id: `agent://${name}`, did: undefined })
    expect(told(await verifyCard(card))).toEqual(['unverifiable', 'CARD-152 /id'])
  })

  test('uses keys of the caller first, and then no others', async () => {
    const card = await signedCard(OWN)
    expect((await verifyCard(card, pinned)).verdict).toBe('verified')
    const other = await verifyCard(card, { expect: { keys: [OTHER_KEY] } })
    expect(told(other)).toEqual(['failed', 'KEY-129 /id'])
    expect(steps.map((step) => outcomes(other)[step])).toEqual(['passed', 'skipped', 'skipped', 'skipped', 'skipped'])
    expect((await verifyCard(card, { expect: { keys: [OTHER_KEY, KEY] } })).verdict).toBe('verified')
  })

  test.each([
    ['its id', OWN, '/id'],
    ['its did', { did: FORMS['did:key'] }, '/id'],
  ])('a valid signature by the untrusted key in %s does not mean a changed card', async (_, own, at) => {
    const card = await signedCard(own)
    for (const options of [{ expect: { keys: [OTHER_KEY] } }, { resolver: () => [OTHER_KEY] }]) {
      const proof = await verifyCard(card, options)
      expect(told(proof)).toEqual(['failed', `KEY-129 ${at}`])
      const detail = proof.steps.find(({ name }) => name === 'signature')!.detail
      for (const key of [KEY, OTHER_KEY]) expect(detail).toContain(await fingerprint(key))
      const changed = { ...JSON.parse(card as string), description: 'Changed.' }
      expect(told(await verifyCard(JSON.stringify(changed), options))).toEqual(['failed', 'CARD-150 /signature'])
    }
  })

  test('then uses keys that the resolver knows for the id; an empty list means that no key is valid', async () => {
    const card = await signedCard()
    const known = await verifyCard(card, { resolver: (id) => (id === EXAMPLE.id ? [OTHER_KEY, KEY] : undefined) })
    expect([known.verdict, outcomes(known)['key-resolver']]).toEqual(['verified', 'passed'])
    const own = await signedCard(OWN)
    expect((await verifyCard(own, { resolver: async () => undefined })).verdict).toBe('verified')
    expect(told(await verifyCard(own, { resolver: () => [] }))).toEqual(['unverifiable', 'CARD-152 /id'])
    expect((await verifyCard(own, { resolver: () => [OTHER_KEY] })).verdict).toBe('failed')
    // The resolver might have given another answer, so later sources must not decide.
    for (const resolver of [() => Promise.reject(new Error('offline')), () => ['no key'], () => 7 as never]) {
      const proof = await verifyCard(own, { resolver })
      expect([...told(proof), outcomes(proof)['key-resolver']]).toEqual(['unverifiable', 'CARD-152 /id', 'warning'])
    }
  })

  test('then uses the Agent Name System, with the peers that it names', async () => {
    const card = await signedCard()
    const asked: string[] = []
    const ans = (id: string) => {
      asked.push(id)
      return ['no key', FORMS['libp2p peer id']]
    }
    const proof = await verifyCard(card, { ans, selfAsserted: true })
    expect([proof.verdict, asked]).toEqual(['verified', [EXAMPLE.id]])
    expect(told(await verifyCard(card, { ans: () => ['Qm'] }))).toEqual(['unverifiable', 'CARD-152 /id'])
    const failing: VerifyOptions = { ans: () => Promise.reject(new Error('no route\u202e')) }
    const failed = await verifyCard(card, failing)
    expect([failed.verdict, outcomes(failed)['key-ans']]).toEqual(['unverifiable', 'warning'])
    expect(JSON.stringify(failed.steps)).not.toContain('\u202e')
    // An id that is a key needs no name service.
    expect((await verifyCard(await signedCard(OWN), failing)).verdict).toBe('verified')
  })

  test('[card/3.3-3] uses the did last, only on request, and only as self-asserted', async () => {
    const card = await signedCard({ did: FORMS['did:key'] })
    expect(told(await verifyCard(card))).toEqual(['unverifiable', 'CARD-152 /id'])
    const proof = await verifyCard(card, { selfAsserted: true })
    expect(told(proof)).toEqual(['unverifiable', 'CARD-154 /did'])
    expect(outcomes(proof)).toMatchObject({ signature: 'passed', identity: 'unknown', 'key-did': 'passed' })
    const changed = JSON.stringify({ ...JSON.parse(card), name: 'other' })
    expect(told(await verifyCard(changed, { selfAsserted: true }))).toEqual(['failed', 'CARD-150 /signature'])
    const web = await signedCard({ did: 'did:web:acme.example.com' })
    expect(told(await verifyCard(web, { selfAsserted: true }))).toEqual(['unverifiable', 'CARD-152 /id'])
  })

  test('[card/3.3-2] warns if the did is another key', async () => {
    const proof = await verifyCard(await signedCard(), pinned)
    expect([proof.verdict, outcomes(proof)['did']]).toEqual(['verified', 'warning'])
    const same = await verifyCard(await signedCard({ did: FORMS['did:key'] }), pinned)
    expect(outcomes(same)['did']).toBe('passed')
  })

  test('ignores keys of other algorithms', async () => {
    const { publicKey } = await generateKey('ES256')
    const proof = await verifyCard(await signedCard(), { expect: { keys: [publicKey] } })
    expect(told(proof)).toEqual(['unverifiable', 'CARD-152 /id'])
  })
})

describe('verdicts', () => {
  test('[card/7.1-30] is unverifiable without a signature', async () => {
    expect(told(await verifyCard(JSON.stringify(EXAMPLE), pinned))).toEqual(['unverifiable', 'CARD-151 /signature'])
  })

  test('[card/4.1-30] is unverifiable, never failed, for a part', async () => {
    const part = { id: 'agent://b', name: 'n', signature: 'whatever' }
    const proof = await verifyCard(JSON.stringify(part), { ...pinned, partial: true })
    expect(told(proof)).toEqual(['unverifiable', 'CARD-153 '])
    expect(proof.steps[0]!.detail).toMatch(/^partial:/)
  })

  test('[card/3.1-31] does not accept a signature for a seq that the canonical form rounds', async () => {
    const pair = ['9007199254740992', '9007199254740993'].map((seq) => `{"id":"agent://a","name":"A","seq":${seq}}`)
    const [payload, other] = pair.map((card) => canonicalize(card))
    expect(payload).toEqual(other)
    for (const card of pair) {
      const refused = await signCard(card, KEY)
      expect(refused).toMatchObject({ document: undefined, diagnostics: [{ code: 'CARD-156' }] })
      // A seq must not be a string, so the advice must not suggest that.
      const advice = validate(card).diagnostics.find(({ code }) => code === 'DOC-120')?.fix?.hint
      expect(`${refused.diagnostics[0]!.detail} ${advice}`).not.toContain('string')
      const pem = createPrivateKey((await exportKey(KEY, 'pem')) as string)
      const signature = signNode(null, payload!, pem).toString('base64url')
      const signed = `${card.slice(0, -1)},"signature":"${signature}"}`
      expect(told(await verifyCard(signed, pinned))).toEqual(['unverifiable', 'DOC-120 /seq', 'CARD-156 /seq'])
    }
  })

  test('compares the expected id exactly, and never proves a provider', async () => {
    const card = await signedCard()
    expect((await verifyCard(card, { expect: { id: EXAMPLE.id, keys: [KEY] } })).verdict).toBe('verified')
    const other = await verifyCard(card, { expect: { id: 'agent://Translator-zh-en', keys: [KEY] } })
    expect(told(other)).toEqual(['failed', 'CARD-155 /id'])
    const provider = await verifyCard(card, { expect: { provider: 'acme.example.com', keys: [KEY] } })
    expect(told(provider)).toEqual(['unverifiable', 'CARD-155 '])
  })

  test('throws for wrong arguments', async () => {
    const card = await signedCard()
    await expect(verifyCard(7 as never)).rejects.toThrow(TypeError)
    await expect(verifyCard(card, { expect: { id: 7 as never } })).rejects.toThrow('expect.id: expected a string')
    await expect(verifyCard(card, { expect: { keys: KEY as never } })).rejects.toThrow(TypeError)
    await expect(verifyCard(card, { ans: 'ans' as never })).rejects.toThrow('ans: expected a function, got string')
  })
})

describe('signing refuses cards that would never verify', () => {
  it.each([
    ['no id', { id: undefined }, ['CARD-157 /id']],
    ['an id that is not an agent:// URI', { id: 'https://example.com' }, ['CARD-157 /id']],
    ['an id that is another key', { id: KEY_ID }, ['CARD-158 /id']],
    ['integers that programs read differently', { x: [2 ** 53] }, ['CARD-156 /x/0']],
    ['an invalid seq', { seq: -1 }, ['CARD-159 /seq']],
    ['a seq in a string', { seq: '1' }, ['CARD-159 /seq']],
    ['a seq with an exponent beyond 2^53', { seq: 1e19 }, ['CARD-156 /seq']],
  ])('%s', async (_name, members, findings) => {
    const source = JSON.stringify({ ...EXAMPLE, did: undefined, seq: 1, ...members }).replace(
      /"seq":10{19}/,
      '"seq":1e19',
    )
    const { document, diagnostics } = await signCard(source, OTHER_KEY)
    const found = diagnostics.map(({ code, source: { pointer } }) => `${code} ${pointer}`)
    expect([document, found]).toEqual([undefined, findings])
  })

  test('[card/3.2-1] signs without seq, and warns', async () => {
    const { bytes, diagnostics } = await signCard('{"id":"agent://a","name":"A"}', KEY)
    expect(bytes).toBeDefined()
    expect(diagnostics).toMatchObject([
      { code: 'CARD-159', severity: 'warning' },
      { code: 'CARD-169', severity: 'warning' },
    ])
  })

  test('suggests an id for a card with a plain name, and says where else that name occurs', async () => {
    const hintFor = async (more: object) => {
      const { diagnostics } = await signCard(JSON.stringify({ id: 'agent://a', name: 'A', seq: 1, ...more }), KEY)
      return diagnostics.find(({ code }) => code === 'CARD-169')?.fix?.hint
    }
    const write = `write "id": "agent://${FORMS['libp2p peer id in base32']}", which is the key that signs`
    expect(await hintFor({})).toMatch(new RegExp(`^${write}; or `))
    const endpoint = { protocol: 'aitp', uri: 'agent://a', auth: 'aitp_signed' }
    expect(await hintFor({ endpoints: [endpoint] })).toMatch(new RegExp(`^${write}, in endpoints, too; or `))
    expect(await hintFor({ endpoints: [{ ...endpoint, uri: 'agent://relay' }] })).toMatch(new RegExp(`^${write}; or `))
  })

  test('throws for keys that cannot sign', async () => {
    const card = '{"id":"agent://a","name":"A","seq":1}'
    await expect(signCard(card, KEY.publicKey)).rejects.toMatchObject({ code: 'KEY-105' })
    const { privateKey } = await generateKey('ES256')
    await expect(signCard(card, privateKey)).rejects.toMatchObject({ code: 'KEY-103' })
  })

  test('[card/3.1-30] refuses changed content under a used seq', async () => {
    const card = JSON.parse(await signedCard({ did: undefined }))
    const changed = JSON.stringify({ ...card, description: 'other' })
    expect(await signCard(changed, KEY)).toMatchObject({ document: undefined, diagnostics: [{ code: 'CARD-160' }] })
    const { signature: _, ...unsigned } = { ...card, description: 'other' }
    const previous = JSON.stringify(card)
    const again = await signCard(JSON.stringify(unsigned), KEY, { previous })
    expect(again).toMatchObject({
      document: undefined,
      diagnostics: [{ code: 'CARD-160', source: { pointer: '/seq' } }],
    })
    const lower = await signCard(JSON.stringify({ ...unsigned, seq: 0 }), KEY, { previous })
    expect(lower.document).toBeUndefined()
    const other = await signCard(JSON.stringify({ ...unsigned, seq: 2, id: 'agent://b' }), KEY, { previous })
    expect(other).toMatchObject({ diagnostics: [{ code: 'CARD-160', source: { pointer: '/id' } }] })
    for (const next of [JSON.stringify({ ...unsigned, seq: 2 }), previous]) {
      const { diagnostics } = await signCard(next, KEY, { previous })
      expect(diagnostics.map(({ code }) => code)).toEqual(['CARD-169'])
    }
  })
})

describe('sign and verify of blazon, by kind', () => {
  test('handles a card as a card and a definition as a definition', async () => {
    const card = JSON.stringify({ ...EXAMPLE, seq: 1, did: undefined })
    const { bytes } = await sign(card, KEY)
    expect(text(bytes)).toBe(text((await signCard(card, KEY)).bytes))
    expect((await verify(bytes!, pinned)).steps.map(({ name }) => name)).toContain('key-authority')
    expect((await verify(bytes!, { expect: { keys: [OTHER_KEY] } })).verdict).toBe('failed')
    const definition = await sign('{"adl_spec": "0.1.0"}', KEY, { embedKey: true, force: true })
    expect(JSON.parse(text(definition.bytes))).toHaveProperty('security.attestation.signature')
    expect((await verify(definition.bytes!)).verdict).toBe('verified')
  })

  test('accepts another kind in `as`, and refuses invalid ones', async () => {
    const { bytes } = await sign('{"id": "agent://a", "seq": 1}', KEY, { as: 'adl', force: true })
    expect(JSON.parse(text(bytes))).toHaveProperty('security')
    expect(await sign('{}', KEY, { as: 'run' })).toMatchObject({ bytes: undefined, diagnostics: [{ code: 'DOC-126' }] })
    const { verdict, steps } = await verify('{"resolved_at": ""}')
    expect([verdict, steps.map(({ diagnostic }) => diagnostic!.code)]).toEqual(['unverifiable', ['DOC-126']])
    expect((await verify('{"run_id": ')).verdict).toBe('failed')
    for (const as of ['x', 'constructor']) await expect(verify('{}', { as: as as never })).rejects.toThrow(RangeError)
  })
})
