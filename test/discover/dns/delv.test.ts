// Forty zones: each supported algorithm, correct and broken in seven ways. The verdict must be that of BIND's delv.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveDns } from '../../../bindings/discover/dns/lookup.ts'
import type { TypeName } from '../../../bindings/discover/dns/message.ts'
import { udpResolver } from '../../../bindings/node/dns.ts'
import { bind, type DnsLab, startDns, type Zone } from '../../support/dns-lab.ts'

if (!bind.available) console.warn(`NOT RUN: forty zones against delv: ${bind.reason}`)

const ALGORITHMS: Readonly<Record<string, string>> = {
  8: 'RSASHA256',
  10: 'RSASHA512',
  13: 'ECDSAP256SHA256',
  14: 'ECDSAP384SHA384',
  15: 'ED25519',
}
const without = (pattern: RegExp) => (text: string) =>
  text
    .split('\n')
    .filter((line) => !pattern.test(line))
    .join('\n')

/** How to make each zone, and the code of the refusal. */
const WAYS: Readonly<Record<string, readonly [making: Partial<Zone>, code: string | undefined]>> = {
  valid: [{}, undefined],
  past: [{ times: ['-s', '20200101000000', '-e', '20200201000000'] }, 'DNS-112'],
  future: [{ times: ['-s', '20400101000000', '-e', '20400201000000'] }, 'DNS-112'],
  stripped: [{ afterwards: without(/\sRRSIG\s+SVCB\s/) }, 'DNS-111'],
  changed: [{ afterwards: (text) => text.replace(/port="?8443/, 'port=8444') }, 'DNS-110'],
  foreign: [{ vouch: (ds) => ds.replace(/[0-9A-F]{8}\s*$/, '00000000\n') }, 'DNS-114'],
  keyless: [{ afterwards: without(/\sRRSIG\s+DNSKEY\s/) }, 'DNS-111'],
  undenied: [{ afterwards: without(/^(?!undenied).*\sNSEC\s/) }, 'DNS-115'],
}
const ROWS = Object.keys(ALGORITHMS).flatMap((algorithm) => Object.keys(WAYS).map((way) => [algorithm, way] as const))
const zoneName = (algorithm: string, way: string) => `${way}-${algorithm}.test`

const ZONES: readonly Zone[] = [
  { name: '.', records: '', algorithm: 'ECDSAP256SHA256' },
  { name: 'test', records: '', algorithm: 'ECDSAP256SHA256' },
  ...ROWS.map(([algorithm, way]) => ({
    name: zoneName(algorithm, way),
    records: 'alice SVCB 1 . alpn="a2a,h2" port=8443 key65402="a2a"\nalice A 192.0.2.7',
    algorithm: ALGORITHMS[algorithm],
    ...WAYS[way]![0],
  })),
]

describe.runIf(bind.available)('forty zones', () => {
  let lab: DnsLab
  beforeAll(async () => {
    lab = await startDns(ZONES)
  })
  afterAll(() => lab?.close())

  test('there are forty', () => expect(ROWS).toHaveLength(40))

  test.each(ROWS)('[wellknown/4.3-1] algorithm %s, %s', async (algorithm, way) => {
    const zone = zoneName(algorithm, way)
    const [name, type]: [string, TypeName & 'SVCB'] = [way === 'undenied' ? `nobody.${zone}` : `alice.${zone}`, 'SVCB']
    const resolver = udpResolver({ address: '127.0.0.1', port: lab.port })
    const answer = await resolveDns(name, type, { resolver, anchors: lab.anchors })
    expect(answer.ok ? answer.quality : answer.diagnostic.code).toBe(WAYS[way]![1] ?? 'checked')
    expect(lab.delv(name, type).startsWith('fully validated')).toBe(answer.ok)
  })
})
