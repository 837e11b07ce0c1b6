// Individual holes that were found: names that are addresses, unsigned headers, addresses that are code.
import { describe, expect, it, test } from 'vitest'
import { sign, verify as verifyA2aCard } from '../../bindings/a2a/index.ts'
import { DocumentError } from '../../bindings/document/index.ts'
import { canonicalize, validate } from '../../bindings/index.ts'
import { didWebUrl, generateKey, KeyError, type PrivateKey } from '../../bindings/keys/index.ts'
import { refuseAddress } from '../../bindings/net/guard.ts'
import { revealedBy } from '../../bindings/text/host-name.ts'
import { CURRENT, OLDER } from '../a2a/samples.ts'
import { casesOf } from '../support/cases.ts'

describe('did:web', () => {
  const LAST = [
    '8',
    '08',
    '0x8',
    '0X8',
    '0x',
    '0x7f',
    '256',
    '99999999999',
    '0xffffffff',
    '0b1',
    'x8',
    '8x',
    'com',
    '0xg',
  ]

  it('accepts no host that a URL parser turns into an address (the host is the oracle)', () => {
    for (const last of LAST) {
      for (const host of [`8.8.8.${last}`, `example.${last}`, `a.b.c.d.${last}`]) {
        let name: string | undefined
        try {
          name = new URL(`https://${host}/`).hostname
        } catch {
          // Not a valid host.
        }
        const isName = name === host.toLowerCase() && !/^[\d.]+$/.test(name)
        let taken = true
        try {
          didWebUrl(`did:web:${host}`)
        } catch (error) {
          expect(error).toBeInstanceOf(KeyError)
          taken = false
        }
        expect(taken, host).toBe(isName)
      }
    }
  })
})

describe('the guard of addresses', () => {
  it.each([
    ...[
      'nas.lan',
      'printer.corp',
      'wiki.intranet',
      'db.localdomain',
      'localhost.localdomain',
      'router.home',
      'x.private',
    ],
    ...[
      'db.internal.',
      'db.internal..',
      'a..b.example.com',
      '.example.com',
      'example.com..',
      'NAS.LAN',
      'db.local',
      'x.home.arpa',
    ],
  ])('refuses %s', (host) => {
    expect(refuseAddress(host)).toBeDefined()
  })

  it.each(['example.com', 'example.com.', 'lan.example.com', 'corp.com', 'localdomain.org'])('allows %s', (host) => {
    expect(refuseAddress(host)).toBeUndefined()
  })

  it('and the review of publications treat the same names as private', () => {
    for (const host of ['nas.lan', 'printer.corp', 'wiki.intranet', 'db.localdomain', 'db.internal', 'x.home.arpa']) {
      expect(revealedBy(host), host).toBeDefined()
      expect(refuseAddress(host), host).toBeDefined()
    }
  })
})

describe('the signature of an A2A card', () => {
  const read = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes))
  async function signed(key: PrivateKey) {
    const { bytes } = await sign(JSON.stringify(CURRENT), key, { rules: ['spec'] })
    return read(bytes!)
  }
  const verify = (card: unknown, key: PrivateKey) =>
    verifyA2aCard(JSON.stringify(card), { expect: { keys: [key.publicKey] } })
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it.each([
    ['crit', { crit: ['exp'] }],
    ['b64', { b64: false }],
    ['b64, though it is true', { b64: true }],
    ['something that is no object', 'crit'],
  ])(
    'with %s in the unprotected header is refused (RFC 7515 section 4.1.11, RFC 7797 section 3)',
    async (_, header) => {
      const key = await generateKey('Ed25519')
      const card = await signed(key)
      expect((await verify(card, key)).verdict).toBe('verified')
      card.signatures[0].header = header
      expect((await verify(card, key)).verdict).toBe('failed')
    },
  )

  it('with a b64 that is not critical is refused, whatever its value', async () => {
    const key = await generateKey('Ed25519')
    for (const b64 of [false, null, 'false', 0]) {
      const header = { alg: 'EdDSA', kid: 'a', b64 }
      const card = { ...CURRENT, signatures: [{ protected: encode(header), signature: 'A'.repeat(86) }] }
      const { steps } = await verify(card, key)
      expect(JSON.stringify(steps)).toContain('b64 is not true')
    }
  })

  it('that is valid counts after any number of others; untried ones stay open and prove nothing', async () => {
    const key = await generateKey('Ed25519')
    const card = await signed(key)
    const [good] = card.signatures
    const bad = (i: number) => ({ protected: encode({ alg: 'EdDSA', kid: `k${i}` }), signature: 'A'.repeat(86) })
    const behind = (count: number) => ({
      ...card,
      signatures: [...Array.from({ length: count }, (_, i) => bad(i)), good],
    })
    for (const count of [1, 16, 17, 100])
      expect((await verify(behind(count), key)).verdict, `${count}`).toBe('verified')
    const { verdict, steps } = await verify(behind(2_000), key)
    expect(verdict).toBe('unverifiable')
    expect(JSON.stringify(steps)).toContain('were not tried')
    expect(steps.length).toBeLessThan(100)
    expect((await verify({ ...card, signatures: [bad(1), bad(2)] }, key)).verdict).toBe('failed')
  })
})

describe('addresses that are code', () => {
  const SCRIPTS = [
    ...[
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      ' javascript:1',
    ],
    ...[
      'data:text/html,<script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a',
      'view-source:https://a',
      'about:blank',
    ],
  ]

  it.each(SCRIPTS)('in a card are errors, one for each: %j', (uri) => {
    for (const protocol of ['http+json', 'web', 'ws', 'aitp']) {
      const card = { id: 'agent://a', name: 'A', endpoints: [{ protocol, uri, auth: 'none' }] }
      const { valid, diagnostics } = validate(JSON.stringify(card), { as: 'card' })
      expect(valid).toBe(false)
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      expect(errors.map(({ code, source }) => [code, source.pointer])).toEqual([['CARD-144', '/endpoints/0/uri']])
    }
    for (const change of [{ documentationUrl: uri }, { provider: { organization: 'A', url: uri } }, { iconUrl: uri }]) {
      for (const base of [CURRENT, OLDER]) {
        const { valid, diagnostics } = validate(JSON.stringify({ ...base, ...change }), { as: 'a2a' })
        expect(valid).toBe(false)
        expect(diagnostics.map(({ code }) => code)).toContain('CARD-144')
      }
    }
  })

  it('do not include texts that only look like them', () => {
    for (const uri of ['https://javascript.example/', 'https://a.example/data:x', 'agent://data', 'grpc://file:443']) {
      const { diagnostics } = validate(
        JSON.stringify({ id: 'agent://a', name: 'A', endpoints: [{ protocol: 'x', uri }] }),
      )
      expect(diagnostics.map(({ code }) => code)).not.toContain('CARD-144')
    }
  })
})

test('a text of many megabytes is below the limit and accepted; a larger one is refused for its size', () => {
  const text = `"${'a'.repeat(casesOf(100) << 20)}"`
  expect(canonicalize(text).length).toBe(text.length)
  // 90 million characters of three bytes each.
  const wide = `"${'€'.repeat(90 << 20)}"`
  expect(() => canonicalize(wide)).toThrow(DocumentError)
})
