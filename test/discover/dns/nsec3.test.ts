// Denial by hashes, with the zone and the responses of RFC 5155, appendices A and B.
import { describe, expect, test } from 'vitest'
import {
  type Denials,
  hashedNsec,
  isNowhere,
  isTypeDenied,
  NameHasher,
  Nsec3Denials,
} from '../../../bindings/discover/dns/dnssec/denial.ts'
import { readNsec3 } from '../../../bindings/discover/dns/dnssec/rdata.ts'
import { TYPES } from '../../../bindings/discover/dns/message.ts'
import { fromHex } from '../../../bindings/text/bytes.ts'

const { A, NS, DS, SOA, MX, AAAA, RRSIG, DNSKEY, DNAME } = TYPES
const HINFO = 13
const NSEC3PARAM = 51

/** Appendix A: the names and their hashes, with salt aabbccdd and 12 iterations. */
const HASHES: Readonly<Record<string, string>> = {
  example: '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom',
  'a.example': '35mthgpgcu1qg68fab165klnsnk3dpvl',
  'ai.example': 'gjeqe526plbf1g8mklp59enfd789njgi',
  'ns1.example': '2t7b4g4vsa5smi47k61mv5bv1a22bojr',
  'ns2.example': 'q04jkcevqvmu85r014c7dkba38o0ji5r',
  'w.example': 'k8udemvp1j2f7eg6jebps17vp3n8i58h',
  '*.w.example': 'r53bq7cc2uvmubfu5ocmm6pers9tk9en',
  'x.w.example': 'b4um86eghhds6nea196smvmlo4ors995',
  'y.w.example': 'ji6neoaepv8b5o6k4ev33abha8ht9fgc',
  'x.y.w.example': '2vptu5timamqttgl4luu9kg21e0aor3s',
  'xx.example': 't644ebqk9bibcna874givr6joj62mlhv',
  '2t7b4g4vsa5smi47k61mv5bv1a22bojr.example': 'kohar7mbb8dc2ce8a9qvl8hon4k53uhi',
  // Appendix B: names that do not exist.
  'c.x.w.example': '0va5bpr2ou0vk0lbqeeljri88laipsfh',
  '*.x.w.example': '92pqneegtaue7pjatc3l3qnk738c6v5m',
  'c.example': '4g6p9u5gvfshp30pqecj98b3maqbn1ck',
  'z.w.example': 'qlu7gtfaeh0ek0c05ksfhdpbcgglbe03',
}
/** The NSEC3 records of appendix A in the order of their hashes, by the name that each stands for. */
const CHAIN: readonly [name: string, types: readonly number[]][] = [
  ['example', [MX, DNSKEY, NS, SOA, NSEC3PARAM, RRSIG]],
  ['ns1.example', [A, RRSIG]],
  ['x.y.w.example', [MX, RRSIG]],
  ['a.example', [NS, DS, RRSIG]],
  ['x.w.example', [MX, RRSIG]],
  ['ai.example', [A, HINFO, AAAA, RRSIG]],
  ['y.w.example', []],
  ['w.example', []],
  ['2t7b4g4vsa5smi47k61mv5bv1a22bojr.example', [A, RRSIG]],
  ['ns2.example', [A, RRSIG]],
  ['*.w.example', [MX, RRSIG]],
  ['xx.example', [A, HINFO, AAAA, RRSIG]],
]

const DIGITS = '0123456789abcdefghijklmnopqrstuv'
function bytesOf(hash: string): number[] {
  const bits = [...hash].map((digit) => DIGITS.indexOf(digit).toString(2).padStart(5, '0')).join('')
  return bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2))
}
function bitmap(types: readonly number[]): number[] {
  if (types.length === 0) return []
  const bits = new Array<number>(1 + (Math.max(...types) >> 3)).fill(0)
  for (const type of types) bits[type >> 3]! |= 0x80 >> (type & 7)
  return [0, bits.length, ...bits]
}

interface Making {
  readonly algorithm?: number
  readonly flags?: number
  readonly iterations?: number
  readonly salt?: string
  readonly under?: string
  readonly types?: readonly number[]
}
const SALT = 'aabbccdd'

/** The record of a name in the chain, or undefined if it is ignored. */
function recordOf(name: string, making: Making = {}) {
  const at = CHAIN.findIndex(([own]) => own === name)
  const next = HASHES[CHAIN[(at + 1) % CHAIN.length]![0]]!
  const { algorithm = 1, flags = 0, iterations = 12, salt = SALT, under = 'example', types = CHAIN[at]![1] } = making
  const salted = [...fromHex(salt)!]
  const rdata = [algorithm, flags, iterations >> 8, iterations & 0xff, salted.length, ...salted]
  const whole = Uint8Array.from([...rdata, 20, ...bytesOf(next), ...bitmap(types)])
  return hashedNsec(`${HASHES[name]}.${under}`, 'example', readNsec3(whole))
}

function denials(names: readonly string[], making: Making = {}, hasher = new NameHasher({})): Denials {
  return new Nsec3Denials(
    'example',
    names.flatMap((name) => recordOf(name, making) ?? []),
    hasher,
  )
}
const OPT_OUT: Making = { flags: 1 }

test.each(Object.entries(HASHES))('the hash of %s is %s', async (name, hash) => {
  expect(await new NameHasher({}).hash(name, { iterations: 12, salt: fromHex(SALT)! })).toBe(hash)
})

/** Appendix B: the questions, the records that deny them, and how. */
const PROOFS: readonly (readonly [what: string, name: string, type: number | 'name', records: readonly string[]])[] = [
  ['B.1: name error', 'a.c.x.w.example', 'name', ['x.w.example', 'example', 'a.example']],
  ['B.2: no data', 'ns1.example', MX, ['ns1.example']],
  ['B.2.1: no data at an empty non-terminal', 'y.w.example', A, ['y.w.example']],
  ['B.5: no data of a wildcard', 'a.z.w.example', AAAA, ['w.example', 'ns2.example', '*.w.example']],
]

describe('the responses of appendix B', () => {
  const shown = (all: Denials, name: string, type: number | 'name') =>
    type === 'name' ? isNowhere(all, name) : isTypeDenied(all, name, type)

  test.each(PROOFS)('%s', async (_, name, type, records) => {
    expect(await shown(denials(records), name, type)).toBe(true)
    // Every record is needed.
    for (const left of records) {
      const fewer = records.filter((record) => record !== left)
      expect(await shown(denials(fewer), name, type), `without ${left}`).toBe(false)
    }
  })

  test.each(PROOFS)('%s: no three other records of the zone prove it', async (_, name, type, records) => {
    const names = CHAIN.map(([own]) => own)
    const hasher = new NameHasher({})
    for (const first of names)
      for (const second of names)
        for (const third of names) {
          const chosen = [first, second, third]
          const isProof = records.every((record) => chosen.includes(record))
          if (!isProof) expect(await shown(denials(chosen, {}, hasher), name, type), chosen.join()).toBe(false)
        }
  })

  test('B.3: an unsigned delegation in an opt-out span is neither denied nor proven', async () => {
    const all = denials(['example', 'a.example'], OPT_OUT)
    expect(await all.proofOf('c.example')).toEqual({ encloser: 'example', isOptOut: true })
    expect([await isNowhere(all, 'c.example'), await isTypeDenied(all, 'c.example', DS)]).toEqual([false, false])
  })

  test('B.4: a wildcard answer needs the gap at the next closer name, without opt-out', async () => {
    const gap = (isOptOut: boolean) => ({ encloser: 'w.example', isOptOut })
    expect(await denials(['ns2.example']).gapAt('z.w.example')).toEqual(gap(false))
    expect(await denials(['ns2.example'], OPT_OUT).gapAt('z.w.example')).toEqual(gap(true))
    expect(await denials(['xx.example']).gapAt('z.w.example')).toBeUndefined()
    expect(await denials(['ns2.example']).gapAt('z.w.elsewhere')).toBeUndefined()
  })

  test('B.6: the apex of a zone does not deny its own DS', async () => {
    expect(await isTypeDenied(denials(['example']), 'example', DS)).toBe(false)
    expect(await isTypeDenied(denials(['example']), 'example', A)).toBe(true)
  })
})

describe('a record proves nothing', () => {
  test.each<[string, Making]>([
    ['with an unknown algorithm', { algorithm: 2 }],
    ['with an unknown flag', { flags: 2 }],
    ['with an unknown flag next to opt-out', { flags: 3 }],
    ['below another owner than the apex', { under: 'w.example' }],
    ['of another zone', { under: 'test' }],
    ['with another salt', { salt: 'aabbccde' }],
    ['with other iterations', { iterations: 11 }],
  ])('%s (RFC 5155 sections 7.1 and 8.2)', async (_, making) => {
    expect(await isTypeDenied(denials(['ns1.example'], making), 'ns1.example', MX)).toBe(false)
  })

  test.each([
    ['a delegation', [NS, DS, RRSIG]],
    ['a DNAME', [DNAME, RRSIG]],
  ])('about names below %s (RFC 5155 section 8.3)', async (_, types) => {
    const records = ['x.w.example', 'example', 'a.example']
    const encloser = recordOf('x.w.example', { types })!
    const others = records.slice(1).map((name) => recordOf(name)!)
    const all = new Nsec3Denials('example', [encloser, ...others], new NameHasher({}))
    expect(await all.proofOf('a.c.x.w.example')).toBeUndefined()
  })

  test('about a name that it is an alias of', async () => {
    const own = recordOf('ns1.example', { types: [TYPES.CNAME, RRSIG] })!
    expect(await isTypeDenied(new Nsec3Denials('example', [own], new NameHasher({})), 'ns1.example', MX)).toBe(false)
  })

  test('at a delegation about anything but the DS', async () => {
    const own = recordOf('ns1.example', { types: [NS, RRSIG] })!
    const all = new Nsec3Denials('example', [own], new NameHasher({}))
    expect([await isTypeDenied(all, 'ns1.example', MX), await isTypeDenied(all, 'ns1.example', DS)]).toEqual([
      false,
      true,
    ])
  })
})

test('a zone of one name denies all others', async () => {
  const own = { ...recordOf('example')!, next: HASHES['example']! }
  const all = new Nsec3Denials('example', [own], new NameHasher({}))
  expect(await isNowhere(all, 'a.example')).toBe(true)
  expect(await isNowhere(all, 'example')).toBe(false)
})

describe('work is bounded (CVE-2023-50868)', () => {
  function counted() {
    const subtle = globalThis.crypto.subtle
    let digests = 0
    const digest = (...args: Parameters<SubtleCrypto['digest']>) => {
      digests++
      return subtle.digest(...args)
    }
    return { hasher: new NameHasher({ subtle: { ...subtle, digest } as SubtleCrypto }), digests: () => digests }
  }
  const deep = (i: number) => `${Array.from({ length: 100 }, () => i.toString(36)).join('.')}.example`

  test('runs at most 100 iterations (RFC 9276 section 3.2)', async () => {
    const { hasher, digests } = counted()
    const costly = denials(['example', 'a.example'], { iterations: 101 }, hasher)
    expect(costly.why).toContain('100 iterations')
    expect(await costly.proofOf('c.example')).toBeUndefined()
    expect(digests()).toBe(0)
    expect(denials(['example'], { iterations: 100 }).why).toBeUndefined()
  })

  test('runs SHA-1 at most 10,000 times per lookup, for any names, labels and records', async () => {
    const { hasher, digests } = counted()
    const many = CHAIN.map(([name]) => name)
    const codes = new Set<string>()
    for (let i = 0; i < 12; i++) {
      const all = denials(many, { iterations: 100 }, hasher)
      await isNowhere(all, deep(i)).catch(({ kind }) => codes.add(kind.code))
    }
    expect([...codes]).toEqual(['DNS-116'])
    expect(digests()).toBeLessThanOrEqual(10_000)
  })

  test('hashes each name once', async () => {
    const { hasher, digests } = counted()
    const all = denials(
      CHAIN.map(([name]) => name),
      {},
      hasher,
    )
    await isNowhere(all, 'a.c.x.w.example')
    const once = digests()
    await isNowhere(all, 'a.c.x.w.example')
    expect(digests()).toBe(once)
    // a.c.x.w, c.x.w, x.w and *.x.w, each with 12 iterations.
    expect(once).toBe(4 * 13)
  })
})
