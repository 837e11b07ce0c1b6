// Answers that nobody honest sends.
import { describe, expect, test } from 'vitest'
import { Lookup, type Quality, type Resolver } from '../../../bindings/discover/dns/lookup.ts'
import { decodeMessage, encodeQuestion } from '../../../bindings/discover/dns/message.ts'
import { labelsOf, nameToWire, readName } from '../../../bindings/discover/dns/name.ts'
import { resolveDns } from '../../../bindings/discover/dns/resolve.ts'
import { TYPES } from '../../../bindings/discover/dns/types.ts'
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

describe('a message is refused that', () => {
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

test('pointers to pointers, as many as there is room for, take no time', () => {
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
    `${'a.'.repeat(127)}ab`,
  ])('%j is none', (text) => expect(code(() => readName(text))).toBe('DNS-108'))
  test('a dot in a label is no end of it', () => {
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
])('%s ends it: there is no weaker way', async (_, flags, expected) => {
  const found = await new Lookup({ resolver: answerWith(flags) }).find('a.test', TYPES.SVCB).catch((error) => error)
  expect(found.kind?.code).toBe(expected)
})

test('another question than was asked', async () => {
  const resolver: Resolver = Object.assign(
    async () => answerWith(0x8180)(encodeQuestion({ name: 'b.test', type: 1 })),
    { isPrivate: true },
  )
  const found = await new Lookup({ resolver }).find('a.test', TYPES.A).catch((error) => error)
  expect(found.kind?.code).toBe('DNS-102')
})

describe.runIf(bind.available)('signed answers with a byte changed', () => {
  test('are never taken for checked with other data', { timeout: 240_000 }, async () => {
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

test('a resolver that leaves DNSSEC out is told as that, and what to do', async () => {
  // The question as an answer, with nothing in it: what such resolvers say of the keys of the root.
  const empty = async (asked: Uint8Array) => asked.map((byte, i) => (i === 2 ? byte | 0x80 : byte))
  const answer = await resolveDns('alice.example.com', 'TXT', { resolver: Object.assign(empty, { isPrivate: false }) })
  expect(answer).toMatchObject({
    ok: false,
    diagnostic: { code: 'DNS-114', detail: expect.stringContaining('another one') },
  })
})
