// Answers that no honest server sends.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { keyTag } from '../../../bindings/discover/dns/dnssec/keys.ts'
import { Lookup, type Quality, type Resolver, resolveDns } from '../../../bindings/discover/dns/lookup.ts'
import { decodeMessage, encodeQuestion, TYPES } from '../../../bindings/discover/dns/message.ts'
import { labelsOf, nameToWire, readName } from '../../../bindings/discover/dns/name.ts'
import { udpResolver } from '../../../bindings/node/dns.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { bind, startDns } from '../../support/dns-lab.ts'
import { processorTime } from '../../support/effort.ts'
import { random } from '../../support/random.ts'

const u16 = (number: number) => [number >> 8, number & 0xff]
const header = (answers: number, flags = 0x8180) => [0, 0, ...u16(flags), 0, 1, ...u16(answers), 0, 0, 0, 0]
const question = [...nameToWire('a.test'), 0, 1, 0, 1]
const message = (answers: number, ...rest: number[]) => Uint8Array.from([...header(answers), ...question, ...rest])
const code = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as { kind?: { code: string } }).kind?.code ?? error
  }
}

describe('refuses a message that', () => {
  test.each([
    ['points to itself', message(1, 0xc0, 12 + question.length)],
    ['points to what follows', message(1, 0xc0, 0x30, 0xc0, 0x20)],
    ['has a label of an unknown kind', message(1, 0x80, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0)],
    ['counts what it does not have', message(0xffff)],
    ['has more data than there are bytes', message(1, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 200, 1, 2, 3, 4)],
    ['goes on behind its end', message(0, 0)],
    ['ends within its header', Uint8Array.of(0, 0, 0x81)],
    [
      'has two OPT records',
      Uint8Array.from([
        ...header(2).slice(0, 6),
        0,
        0,
        0,
        0,
        0,
        2,
        ...question,
        ...Array(2).fill([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]).flat(),
      ]),
    ],
    ['is of another kind', message(0).with(2, 0xa9)],
  ])('%s', (_, bytes) => expect(code(() => decodeMessage(bytes))).toBe('DNS-101'))
})

test('reads chains of pointers quickly', () => {
  const chain = Array.from({ length: 8_000 }, (_, i) => u16(0xc000 | (12 + question.length + 2 * i - 2))).flat()
  const names = Array.from({ length: 4_000 }, () => [0xff, 0xff - 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]).flat()
  const begin = processorTime()
  code(() => decodeMessage(message(4_000, ...chain, ...names)))
  const records = Array.from({ length: 5_000 }, () => [0xc0, 12, 0, 47, 0, 1, 0, 0, 0, 0, 0, 1, 0]).flat()
  expect(decodeMessage(message(5_000, ...records)).answers).toHaveLength(5_000)
  expect(processorTime() - begin).toBeLessThan(1_000)
})

describe('names', () => {
  test.each([
    ['Alice.Example.COM', 'alice.example.com'],
    ['alice.example.com.', 'alice.example.com'],
    ['.', '.'],
    ['a\\.b.test', 'a\\.b.test'],
    ['a\\046b.test', 'a\\.b.test'],
    ['\\065.test', 'a.test'],
    ['\\195\\132.test', '\\195\\132.test'],
  ])('%s is %s', (text, name) => expect(readName(text)).toBe(name))
  test.each([
    '',
    '..',
    'a..b',
    '.a',
    `${'a'.repeat(64)}.test`,
    'a b',
    'ä.test',
    'a\\',
    'a\\300',
    'a\\256',
    `${'a.'.repeat(127)}ab`,
  ])('%j is invalid', (text) => expect(code(() => readName(text))).toBe('DNS-108'))
  test('a dot in a label does not end it', () => {
    expect(labelsOf('a\\.b.c\\\\.test')).toEqual(['a\\.b', 'c\\\\', 'test'])
  })
})

const answerWith = (flags: number): Resolver =>
  Object.assign(
    async (asked: Uint8Array) => {
      const bytes = Uint8Array.from(asked.subarray(0, asked.length - 11))
      bytes.set(u16(flags), 2)
      return bytes.with(11, 0)
    },
    { isPrivate: true },
  )

test.each([
  ['SERVFAIL', 0x8182, 'DNS-103'],
  ['REFUSED', 0x8185, 'DNS-103'],
  ['cut off', 0x8380, 'DNS-103'],
  ['a question', 0x0100, 'DNS-102'],
])('%s ends the lookup, without a fallback', async (_, flags, expected) => {
  const found = await new Lookup({ resolver: answerWith(flags) }).find('a.test', TYPES.SVCB).catch((error) => error)
  expect(found.kind?.code).toBe(expected)
})

describe('questions are counted', () => {
  // Nobody answers, and nothing is signed: each name costs one question.
  const counting = () => {
    const asked: number[] = []
    const resolver: Resolver = Object.assign(
      async (question: Uint8Array<ArrayBuffer>) => {
        asked.push(decodeMessage(question).questions[0]!.type)
        return answerWith(0x8183)(question)
      },
      { isPrivate: false },
    )
    return { asked, lookup: new Lookup({ resolver, anchors: {} }) }
  }
  test('24 of names', async () => {
    const { asked, lookup } = counting()
    for (let i = 0; i < 24; i++) expect((await lookup.find(`a${i}.test`, TYPES.A)).absent).toBe('name')
    await lookup.find('a0.test', TYPES.A)
    const more = await lookup.find('a24.test', TYPES.A).catch((error) => error)
    expect([more.kind?.code, asked.length]).toEqual(['DNS-106', 24])
  })
  test('64 with those of chains', async () => {
    const { asked, lookup } = counting()
    await lookup.find('a.test', TYPES.A)
    await lookup.prefetch(Array.from({ length: 40 }, (_, i) => `a${i}`).join('.'))
    expect(asked).toHaveLength(64)
    const more = await lookup.find('b.test', TYPES.A).catch((error) => error)
    expect(more.kind?.code).toBe('DNS-106')
  })
})

describe('keys and signatures are counted (CVE-2023-50387)', () => {
  const ALGORITHM = 15
  /** Keys with the same tag: a sum of 16-bit words is the same in any order (RFC 4034 appendix B). */
  const keys = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const [first, second] = [i % 16, (i + 1 + Math.floor(i / 16)) % 16]
      const words = Array.from({ length: 16 }, (_, k) => u16(k === first ? 0xabcd : k === second ? 0x1234 : 0))
      return Uint8Array.from([...u16(257), 3, ALGORITHM, ...words.flat()])
    })
  const record = (type: number, rdata: Uint8Array) => [
    0,
    ...u16(type),
    0,
    1,
    0,
    0,
    0,
    60,
    ...u16(rdata.length),
    ...rdata,
  ]
  const rootWith = (own: readonly Uint8Array[], signatures: number): Resolver => {
    const tag = keyTag(own[0]!)
    // From 1970 to 2038.
    const times = [0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]
    const signature = (i: number) =>
      Uint8Array.from([...u16(48), ALGORITHM, 0, 0, 0, 0, 60, ...times, ...u16(tag), 0, ...Array(64).fill(i)])
    const answers = [
      ...own.map((key) => record(48, key)),
      ...Array.from({ length: signatures }, (_, i) => record(46, signature(i))),
    ]
    const bytes = [
      ...[0, 0, 0x81, 0x80, 0, 1, ...u16(answers.length), 0, 0, 0, 0],
      ...[0, 0, 48, 0, 1],
      ...answers.flat(),
    ]
    const asked = async () => Uint8Array.from(bytes)
    return Object.assign(asked, { isPrivate: false })
  }
  const anchorsOf = async (own: readonly Uint8Array[]) => ({
    '.': own.map((key) => ({
      keyTag: keyTag(key),
      algorithm: ALGORITHM,
      digestType: 2,
      digest: Uint8Array.from(createHash('sha256').update(Uint8Array.of(0)).update(key).digest()),
    })),
  })
  const judged = async (own: readonly Uint8Array[], signatures: number) => {
    const lookup = new Lookup({ resolver: rootWith(own, signatures), anchors: await anchorsOf(own) })
    return lookup.find('.', TYPES.DNSKEY).catch((error) => error.kind?.code ?? error)
  }
  test('no more than 32 keys of a zone', async () => {
    expect(await judged(keys(33), 1)).toBe('DNS-116')
  })
  test('no more than 200 tries, whatever the keys and signatures', async () => {
    const own = keys(32)
    expect(new Set(own.map(keyTag)).size).toBe(1)
    expect(await judged(own, 8)).toBe('DNS-116')
    // A specific fault if there are few.
    expect(await judged(own.slice(0, 1), 8)).toBe('DNS-110')
  })
})

test('refuses an answer to another question', async () => {
  const resolver: Resolver = Object.assign(
    async () => answerWith(0x8180)(encodeQuestion({ name: 'b.test', type: 1 })),
    { isPrivate: true },
  )
  const found = await new Lookup({ resolver }).find('a.test', TYPES.A).catch((error) => error)
  expect(found.kind?.code).toBe('DNS-102')
})

describe.runIf(bind.available)('signed answers with a byte changed', () => {
  test('never count as checked with other data', async () => {
    const records = 'alice SVCB 1 . port=8443\nalias CNAME alice\n*.wild TXT any'
    const algorithm = 'ECDSAP256SHA256'
    const lab = await startDns(['.', 'test', 'example.test'].map((name) => ({ name, records, algorithm })))
    try {
      const udp = udpResolver({ address: '127.0.0.1', port: lab.port })
      const rows = [
        ['alice', TYPES.SVCB],
        ['alias', TYPES.SVCB],
        ['x.wild', TYPES.TXT],
        ['nobody', TYPES.SVCB],
        ['alice', TYPES.TXT],
      ] as const
      for (const [label, type] of rows) {
        const heard = new Map<string, Uint8Array>()
        const name = `${label}.example.test`
        const look = (resolver: Resolver, onAnswer?: (question: object, bytes: Uint8Array) => void) =>
          new Lookup({ resolver, anchors: lab.anchors, ...(onAnswer && { onAnswer }) }).find(name, type)
        const said = ({
          name,
          records,
          absent,
          quality,
        }: {
          name: string
          records: readonly { rdata: Uint8Array }[]
          absent: unknown
          quality: Quality
        }) => JSON.stringify([name, records.map(({ rdata }) => toHex(rdata)).sort(), absent, quality])
        const honest = said(await look(udp, (question, bytes) => heard.set(JSON.stringify(question), bytes)))
        expect(honest).toContain('checked')
        const keys = [...heard.keys()]
        const next = random(label.length * 100 + type)
        let refused = 0
        for (let round = 0; round < 150; round++) {
          const key = keys[Math.floor(next() * keys.length)]!
          const original = heard.get(key)!
          const at = 2 + Math.floor(next() * (original.length - 2))
          const changed = original.with(at, original[at]! ^ (1 << Math.floor(next() * 8)))
          const liar: Resolver = Object.assign(
            async (asked: Uint8Array) => {
              const { questions } = decodeMessage(asked)
              const known = JSON.stringify({ name: questions[0]!.name, type: questions[0]!.type })
              return known === key ? changed : (heard.get(known) ?? udp(asked as Uint8Array<ArrayBuffer>))
            },
            { isPrivate: false },
          )
          const told = await look(liar).then(said, (error) => {
            expect(error.kind?.code, String(error.stack)).toMatch(/^DNS-/)
            return undefined
          })
          if (told === undefined) refused++
          else if (told !== honest) expect(told, `${key} at ${at}`).not.toContain('"checked"')
        }
        expect(refused, name).toBeGreaterThan(50)
      }
    } finally {
      await lab.close()
    }
  })
})

test('reports a resolver without DNSSEC, with a hint', async () => {
  // An empty answer: what such resolvers return for the keys of the root.
  const empty = async (asked: Uint8Array) => asked.map((byte, i) => (i === 2 ? byte | 0x80 : byte))
  const answer = await resolveDns('alice.example.com', 'TXT', { resolver: Object.assign(empty, { isPrivate: false }) })
  expect(answer).toMatchObject({
    ok: false,
    diagnostic: { code: 'DNS-117', detail: expect.stringContaining('Ask another resolver') },
  })
})
