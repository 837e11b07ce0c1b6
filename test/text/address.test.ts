import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseAddress, specialPurpose } from '../../bindings/text/address.ts'
import { casesOf } from '../support/cases.ts'
import { hasSuite, suiteFile } from '../support/suites.ts'

interface Group {
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

describe.runIf(hasSuite('json-schema-formats')).each([4, 6])('the suite of JSON Schema formats, ipv%i', (version) => {
  const groups = JSON.parse(
    new TextDecoder().decode(suiteFile('json-schema-formats', `ipv${version}.json`)),
  ) as readonly Group[]
  const cases = groups.flatMap(({ tests }) => tests).filter(({ data }) => typeof data === 'string')
  test.each(cases)('$description', ({ data, valid }) => {
    expect(parseAddress(data as string)?.length === (version === 4 ? 4 : 16)).toBe(valid)
  })
})

describe('parseAddress', () => {
  it('agrees with Node on texts that resemble addresses', () => {
    const part = fc.constantFrom('0', '1', '255', '256', '01', 'ff', 'FFFF', '12345', '', 'g', '1.2.3.4')
    const near = fc
      .array(fc.tuple(part, fc.constantFrom(':', '::', '.')), { minLength: 1, maxLength: 9 })
      .map((parts) => parts.map(([text, join]) => text + join).join(''))
    const texts = fc.oneof(
      near,
      near.map((text) => text.slice(0, -1)),
      fc.ipV4(),
      fc.ipV6(),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const version = parseAddress(text)?.length
        expect(version === 16 ? 6 : version === 4 ? 4 : 0).toBe(isIP(text))
      }),
      { numRuns: casesOf(3000) },
    )
  })

  it('reads the same bytes as the URL parser', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const written = new URL(`http://[${text}]`).hostname.slice(1, -1)
        expect(parseAddress(written)).toEqual(parseAddress(text))
      }),
    )
  })

  it.each([
    'fe80::1%eth0',
    '[::1',
    '::1]',
    '[::1]',
    '[127.0.0.1]',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    '1.2.3.4.',
    '',
    '٣.1.1.1',
  ])('refuses %s', (text) => expect(parseAddress(text)).toBeUndefined())
})

// The rows of the registries; the last column is whether the range is globally reachable.
test.each([
  ['0.0.0.0', '"This host on this network"'],
  ['0.255.255.255', '"This network"'],
  ['10.0.0.0', 'Private-Use'],
  ['10.255.255.255', 'Private-Use'],
  ['11.0.0.0', undefined],
  ['100.63.255.255', undefined],
  ['100.64.0.0', 'Shared Address Space'],
  ['100.127.255.255', 'Shared Address Space'],
  ['100.128.0.0', undefined],
  ['127.255.255.255', 'Loopback'],
  ['169.254.169.254', 'Link Local'],
  ['172.15.255.255', undefined],
  ['172.16.0.0', 'Private-Use'],
  ['172.31.255.255', 'Private-Use'],
  ['172.32.0.0', undefined],
  ['192.0.0.1', 'IPv4 Service Continuity Prefix'],
  ['192.0.0.9', undefined],
  ['192.0.0.10', undefined],
  ['192.0.0.11', 'IETF Protocol Assignments'],
  ['192.0.0.171', 'NAT64/DNS64 Discovery'],
  ['192.0.2.1', 'Documentation (TEST-NET-1)'],
  ['192.31.196.1', undefined],
  ['192.88.99.1', 'Deprecated (6to4 Relay Anycast)'],
  ['192.168.255.255', 'Private-Use'],
  ['192.169.0.0', undefined],
  ['198.17.255.255', undefined],
  ['198.19.255.255', 'Benchmarking'],
  ['198.51.100.1', 'Documentation (TEST-NET-2)'],
  ['203.0.113.255', 'Documentation (TEST-NET-3)'],
  ['223.255.255.255', undefined],
  ['224.0.0.1', 'Multicast'],
  ['240.0.0.1', 'Reserved'],
  ['255.255.255.255', 'Limited Broadcast'],
  ['::', 'Unspecified Address'],
  ['::1', 'Loopback Address'],
  ['::2', 'Reserved by IETF'],
  ['::7f00:1', 'Reserved by IETF'],
  ['::ffff:127.0.0.1', 'Loopback'],
  ['::ffff:a00:1', 'Private-Use'],
  ['::ffff:8.8.8.8', undefined],
  ['::ffff:0:7f00:1', 'Reserved by IETF'],
  ['64:ff9b::10.0.0.1', 'Private-Use'],
  ['64:ff9b::8.8.8.8', undefined],
  ['64:ff9b:1::8.8.8.8', 'IPv4-IPv6 Translat.'],
  ['100::1', 'Discard-Only Address Block'],
  ['100:0:0:1::1', 'Dummy IPv6 Prefix'],
  ['2001::1', 'TEREDO'],
  ['2001:1::1', undefined],
  ['2001:1::4', 'IETF Protocol Assignments'],
  ['2001:2::1', 'Benchmarking'],
  ['2001:20::1', undefined],
  ['2001:db8::1', 'Documentation'],
  ['2001:4860:4860::8888', undefined],
  ['2002:7f00:1::', '6to4'],
  ['2606:4700::1111', undefined],
  ['2620:4f:8000::1', undefined],
  ['3fff::1', 'Documentation'],
  ['4000::1', 'Reserved by IETF'],
  ['5f00::1', 'Segment Routing (SRv6) SIDs'],
  ['fbff::1', 'Reserved by IETF'],
  ['fc00::1', 'Unique-Local'],
  ['fdff::1', 'Unique-Local'],
  ['fe80::1', 'Link-Local Unicast'],
  ['fec0::1', 'Site-Local (deprecated)'],
  ['ff02::1', 'Multicast'],
])('%s is %s', (text, name) => {
  expect(specialPurpose(parseAddress(text)!)).toBe(name)
})
