// An absence must be proven by the zone of the name. A valid record of another zone, which anyone can copy, proves
// nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Lookup, type Resolver } from '../../../bindings/discover/dns/lookup.ts'
import { decodeMessage, encodeQuestion, type ResourceRecord, TYPES } from '../../../bindings/discover/dns/message.ts'
import { nameToWire } from '../../../bindings/discover/dns/name.ts'
import { udpResolver } from '../../../bindings/node/dns.ts'
import { bind, type DnsLab, startDns, type Zone } from '../../support/dns-lab.ts'

if (!bind.available) console.warn(`NOT RUN: absences against bind9: ${bind.reason}`)

const TLSA = '3 1 1 0000000000000000000000000000000000000000000000000000000000000000'
const zone = (name: string, records: string, nsec3 = false): Zone => ({
  name,
  records,
  nsec3,
  algorithm: 'ECDSAP256SHA256',
})

let lab: DnsLab
beforeAll(async () => {
  if (!bind.available) return
  lab = await startDns([
    zone('.', ''),
    zone('test', ''),
    zone('victim.test', `_443._tcp TLSA ${TLSA}\n*.wild TXT "any"\nreal.wild TXT "own"`),
    zone('hashed.test', '*.wild TXT "any"', true),
    zone('inner.hashed.test', `_443._tcp TLSA ${TLSA}\n*.wild TXT "any"`),
  ])
})
afterAll(() => lab?.close())

const u16 = (number: number) => [number >> 8, number & 0xff]
const recordOf = ({ name, type, rdata }: ResourceRecord) => [
  ...nameToWire(name),
  ...[...u16(type), 0, 1, 0, 0, 0, 60, ...u16(rdata.length)],
  ...rdata,
]

/** A resolver of an attacker, which answers one question with these records of any zone. */
function lying(name: string, type: number, answers: readonly ResourceRecord[], proof: readonly ResourceRecord[]) {
  const honest = udpResolver({ address: '127.0.0.1', port: lab.port })
  const lie = [
    ...[0, 0, 0x81, 0x80, 0, 1, ...u16(answers.length), ...u16(proof.length), 0, 0],
    ...[...nameToWire(name), ...u16(type), 0, 1],
    ...[...answers, ...proof].flatMap(recordOf),
  ]
  const resolver = async (question: Uint8Array<ArrayBuffer>) => {
    const [asked] = decodeMessage(question).questions
    return asked!.name === name && asked!.type === type ? Uint8Array.from(lie) : honest(question)
  }
  return new Lookup({ resolver: Object.assign(resolver, { isPrivate: false }) as Resolver, anchors: lab.anchors })
}

const heard = async (name: string, type: number) =>
  decodeMessage(await udpResolver({ address: '127.0.0.1', port: lab.port })(encodeQuestion({ name, type })))
const outcome = (lookup: Lookup, name: string, type: number) =>
  lookup.find(name, type).then(
    ({ quality, records }) => `${quality} ${records.length}`,
    (error) => error.kind?.code ?? String(error),
  )

describe.runIf(bind.available)('[wellknown/4.3-1] a removed record', () => {
  test.each([
    ['of another zone that denies by hashes', '_443._tcp.victim.test', 'nobody.hashed.test'],
    ['of the zone above, which denies by hashes', '_443._tcp.inner.hashed.test', 'nobody.hashed.test'],
    ['of another zone that denies by names', '_443._tcp.victim.test', 'nobody.inner.hashed.test'],
    ['of the zone above, by names', '_443._tcp.victim.test', 'nobody.test'],
  ])('with a valid denial %s is bogus', async (_, name, absent) => {
    const { authorities } = await heard(absent, TYPES.TLSA)
    expect(authorities.some(({ type }) => type === TYPES.RRSIG)).toBe(true)
    expect(await outcome(lying(name, TYPES.TLSA, [], []), name, TYPES.TLSA)).toBe('DNS-115')
    expect(await outcome(lying(name, TYPES.TLSA, [], authorities), name, TYPES.TLSA)).toBe('DNS-115')
  })

  test('a wildcard instead of the name’s own record, with a valid denial of another zone, is bogus', async () => {
    const { answers } = await heard('other.wild.victim.test', TYPES.TXT)
    const moved = answers.map((record) => ({ ...record, name: 'real.wild.victim.test' }))
    const { authorities } = await heard('x.wild.hashed.test', TYPES.TXT)
    const name = 'real.wild.victim.test'
    expect(await outcome(lying(name, TYPES.TXT, moved, authorities), name, TYPES.TXT)).toBe('DNS-115')
  })

  test('absences in its own zone are still proven', async () => {
    const honest = new Lookup({
      resolver: udpResolver({ address: '127.0.0.1', port: lab.port }),
      anchors: lab.anchors,
    })
    expect(await outcome(honest, '_8443._tcp.victim.test', TYPES.TLSA)).toBe('checked 0')
    expect(await outcome(honest, '_8443._tcp.hashed.test', TYPES.TLSA)).toBe('checked 0')
    expect(await outcome(honest, '_8443._tcp.inner.hashed.test', TYPES.TLSA)).toBe('checked 0')
  })
})
