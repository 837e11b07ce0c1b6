// Compares our reading of a real server's answers with dns-packet, which reads messages, and @relaycorp/dnssec, which
// checks chains.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDnsKey, readNsec } from '../../../bindings/discover/dns/dnssec/rdata.ts'
import { Lookup, type Resolver } from '../../../bindings/discover/dns/lookup.ts'
import * as read from '../../../bindings/discover/dns/message.ts'
import {
  decodeMessage,
  encodeQuestion,
  type ResourceRecord,
  TYPES,
  type TypeName,
  typeName,
} from '../../../bindings/discover/dns/message.ts'
import { udpResolver } from '../../../bindings/node/dns.ts'
import { bind, type DnsLab, startDns } from '../../support/dns-lab.ts'
import { peer } from '../../support/peers.mjs'
import { random } from '../../support/random.ts'

if (!bind.available) console.warn(`NOT RUN: answers against dns-packet and @relaycorp/dnssec: ${bind.reason}`)

const ALICE = 'alice.example.test'
const QUESTIONS: readonly (readonly [string, TypeName])[] = [
  [ALICE, 'A'],
  [ALICE, 'AAAA'],
  [ALICE, 'SVCB'],
  [`_agent.${ALICE}`, 'TXT'],
  [`_agent._tcp.${ALICE}`, 'SRV'],
  [`_8443._tcp.${ALICE}`, 'TLSA'],
  ['alias.example.test', 'A'],
  ['nobody.example.test', 'A'],
  ['example.test', 'DNSKEY'],
  ['example.test', 'DS'],
  ['example.test', 'MX'],
  ['a.old.example.test', 'A'],
  ['example.test', 'SOA'],
  ['nobody.hashed.test', 'A'],
]
/** The types that it also reads: all except SVCB and HTTPS. OPT is not a record of the answer; PTR is read like NS. */
const READ_BY_IT = Object.keys(TYPES).filter((type) => !['SVCB', 'HTTPS', 'OPT', 'PTR'].includes(type))
const MUTATIONS = 500

let lab: DnsLab
beforeAll(async () => {
  if (!bind.available) return
  const algorithm = 'ECDSAP256SHA256'
  lab = await startDns([
    { name: '.', records: '', algorithm },
    { name: 'test', records: '', algorithm },
    {
      name: 'example.test',
      algorithm,
      records: [
        'alice A 192.0.2.7\nalice A 192.0.2.8\nalice AAAA 2001:db8::7',
        'alice SVCB 1 . alpn="a2a,h2" port=8443 key65402="a2a"',
        '_agent.alice TXT "v=ADP1.1; pk=ed25519:x" "; wk=https://alice.example/"',
        '_agent._tcp.alice SRV 10 5 8443 alice',
        '_8443._tcp.alice TLSA 3 1 1 0000000000000000000000000000000000000000000000000000000000000000',
        'alias CNAME alice\n@ MX 10 alice\nold DNAME alias',
      ].join('\n'),
    },
    { name: 'hashed.test', algorithm, records: 'alice A 192.0.2.7', nsec3: true },
  ])
})
afterAll(() => lab?.close())

const asked = (name: string, type: TypeName) =>
  udpResolver({ address: '127.0.0.1', port: lab.port })(encodeQuestion({ name, type: TYPES[type] }))

describe.runIf(bind.available)('dns-packet reads the same', () => {
  const itsName = (type: number) => (type === TYPES.SVCB ? 'UNKNOWN_64' : typeName(type))
  const seen = new Set<string>()
  /** The data of a record in its form, from what we read; bytes for a type that it does not read. */
  const inItsWords: Partial<Record<string, (rdata: Uint8Array) => unknown>> = {
    A: read.readAddress,
    AAAA: read.readAddress,
    TXT: (rdata) => read.readStrings(rdata).map((part) => Buffer.from(part).toString('latin1')),
    CNAME: read.readTarget,
    DNAME: read.readTarget,
    NS: (rdata) => read.readTarget(rdata),
    SRV: (rdata) => read.readSrv(rdata),
    TLSA: (rdata) => {
      const { usage, selector, matchingType, data } = read.readTlsa(rdata)
      return { usage, selector, matchingType, certificate: Buffer.from(data).toString('hex') }
    },
    DS: (rdata) => {
      const { digest, ...row } = read.readDs(rdata)
      return { ...row, digest: Buffer.from(digest).toString('hex') }
    },
    DNSKEY: (rdata) => {
      const { flags, algorithm, key } = readDnsKey(rdata)
      return { flags, algorithm, key: Buffer.from(key).toString('hex') }
    },
    NSEC: (rdata) => {
      const { next, types } = readNsec(rdata)
      return { nextDomain: next, rrtypes: [...types].map(itsName) }
    },
    RRSIG: (rdata) => {
      const { covers, algorithm, labels, ttl, expires, begins, keyTag, signer, signature } = read.readRrsig(rdata)
      return {
        ...{
          typeCovered: itsName(covers),
          algorithm,
          labels,
          originalTTL: ttl,
          expiration: expires,
          inception: begins,
        },
        ...{ keyTag, signersName: signer, signature: Buffer.from(signature).toString('hex') },
      }
    },
  }

  const hexed = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
    if (Array.isArray(value)) return value.map(hexed)
    return value
  }
  const binary = ['certificate', 'digest', 'key', 'signature']
  const fields = (data: object) =>
    Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        binary.includes(name) ? Buffer.from(value as Uint8Array).toString('hex') : value,
      ]),
    )

  test.each(QUESTIONS)('%s %s', async (name, type) => {
    const { default: packet } = await peer('dns-packet', 'dns')
    const bytes = await asked(name, type)
    const theirs = packet.decode(Buffer.from(bytes))
    const ours = decodeMessage(bytes)
    expect(theirs.questions).toMatchObject(ours.questions.map((one) => ({ name: one.name, class: 'IN' })))
    const sections = [
      [ours.answers, theirs.answers],
      [ours.authorities, theirs.authorities],
      [ours.additionals, theirs.additionals.filter((row: { type: string }) => row.type !== 'OPT')],
    ] as const
    let compared = 0
    for (const [own, other] of sections) {
      expect(own).toHaveLength(other.length)
      own.forEach((record: ResourceRecord, i: number) => {
        const row = other[i]
        const word = typeName(record.type)
        expect([row.name.toLowerCase(), row.type, row.ttl]).toEqual([record.name, itsName(record.type), record.ttl])
        // Its own encoding, after two bytes of length, has no compressed names; ours has none either.
        const written = packet.record(row.type).encode(row.data).subarray(2)
        expect(Buffer.from(record.rdata).toString('hex')).toBe(written.toString('hex'))
        seen.add(word)
        const reading = inItsWords[word]
        if (reading === undefined) return
        compared++
        const data = Array.isArray(row.data) || typeof row.data !== 'object' ? hexed(row.data) : fields(row.data)
        if (typeof data === 'object' && !Array.isArray(data))
          expect(data).toMatchObject(reading(record.rdata) as object)
        else expect(data).toEqual(reading(record.rdata))
      })
    }
    expect(compared).toBeGreaterThan(0)
  })

  test('of every type that both read', () => expect(READ_BY_IT.filter((type) => !seen.has(type))).toEqual([]))
})

describe.runIf(bind.available)('@relaycorp/dnssec judges the same', () => {
  test(`[wellknown/4.3-1] of ${MUTATIONS} answers that were changed in transit`, async () => {
    const { dnssecLookUp, Question } = await peer('@relaycorp/dnssec', 'dns')
    const honest = new Map<string, Uint8Array>()
    const anchors = lab.anchors['.']!.map((ds) => ({ ...ds, digest: Buffer.from(ds.digest) }))
    const from = async (name: string, type: number, changed?: (key: string, bytes: Uint8Array) => Uint8Array) => {
      const key = `${type} ${name}`
      const bytes = honest.get(key) ?? (await asked(name, typeName(type) as TypeName))
      honest.set(key, bytes)
      return changed?.(key, bytes) ?? bytes
    }
    type Change = Parameters<typeof from>[2]
    const theirs = async (change?: Change) => {
      const resolver = async (question: { name: string; typeId: number }) =>
        Buffer.from(await from(question.name.replace(/(.)\.$/, '$1'), question.typeId, change))
      try {
        const result = await dnssecLookUp(new Question(`${ALICE}.`, 'A'), resolver, { trustAnchors: anchors })
        if (result.status !== 'SECURE') return String(result.status)
        return result.result.records.map((row: { dataFields: string }) => row.dataFields).sort()
      } catch {
        return 'thrown'
      }
    }
    const ours = async (change?: Change) => {
      const resolver: Resolver = Object.assign(
        async (bytes: Uint8Array) => {
          const [question] = decodeMessage(bytes).questions
          return from(question!.name, question!.type, change)
        },
        { isPrivate: false },
      )
      try {
        const found = await new Lookup({ resolver, anchors: lab.anchors }).find(ALICE, TYPES.A)
        if (found.quality !== 'checked') return 'not shown'
        return found.records.map(({ rdata }) => read.readAddress(rdata)).sort()
      } catch (error) {
        return (error as { kind: { code: string } }).kind.code
      }
    }
    const truth = ['192.0.2.7', '192.0.2.8']
    expect([await theirs(), await ours()]).toEqual([truth, truth])
    const next = random(20_261_124)
    const below = (count: number) => Math.floor(next() * count)
    const keys = [...honest.keys()]
    const tally = { both: 0, neither: 0, onlyTheirs: [] as string[], onlyOurs: [] as string[] }
    for (let i = 0; i < MUTATIONS; i++) {
      const at = keys[below(keys.length)]!
      const place = below(honest.get(at)!.length)
      const bit = 1 << below(8)
      const change = (key: string, bytes: Uint8Array) => {
        if (key !== at) return bytes
        const copy = bytes.slice()
        copy[place]! ^= bit
        return copy
      }
      const [their, own] = [await theirs(change), await ours(change)]
      if (typeof their !== 'string') expect(their).toEqual(truth)
      if (typeof own !== 'string') expect(own).toEqual(truth)
      const accepted = [typeof their !== 'string', typeof own !== 'string']
      if (accepted[0] && accepted[1]) tally.both++
      else if (accepted[0]) tally.onlyTheirs.push(`${at} byte ${place}: ${own}`)
      else if (accepted[1]) tally.onlyOurs.push(`${at} byte ${place}: ${their}`)
      else tally.neither++
    }
    // It throws only for parts that no signature covers; what it calls secure is secure here.
    expect(tally.onlyTheirs).toEqual([])
    expect(tally.onlyOurs.length, tally.onlyOurs.join()).toBeLessThan(MUTATIONS / 20)
    expect(tally.both + tally.neither + tally.onlyOurs.length).toBe(MUTATIONS)
  })
})
