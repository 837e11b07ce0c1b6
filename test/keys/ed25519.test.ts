import { generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { importKey, signBytes, verifyBytes } from '../../bindings/keys/index.ts'
import { hasSuite } from '../support/suites.ts'
import { ED25519_WAYS, hex, suiteJson, utf8 } from './support.ts'

const algorithm = 'Ed25519'

describe.each(ED25519_WAYS)('Ed25519 with %s', (_way, options) => {
  test.runIf(hasSuite('rfc-vectors'))('[adl/10.3-7] signs and verifies the vectors of RFC 8032', async () => {
    const vectors = suiteJson('rfc-vectors', 'rfc8032-ed25519.json') as Record<string, string>[]
    expect(vectors.length).toBeGreaterThan(3)
    for (const { seed, publicKey, message, signature } of vectors) {
      const privateKey = await importKey(hex(seed!), { ...options, format: 'raw-private' })
      const bytes = hex(message!)
      const made = await signBytes({ algorithm, privateKey, message: bytes, ...options })
      expect(Buffer.from(made).toString('hex')).toBe(signature)
      const given = { algorithm, publicKey: hex(publicKey!), message: bytes, signature: made, ...options } as const
      expect(await verifyBytes(given)).toBe(true)
      expect(await verifyBytes({ ...given, message: Uint8Array.of(...bytes, 0) })).toBe(false)
    }
  })

  test.runIf(hasSuite('speccheck'))('[adl/10.3-7] agrees with Secure Curves about speccheck', async () => {
    const cases = suiteJson('speccheck', 'cases.json') as Record<string, string>[]
    const { w3c } = suiteJson('speccheck', 'expected.json') as { w3c: boolean[] }
    const verdicts: boolean[] = []
    for (const { message, pub_key, signature } of cases) {
      const [publicKey, bytes] = [hex(pub_key!), hex(signature!)]
      verdicts.push(await verifyBytes({ algorithm, publicKey, message: hex(message!), signature: bytes, ...options }))
    }
    expect(verdicts).toEqual(w3c)
  })

  test.runIf(hasSuite('zip215'))('refuses all small and unreduced points of zip215', async () => {
    const cases = suiteJson('zip215', 'zip215.json') as { vk_bytes: string; sig_bytes: string }[]
    expect(cases.length).toBe(196)
    for (const { vk_bytes, sig_bytes } of cases) {
      const [publicKey, signature] = [hex(vk_bytes), hex(sig_bytes)]
      expect(await verifyBytes({ algorithm, publicKey, message: utf8('Zcash'), signature, ...options })).toBe(false)
    }
  })

  test.runIf(hasSuite('speccheck'))('refuses each small-order encoding as key and as R', async () => {
    const { smallOrderEncodings } = suiteJson('speccheck', 'expected.json') as { smallOrderEncodings: string[] }
    expect(smallOrderEncodings.length).toBe(14)
    const zero = '00'.repeat(32)
    for (const point of smallOrderEncodings) {
      const asKey = { algorithm, publicKey: hex(point), message: utf8(''), signature: hex(point + zero) } as const
      expect(await verifyBytes({ ...asKey, ...options })).toBe(false)
    }
  })

  it('is false for S + L, for other lengths, and for keys that are not points', async () => {
    const key = await importKey(new Uint8Array(32).fill(7), { ...options, format: 'raw-private' })
    const message = utf8('m')
    const signature = await signBytes({ algorithm, privateKey: key, message, ...options })
    const order = 2n ** 252n + 27742317777372353535851937790883648493n
    const s = BigInt(`0x${Buffer.from(signature.slice(32)).reverse().toString('hex')}`) + order
    const raised = Uint8Array.from(signature)
    raised.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(), 32)
    for (const other of [raised, signature.slice(1), Uint8Array.of(...signature, 0), new Uint8Array()]) {
      expect(await verifyBytes({ algorithm, publicKey: key, message, signature: other, ...options })).toBe(false)
    }
    // No point has y = 2.
    const publicKey = new Uint8Array(32)
    publicKey[0] = 2
    expect(await verifyBytes({ algorithm, publicKey, message, signature, ...options })).toBe(false)
  })

  it('agrees with Node on valid and on damaged signatures', async () => {
    const pair = generateKeyPairSync('ed25519')
    const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' })
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 99 }), fc.nat(511), fc.boolean(), async (text, bit, damage) => {
        const message = Uint8Array.from(text)
        const signature = Uint8Array.from(sign(null, message, pair.privateKey))
        if (damage) signature[bit >> 3]! ^= 1 << (bit & 7)
        const wanted = verify(null, message, pair.publicKey, signature)
        expect(wanted).toBe(!damage)
        expect(await verifyBytes({ algorithm, publicKey, message, signature, ...options })).toBe(wanted)
      }),
      { numRuns: 60 },
    )
  })
})
